package dev.sequitur.scheduler.storage;

import java.lang.reflect.Type;

/** A value that is one cell. */
record LeafPart(QueueFormat format, Type type) implements CellPart {
  @Override
  public void changes(byte[] path, Object before, Object now, Changes to) {
    if (now == null) {
      to.remove(path);
    } else if (before != now) {
      to.put(path, QueueFormat.encode(now, format.newest().of(type)));
    }
  }

  @Override
  public Building building() {
    return new Building() {
      private Object value;

      @Override
      public void cell(byte[] key, int at, byte[] content) {
        value = format.decode(content, type);
      }

      @Override
      public Object finish() {
        return value;
      }
    };
  }
}
