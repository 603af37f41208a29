package dev.sequitur.scheduler.storage;

import dev.sequitur.encoding.Alternatives;
import dev.sequitur.encoding.Codec;
import dev.sequitur.encoding.RecordCodec;
import dev.sequitur.protocol.paged.PagedMap;
import dev.sequitur.schedule.book.HeldByOwner;
import dev.sequitur.schedule.queue.DueIndex;
import dev.sequitur.schedule.queue.OutcomeIndex;
import dev.sequitur.schedule.queue.ScheduleLists;
import dev.sequitur.schedule.registry.FamilyTypes;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.pcollections.TreePMap;
import org.pcollections.TreePSet;

/**
 * How a type is cut into cells, told from the type alone: each entry of a map is a cell, and of a
 * record that holds maps the rest is one. So nothing that a record gains is left out.
 */
record CellParts(QueueFormat format) {
  CellPart of(Type type) {
    return switch (type) {
      case ParameterizedType generic when isMap(generic) -> map(generic);
      case ParameterizedType generic when generic.getRawType() == TreePSet.class ->
          new SetPart(format.newest().of(generic.getActualTypeArguments()[0]));
      case Class<?> plain when plain == DueIndex.class -> DerivedPart.DUE_INDEX;
      case Class<?> plain when plain == OutcomeIndex.class -> DerivedPart.OUTCOME_INDEX;
      case Class<?> plain when plain == ScheduleLists.class -> DerivedPart.SCHEDULE_LISTS;
      case Class<?> plain when plain == HeldByOwner.class -> DerivedPart.HELD_BY_OWNER;
      case Class<?> plain when plain.isRecord() -> record(plain);
      case Class<?> plain when plain.isInterface() ->
          new AlternativesPart(
              Alternatives.of(plain, StoredTypes.ALTERNATIVES, FamilyTypes::of).numbers(),
              this::record);
      default -> throw new IllegalStateException("There are no cells of " + type + ".");
    };
  }

  private CellPart map(ParameterizedType type) {
    var key = format.newest().of(type.getActualTypeArguments()[0]);
    var value = type.getActualTypeArguments()[1];
    var content = holdsCells(value) ? of(value) : new LeafPart(format, value);
    return new MapPart(key, content, type.getRawType() == PagedMap.class);
  }

  private CellPart record(Class<?> type) {
    var types = Stream.of(type.getRecordComponents()).map(RecordComponent::getGenericType).toList();
    var parts = new CellPart[types.size()];
    @SuppressWarnings({"unchecked", "rawtypes"})
    Codec<Object>[] own = new Codec[types.size()];
    for (int i = 0; i < parts.length; i++) {
      if (holdsCells(types.get(i))) {
        parts[i] = of(types.get(i));
      } else {
        own[i] = format.newest().of(types.get(i));
      }
    }
    return new RecordPart(format, new RecordCodec<>(type, false, own), own, parts);
  }

  private static boolean isMap(ParameterizedType type) {
    return type.getRawType() == TreePMap.class || type.getRawType() == PagedMap.class;
  }

  private static boolean holdsCells(Type type) {
    return holdsCells(type, new HashSet<>());
  }

  private static boolean holdsCells(Type type, Set<Type> seen) {
    if (!seen.add(type)) {
      return false;
    }
    return switch (type) {
      case ParameterizedType generic -> isMap(generic) || generic.getRawType() == TreePSet.class;
      case Class<?> plain when plain == OutcomeIndex.class -> true;
      case Class<?> plain when plain.isRecord() ->
          Stream.of(plain.getRecordComponents())
              .anyMatch(component -> holdsCells(component.getGenericType(), seen));
      case Class<?> plain when plain.isInterface() ->
          Alternatives.leaves(plain, FamilyTypes::of).stream()
              .anyMatch(leaf -> holdsCells(leaf, seen));
      default -> false;
    };
  }
}
