package dev.sequitur.scheduler.storage;

import dev.sequitur.protocol.paged.PagedMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.pcollections.TreePMap;

/** Codecs of what holds other values: how many, then one after the other. */
final class Collections {
  private Collections() {}

  static Codec<Optional<Object>> optional(Codec<Object> content) {
    return Scalars.of(
        (to, value) -> {
          to.raw(value.isPresent() ? 1 : 0);
          value.ifPresent(present -> content.write(to, present));
        },
        from -> from.raw() == 0 ? Optional.empty() : Optional.of(content.read(from)));
  }

  static <C extends Collection<?>> Codec<C> of(
      Codec<Object> element, Function<List<Object>, C> make) {
    return Scalars.of(
        (to, value) -> {
          to.unsigned(value.size());
          for (var each : value) {
            element.write(to, each);
          }
        },
        from -> {
          int count = from.count();
          var elements = new ArrayList<Object>(count);
          for (int i = 0; i < count; i++) {
            elements.add(element.read(from));
          }
          return make.apply(elements);
        });
  }

  /** Sorted; its keys are comparable. */
  static Codec<Map<Object, Object>> map(Codec<Object> key, Codec<Object> content) {
    return map(key, content, TreePMap::fromSortedMap);
  }

  /** As {@link #map}, in pages. */
  static Codec<Map<Object, Object>> paged(Codec<Object> key, Codec<Object> content) {
    return map(key, content, Collections::inPages);
  }

  private static Codec<Map<Object, Object>> map(
      Codec<Object> key,
      Codec<Object> content,
      Function<SortedMap<Object, Object>, Map<Object, Object>> make) {
    return Scalars.of(
        (to, value) -> {
          to.unsigned(value.size());
          for (var entry : value.entrySet()) {
            key.write(to, entry.getKey());
            content.write(to, entry.getValue());
          }
        },
        from -> {
          int count = from.count();
          var entries = new TreeMap<Object, Object>();
          for (int i = 0; i < count; i++) {
            entries.put(key.read(from), content.read(from));
          }
          return make.apply(entries);
        });
  }

  // Keys of a sorted map compare with one another.
  @SuppressWarnings({"unchecked", "rawtypes"})
  static Map<Object, Object> inPages(SortedMap<Object, Object> entries) {
    PagedMap map = PagedMap.empty();
    for (var entry : entries.entrySet()) {
      map = map.plus((Comparable) entry.getKey(), entry.getValue());
    }
    return map;
  }
}
