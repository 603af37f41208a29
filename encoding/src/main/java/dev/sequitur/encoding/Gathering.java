package dev.sequitur.encoding;

import dev.sequitur.protocol.paged.PagedMapBuilder;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.pcollections.TreePMap;

/** Takes the entries of a map that is being read. Confined to one thread. */
public interface Gathering {
  /**
   * @param key comparable with the others, unless the map is unsorted
   */
  void add(Object key, Object value);

  Map<Object, Object> finish();

  // Keys of a sorted map compare with one another.
  @SuppressWarnings({"unchecked", "rawtypes"})
  static Gathering inPages() {
    var pages = new PagedMapBuilder();
    return new Gathering() {
      @Override
      public void add(Object key, Object value) {
        pages.add((Comparable) key, value);
      }

      @Override
      public Map<Object, Object> finish() {
        return pages.finish();
      }
    };
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  static Gathering inATree() {
    return within(new TreeMap<>(), tree -> (Map) TreePMap.fromSortedMap((TreeMap) tree));
  }

  static Gathering unsorted() {
    return within(new HashMap<>(), Map::copyOf);
  }

  private static Gathering within(
      Map<Object, Object> entries, UnaryOperator<Map<Object, Object>> finish) {
    return new Gathering() {
      @Override
      public void add(Object key, Object value) {
        entries.put(key, value);
      }

      @Override
      public Map<Object, Object> finish() {
        return finish.apply(entries);
      }
    };
  }
}
