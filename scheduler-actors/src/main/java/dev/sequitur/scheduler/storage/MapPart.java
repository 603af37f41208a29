package dev.sequitur.scheduler.storage;

import dev.sequitur.encoding.ByteReader;
import dev.sequitur.encoding.ByteWriter;
import dev.sequitur.encoding.Codec;
import dev.sequitur.encoding.Gathering;
import dev.sequitur.protocol.paged.PagedMap;
import java.util.Iterator;
import java.util.Map;

/**
 * A map: what is at each key, under that key.
 *
 * @param paged whether it is a {@code PagedMap}; else a {@code TreePMap}
 */
record MapPart(Codec<Object> key, CellPart content, boolean paged) implements CellPart {
  /** What is the same object in both is the same. */
  @Override
  public void changes(byte[] path, Object before, Object now, Changes to) {
    if (before == now) {
      return;
    } else if (paged) {
      PagedMap.differences(
          pages(before),
          pages(now),
          (each, old, present) -> content.changes(at(path, each), old, present, to));
    } else {
      walk(path, before, now, to);
    }
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static PagedMap pages(Object map) {
    return map == null ? PagedMap.empty() : (PagedMap) map;
  }

  /** Two sorted walks side by side. */
  private void walk(byte[] path, Object before, Object now, Changes to) {
    var old = entries(before);
    var present = entries(now);
    var left = next(old);
    var right = next(present);
    while (left != null || right != null) {
      int order = order(left, right);
      if (order < 0) {
        content.changes(at(path, left.getKey()), left.getValue(), null, to);
        left = next(old);
      } else if (order > 0) {
        content.changes(at(path, right.getKey()), null, right.getValue(), to);
        right = next(present);
      } else {
        if (left.getValue() != right.getValue()) {
          content.changes(at(path, right.getKey()), left.getValue(), right.getValue(), to);
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

  private byte[] at(byte[] path, Object each) {
    return new ByteWriter().bytes(path).put(key, each).finish();
  }

  @Override
  public Building building() {
    return new Building() {
      private final Gathering found = paged ? Gathering.inPages() : Gathering.inATree();
      private Object openKey;
      private Building open;

      @Override
      public void cell(byte[] path, int at, byte[] value) {
        var from = new ByteReader(path, at);
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
          found.add(openKey, open.finish());
        }
      }

      @Override
      public Object finish() {
        close();
        open = null;
        return found.finish();
      }
    };
  }
}
