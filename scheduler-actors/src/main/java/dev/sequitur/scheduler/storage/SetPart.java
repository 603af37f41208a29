package dev.sequitur.scheduler.storage;

import dev.sequitur.encoding.ByteReader;
import dev.sequitur.encoding.ByteWriter;
import dev.sequitur.encoding.Codec;
import java.util.TreeSet;
import org.pcollections.TreePSet;

/** A set: an empty cell under each of its elements. */
record SetPart(Codec<Object> element) implements CellPart {
  private static final byte[] NOTHING = new byte[0];

  @Override
  public void changes(byte[] path, Object before, Object now, Changes to) {
    if (before == now) {
      return;
    }
    var old = elements(before);
    var present = elements(now);
    old.stream().filter(each -> !present.contains(each)).forEach(each -> to.remove(at(path, each)));
    present.stream()
        .filter(each -> !old.contains(each))
        .forEach(each -> to.put(at(path, each), NOTHING));
  }

  @SuppressWarnings("unchecked")
  private static java.util.Set<Object> elements(Object set) {
    return set == null ? java.util.Set.of() : (java.util.Set<Object>) set;
  }

  private byte[] at(byte[] path, Object each) {
    return new ByteWriter().bytes(path).put(element, each).finish();
  }

  @Override
  public Building building() {
    return new Building() {
      private final TreeSet<Object> found = new TreeSet<>();

      @Override
      public void cell(byte[] key, int at, byte[] value) {
        found.add(element.read(new ByteReader(key, at)));
      }

      @Override
      @SuppressWarnings({"unchecked", "rawtypes"})
      public Object finish() {
        return TreePSet.from((java.util.Collection) found);
      }
    };
  }
}
