package dev.sequitur.persistence.leveldb;

import dev.sequitur.persistence.leveldb.StoreFiles.Damage;
import dev.sequitur.persistence.map.Key;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * One of LevelDB's tables: blocks of entries, and an index of them that says for each a key after
 * all of its own and before those of the next. Each block is followed by how it is compressed, one
 * byte, and by its checksum, four.
 */
final class TableFile {
  private static final long MAGIC = 0xdb4775248b80fb57L;
  private static final int FOOTER = 48;
  private static final int TRAILER = 5;

  /** LevelDB's own blocks have some kilobytes, and hold one entry at least. */
  private static final int MOST_BYTES = 1 << 30;

  /** What LevelDB adds to each key: its sequence number and kind. */
  private static final int OF_EACH_KEY = 8;

  private final Path file;

  private record Handle(long offset, long size) {
    static Handle read(ByteBuffer from) {
      return new Handle(Varint.read(from), Varint.read(from));
    }
  }

  /** A line of the index. */
  private record Indexed(Key upTo, Handle block) {}

  TableFile(Path file) {
    this.file = file;
  }

  List<Damage> damages() throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      var index = index(channel);
      if (index.isEmpty()) {
        return List.of(Damage.of(file, "has lost its index, and nothing in it can be found"));
      }
      var damages = new ArrayList<Damage>();
      Optional<Key> after = Optional.empty();
      for (var line : index.get()) {
        if (block(channel, line.block()).isEmpty()) {
          damages.add(
              new Damage(
                  file.getFileName().toString(),
                  "is damaged within the %d bytes from byte %d on"
                      .formatted(line.block().size(), line.block().offset()),
                  after,
                  Optional.of(line.upTo())));
        }
        after = Optional.of(line.upTo());
      }
      return damages;
    }
  }

  private static Optional<List<Indexed>> index(FileChannel channel) throws IOException {
    try {
      var footer = read(channel, Math.max(0, channel.size() - FOOTER), FOOTER);
      if (footer.getLong(FOOTER - Long.BYTES) != MAGIC) {
        return Optional.empty();
      }
      Handle.read(footer); // of what describes other blocks than those of entries
      return block(channel, Handle.read(footer)).map(TableFile::lines);
    } catch (BufferUnderflowException | IllegalArgumentException | IndexOutOfBoundsException e) {
      return Optional.empty();
    }
  }

  /** Entries share the beginning of their keys; where they do not is told at the end. */
  private static List<Indexed> lines(byte[] block) {
    var entries = ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN);
    int restarts = entries.getInt(block.length - Integer.BYTES);
    entries.limit(block.length - Integer.BYTES - restarts * Integer.BYTES);
    var lines = new ArrayList<Indexed>();
    byte[] key = {};
    while (entries.hasRemaining()) {
      int shared = Math.toIntExact(Varint.read(entries));
      int own = Math.toIntExact(Varint.read(entries));
      Varint.read(entries); // how long the value is
      byte[] next = Arrays.copyOf(key, shared + own);
      entries.get(next, shared, own);
      key = next;
      lines.add(
          new Indexed(
              Key.wrap(Arrays.copyOf(key, Math.max(0, key.length - OF_EACH_KEY))),
              Handle.read(entries)));
    }
    return lines;
  }

  /** Its bytes, as they were before they were compressed; empty if they are damaged. */
  private static Optional<byte[]> block(FileChannel channel, Handle handle) throws IOException {
    if (handle.offset() < 0
        || handle.size() < 0
        || handle.size() > MOST_BYTES
        || handle.offset() + handle.size() + TRAILER > channel.size()) {
      return Optional.empty();
    }
    int size = (int) handle.size();
    var read = read(channel, handle.offset(), size + TRAILER);
    if (read.getInt(size + 1) != RecordLog.masked(read.array(), 0, size + 1)) {
      return Optional.empty();
    }
    var bytes = Arrays.copyOf(read.array(), size);
    return Optional.of(read.get(size) == 0 ? bytes : Snappy.uncompress(ByteBuffer.wrap(bytes)));
  }

  private static ByteBuffer read(FileChannel channel, long from, int length) throws IOException {
    var bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    while (bytes.hasRemaining() && channel.read(bytes, from + bytes.position()) >= 0) {
      // Until all is read, or the file ends.
    }
    return bytes.rewind();
  }
}
