package dev.sequitur.persistence.serialization;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.Module;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.cfg.MapperBuilder;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import com.fasterxml.jackson.databind.util.StdConverter;
import com.fasterxml.jackson.dataformat.cbor.CBORFactory;
import com.fasterxml.jackson.dataformat.cbor.databind.CBORMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.StateLocks;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.pcollections.HashTreePMap;
import org.pcollections.HashTreePSet;

/** Jackson's mappers, set up alike for both formats. */
final class Mappers {
  // Deeper than any value of ours by far; what comes from other nodes must not exhaust the stack.
  private static final int MAX_NESTING = 64;

  private Mappers() {}

  static ObjectMapper cbor(SchemaRegistry registry, List<Module> more) {
    var factory = CBORFactory.builder().streamReadConstraints(constraints()).build();
    return setUp(
        CBORMapper.builder(factory).addModule(Scalars.compact()).addModules(more), registry);
  }

  static ObjectMapper json(SchemaRegistry registry) {
    var factory = JsonFactory.builder().streamReadConstraints(constraints()).build();
    return setUp(JsonMapper.builder(factory).addModule(Scalars.readable()), registry);
  }

  private static StreamReadConstraints constraints() {
    return StreamReadConstraints.builder().maxNestingDepth(MAX_NESTING).build();
  }

  private static ObjectMapper setUp(MapperBuilder<?, ?> builder, SchemaRegistry registry) {
    builder
        .addModule(new Jdk8Module())
        .addModule(IntentKeyAsText.module())
        .addMixIn(StateLocks.class, StateLocksMixIn.class)
        // A record's components, and no method that looks like a getter.
        .visibility(PropertyAccessor.GETTER, JsonAutoDetect.Visibility.NONE)
        .visibility(PropertyAccessor.IS_GETTER, JsonAutoDetect.Visibility.NONE)
        .visibility(PropertyAccessor.FIELD, JsonAutoDetect.Visibility.ANY)
        .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
        .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
        .enable(
            DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES,
            DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
            DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
        .defaultPropertyInclusion(
            JsonInclude.Value.construct(
                JsonInclude.Include.NON_ABSENT, JsonInclude.Include.ALWAYS));
    for (var collection : List.of(List.class, Set.class, Map.class)) {
      builder.withConfigOverride(
          collection,
          override ->
              override
                  .setInclude(
                      JsonInclude.Value.construct(
                          JsonInclude.Include.NON_EMPTY, JsonInclude.Include.ALWAYS))
                  .setSetterInfo(JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY)));
    }
    for (var alternatives : registry.alternatives()) {
      builder.addMixIn(alternatives.sealed(), NamedMixIn.class);
      alternatives
          .names()
          .forEach((name, type) -> builder.registerSubtypes(new NamedType(type, name)));
    }
    return builder.build();
  }

  /** Alternatives say by name which one they are, first of all. */
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = Alternatives.PROPERTY)
  private interface NamedMixIn {}

  @JsonSerialize(converter = FromStateLocks.class)
  @JsonDeserialize(converter = ToStateLocks.class)
  private interface StateLocksMixIn {}

  /** The created states know their ids, so that none is written twice. */
  record FlatStateLocks(List<StateId> spent, List<PrivateState> created) {}

  static final class FromStateLocks extends StdConverter<StateLocks, FlatStateLocks> {
    @Override
    public FlatStateLocks convert(StateLocks locks) {
      return new FlatStateLocks(List.copyOf(locks.spent()), List.copyOf(locks.created().values()));
    }
  }

  static final class ToStateLocks extends StdConverter<FlatStateLocks, StateLocks> {
    @Override
    public StateLocks convert(FlatStateLocks flat) {
      var created = new HashMap<StateId, PrivateState>();
      flat.created().forEach(state -> created.put(state.id(), state));
      return new StateLocks(HashTreePSet.from(flat.spent()), HashTreePMap.from(created));
    }
  }
}
