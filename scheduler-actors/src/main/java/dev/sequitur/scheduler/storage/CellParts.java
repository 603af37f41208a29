package dev.sequitur.scheduler.storage;

import dev.sequitur.protocol.paged.PagedMap;
import dev.sequitur.protocol.schedule.queue.DueIndex;
import dev.sequitur.protocol.schedule.queue.OutcomeIndex;
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
final class CellParts {
  private final QueueFormat format;

  CellParts(QueueFormat format) {
    this.format = format;
  }

  CellPart of(Type type) {
    if (type instanceof ParameterizedType generic) {
      var arguments = generic.getActualTypeArguments();
      var key = format.newest().of(arguments[0]);
      if (isMap(generic)) {
        var content =
            holdsCells(arguments[1]) ? of(arguments[1]) : new LeafPart(format, arguments[1]);
        return new MapPart(key, content, generic.getRawType() == PagedMap.class);
      } else if (generic.getRawType() == TreePSet.class) {
        return new SetPart(key);
      }
    } else if (type == DueIndex.class) {
      return DerivedPart.DUE_INDEX;
    } else if (type == OutcomeIndex.class) {
      return DerivedPart.OUTCOME_INDEX;
    } else if (type instanceof Class<?> plain && plain.isRecord()) {
      return record(plain);
    } else if (type instanceof Class<?> plain && plain.isInterface()) {
      return new AlternativesPart(
          Alternatives.of(plain, StoredTypes.ALTERNATIVES).numbers(), this::record);
    }
    throw new IllegalStateException("There are no cells of " + type + ".");
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
    return new RecordPart(format, new RecordCodec<>(type, own), own, parts);
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
    } else if (type instanceof ParameterizedType generic) {
      return isMap(generic) || generic.getRawType() == TreePSet.class;
    } else if (type == OutcomeIndex.class) {
      return true;
    } else if (type instanceof Class<?> plain && plain.isRecord()) {
      return Stream.of(plain.getRecordComponents())
          .anyMatch(component -> holdsCells(component.getGenericType(), seen));
    } else if (type instanceof Class<?> plain && plain.isSealed()) {
      return Alternatives.leaves(plain).stream().anyMatch(leaf -> holdsCells(leaf, seen));
    }
    return false;
  }
}
