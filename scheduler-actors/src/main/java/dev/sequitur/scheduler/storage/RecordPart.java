package dev.sequitur.scheduler.storage;

import dev.sequitur.encoding.ByteReader;
import dev.sequitur.encoding.ByteWriter;
import dev.sequitur.encoding.Codec;
import dev.sequitur.encoding.RecordCodec;
import java.util.Objects;

/**
 * A record: what holds no maps together in one cell, each other component under its place.
 *
 * @param own null where {@code parts} has something
 */
record RecordPart(QueueFormat format, RecordCodec<?> record, Codec<Object>[] own, CellPart[] parts)
    implements CellPart {
  @Override
  public void changes(byte[] path, Object before, Object now, Changes to) {
    if (before == now) {
      return;
    } else if (now == null) {
      to.remove(path);
    } else if (before == null || ownDiffers(before, now)) {
      to.put(path, ownCell(now));
    }
    for (int i = 0; i < parts.length; i++) {
      if (parts[i] != null) {
        parts[i].changes(CellPart.below(path, i), component(i, before), component(i, now), to);
      }
    }
  }

  private Object component(int i, Object of) {
    return of == null ? null : record.get(i, of);
  }

  private boolean ownDiffers(Object before, Object now) {
    for (int i = 0; i < own.length; i++) {
      if (own[i] != null && !Objects.equals(record.get(i, before), record.get(i, now))) {
        return true;
      }
    }
    return false;
  }

  private byte[] ownCell(Object now) {
    var to = new ByteWriter().raw(StoredTypes.VERSION);
    for (int i = 0; i < own.length; i++) {
      if (own[i] != null) {
        own[i].write(to, record.get(i, now));
      }
    }
    return to.finish();
  }

  @Override
  public Building building() {
    return new RecordBuilding();
  }

  private final class RecordBuilding implements Building {
    private final Object[] values = new Object[parts.length];
    private final Building[] open = new Building[parts.length];
    private boolean begun;

    private RecordBuilding() {
      for (int i = 0; i < parts.length; i++) {
        open[i] = parts[i] == null ? null : parts[i].building();
      }
    }

    @Override
    public void cell(byte[] key, int at, byte[] value) {
      if (at < key.length) {
        open[key[at]].cell(key, at + 1, value);
        return;
      }
      begun = true;
      ByteReader.readAll(
          value,
          from -> {
            int version = StoredTypes.checked(from.raw());
            for (int i = 0; i < own.length; i++) {
              if (own[i] != null) {
                values[i] = codec(i, version).read(from);
              }
            }
            return values;
          });
    }

    private Codec<Object> codec(int i, int version) {
      return version == StoredTypes.VERSION
          ? own[i]
          : format.codecs(version).of(record.component(i));
    }

    @Override
    public Object finish() {
      if (!begun) {
        throw new StateLostException("A cell of its checkpoint is missing.");
      }
      for (int i = 0; i < parts.length; i++) {
        if (open[i] != null) {
          values[i] = open[i].finish();
        }
      }
      return record.make(values);
    }
  }
}
