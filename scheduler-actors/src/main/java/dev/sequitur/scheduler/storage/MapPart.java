package dev.sequitur.scheduler.storage;

import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import org.pcollections.TreePMap;

/**
 * A map: what is at each key, under that key.
 *
 * @param paged whether it is a {@code PagedMap}; else a {@code TreePMap}
 */
record MapPart(Codec<Object> key, CellPart content, boolean paged) implements CellPart {
  /** Two sorted walks side by side; what is the same object on both is the same. */
  @Override
  public void changes(byte[] path, Object before, Object now, Changes to) {
    if (before == now) {
      return;
    }
    var old = entries(before);
    var present = entries(now);
    var left = next(old);
    var right = next(present);
    while (left != null || right != null) {
      int order = order(left, right);
      if (order < 0) {
        content.changes(at(path, left), left.getValue(), null, to);
        left = next(old);
      } else if (order > 0) {
        content.changes(at(path, right), null, right.getValue(), to);
        right = next(present);
      } else {
        if (left.getValue() != right.getValue()) {
          content.changes(at(path, right), left.getValue(), right.getValue(), to);
        }
        left = next(old);
        right = next(present);
      }
    }
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static int order(Map.Entry<Object, Object> left, Map.Entry<Object, Object> right) {
    if (left == null || right == null) {
      return left == null ? 1 : -1;
    }
    return left.getKey() == right.getKey()
        ? 0
        : ((Comparable) left.getKey()).compareTo(right.getKey());
  }

  @SuppressWarnings("unchecked")
  private static Iterator<Map.Entry<Object, Object>> entries(Object map) {
    return map == null
        ? java.util.Collections.emptyIterator()
        : ((Map<Object, Object>) map).entrySet().iterator();
  }

  private static <T> T next(Iterator<T> entries) {
    return entries.hasNext() ? entries.next() : null;
  }

  private byte[] at(byte[] path, Map.Entry<Object, Object> entry) {
    var to = new ByteWriter();
    to.bytes(path);
    key.write(to, entry.getKey());
    return to.finish();
  }

  @Override
  public Building building() {
    return new Building() {
      private final Pool pool = new Pool();
      private final TreeMap<Object, Object> found = new TreeMap<>();
      private Object openKey;
      private Building open;

      @Override
      public void cell(byte[] path, int at, byte[] value) {
        var from = new ByteReader(path, at, pool);
        var next = key.read(from);
        if (open == null || !next.equals(openKey)) {
          close();
          openKey = next;
          open = content.building();
        }
        open.cell(path, from.position(), value);
      }

      private void close() {
        if (open != null) {
          found.put(openKey, open.finish());
        }
      }

      @Override
      public Object finish() {
        close();
        open = null;
        return paged ? Collections.inPages(found) : TreePMap.fromSortedMap(found);
      }
    };
  }
}
