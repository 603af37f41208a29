package dev.sequitur.scheduler.storage;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.paged.PagedMap;
import dev.sequitur.protocol.schedule.AccountId;
import dev.sequitur.protocol.schedule.LatePolicy;
import dev.sequitur.protocol.schedule.OccurrenceKey;
import dev.sequitur.protocol.schedule.RetryPolicy;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.pcollections.TreePMap;
import org.pcollections.TreePSet;
import org.pcollections.TreePVector;

/**
 * The compact encoding: a record is its components in their order, an alternative the number that
 * {@link Alternatives} gives it, a number as short as it can be. Nothing says what stands where, so
 * each change of a record is a new version, and the old layout stays readable as a {@link Former}.
 * Thread-safe.
 */
final class Codecs {
  /** Enumerations and records that recur in nearly every event. */
  private static final Set<Class<?>> SHARED =
      Set.of(
          AccountId.class,
          Identity.class,
          ContractAddress.class,
          LatePolicy.class,
          RetryPolicy.class);

  private static final Map<Class<?>, Codec<?>> SCALARS =
      Map.ofEntries(
          Map.entry(long.class, Scalars.LONG),
          Map.entry(Long.class, Scalars.LONG),
          Map.entry(int.class, Scalars.INTEGER),
          Map.entry(Integer.class, Scalars.INTEGER),
          Map.entry(byte.class, Scalars.OCTET),
          Map.entry(boolean.class, Scalars.FLAG),
          Map.entry(Boolean.class, Scalars.FLAG),
          Map.entry(byte[].class, Scalars.OCTETS),
          Map.entry(String.class, Scalars.TEXT),
          Map.entry(Bytes.class, Scalars.BYTES),
          Map.entry(Hash.class, Scalars.HASH),
          Map.entry(UUID.class, Scalars.IDENTIFIER),
          Map.entry(BigInteger.class, Scalars.WHOLE),
          Map.entry(Duration.class, Scalars.DURATION),
          Map.entry(Instant.class, Scalars.INSTANT));

  private final Map<Type, Codec<?>> codecs = new HashMap<>();
  private final List<Alternatives<?>> alternatives;
  private final List<Former<?, ?>> formers;
  private final int version;

  /**
   * How a record was laid out once.
   *
   * @param lastVersion the last one that wrote it so
   */
  record Former<T, L>(Class<T> type, int lastVersion, Class<L> layout, Function<L, T> upgrade) {}

  /**
   * @param version of the bytes to be read; only the newest can be written
   * @param more codecs of types that are no records
   */
  Codecs(
      List<Alternatives<?>> alternatives,
      List<Former<?, ?>> formers,
      int version,
      Map<Class<?>, Codec<?>> more) {
    this.alternatives = alternatives;
    this.formers = formers;
    this.version = version;
    codecs.putAll(SCALARS);
    codecs.putAll(more);
  }

  @SuppressWarnings("unchecked")
  <T> Codec<T> of(Class<T> type) {
    return (Codec<T>) of((Type) type);
  }

  /**
   * @throws IllegalStateException with a sentence for the developer, if there is no way to write it
   */
  @SuppressWarnings("unchecked")
  synchronized Codec<Object> of(Type type) {
    var known = codecs.get(type);
    if (known == null) {
      known = make(type);
      codecs.put(type, known);
    }
    return (Codec<Object>) known;
  }

  private Codec<?> make(Type type) {
    if (type instanceof ParameterizedType generic) {
      var whole = codecs.get(generic.getRawType());
      var raw = (Class<?>) generic.getRawType();
      if (whole == null
          && raw.isInterface()
          && !Collection.class.isAssignableFrom(raw)
          && raw != Map.class) {
        return plain(raw);
      }
      return whole != null ? whole : collection(raw, generic.getActualTypeArguments());
    } else if (type instanceof Class<?> plain) {
      return plain(plain);
    }
    throw new IllegalStateException("There is no encoding of " + type + ".");
  }

  private Codec<?> plain(Class<?> plain) {
    if (plain.isEnum()) {
      return constant(plain);
    } else if (plain == OccurrenceKey.class) {
      return Scalars.occurrence(record(OccurrenceKey.class));
    }
    var codec = plain.isRecord() ? record(plain) : alternatives(plain);
    return SHARED.contains(plain) ? Scalars.shared(codec) : codec;
  }

  private <T> Codec<T> record(Class<T> type) {
    var former = former(type);
    if (former.isPresent()) {
      return upgrading(former.get());
    }
    @SuppressWarnings({"unchecked", "rawtypes"})
    Codec<Object>[] components = new Codec[type.getRecordComponents().length];
    var codec = new RecordCodec<>(type, components);
    codecs.put(type, codec);
    var types = Stream.of(type.getRecordComponents()).map(RecordComponent::getGenericType).toList();
    for (int i = 0; i < components.length; i++) {
      components[i] = of(types.get(i));
    }
    return codec;
  }

  @SuppressWarnings("unchecked")
  private <T> Optional<Former<T, ?>> former(Class<T> type) {
    return formers.stream()
        .filter(former -> former.type() == type && former.lastVersion() >= version)
        .min((a, b) -> Integer.compare(a.lastVersion(), b.lastVersion()))
        .map(former -> (Former<T, ?>) former);
  }

  private <T, L> Codec<T> upgrading(Former<T, L> former) {
    var layout = of(former.layout());
    return Scalars.of(
        (to, value) -> {
          throw new IllegalStateException("Only the newest version is written.");
        },
        from -> former.upgrade().apply(layout.read(from)));
  }

  private <T> Codec<T> alternatives(Class<T> type) {
    var table = Alternatives.of(type, alternatives);
    var codec = new AlternativesCodec<T>(table);
    codecs.put(type, codec);
    table.numbers().forEach((record, number) -> codec.add(number, record, of((Type) record)));
    return codec;
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static Codec<?> constant(Class<?> type) {
    return Scalars.constant((Class) type);
  }

  private Codec<?> collection(Class<?> type, Type[] arguments) {
    var first = of(arguments[0]);
    if (type == Optional.class) {
      return Collections.optional(first);
    } else if (type == TreePSet.class) {
      return Collections.of(first, elements -> TreePSet.from((Collection) elements));
    } else if (type == TreePVector.class) {
      return Collections.of(first, TreePVector::from);
    } else if (type == List.class || type == Collection.class) {
      return Collections.of(first, List::copyOf);
    } else if (type == TreePMap.class || type == Map.class) {
      return Collections.map(first, of(arguments[1]));
    } else if (type == PagedMap.class) {
      return Collections.paged(first, of(arguments[1]));
    }
    throw new IllegalStateException("There is no encoding of " + type.getName() + ".");
  }
}
