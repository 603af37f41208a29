package dev.sequitur.persistence.journal;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cuts the torn last record off LevelDB's newest log and its manifest.
 *
 * <p>A power cut in the middle of a write leaves a record half on the disk, and a paranoid LevelDB
 * then refuses to open. With one writer and an fsync per record only the last record can be torn,
 * and its fsync had not returned, so nobody was told that it is stored. So: damage after which no
 * other record begins is torn and may go; damage before a whole record is real, and stays for a
 * person to see. What is cut off is kept beside the file, with the ending {@code .torn}.
 *
 * <p>The format is LevelDB's: blocks of 32 KiB, in them fragments of (masked CRC-32C, four bytes;
 * length, two; type, one; data), little-endian; a record is one FULL fragment, or FIRST, MIDDLEs
 * and LAST. LevelDB maps its files into memory and lengthens them with zeros in advance.
 */
final class TornEnd {
  private static final Logger LOG = LoggerFactory.getLogger(TornEnd.class);
  private static final int BLOCK = 32 * 1024;
  private static final int HEADER = 7;
  private static final byte FULL = 1;
  private static final byte FIRST = 2;
  private static final byte LAST = 4;
  private static final int CRC_MASK_DELTA = 0xa282ead8;

  private final ByteBuffer log;

  private TornEnd(byte[] log) {
    this.log = ByteBuffer.wrap(log).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Repairs what can be; does nothing if another process holds the directory. */
  static void cutOff(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory.resolve("LOCK"), CREATE, WRITE);
        FileLock lock = channel.tryLock()) {
      if (lock == null) {
        return;
      }
      for (Path file : filesToCheck(directory)) {
        cutOffFile(file);
      }
    }
  }

  private static List<Path> filesToCheck(Path directory) throws IOException {
    List<Path> files = new ArrayList<>();
    String manifest = Files.readString(directory.resolve("CURRENT"), US_ASCII).strip();
    files.add(directory.resolve(manifest));
    try (Stream<Path> all = Files.list(directory)) {
      all.filter(file -> file.getFileName().toString().matches("\\d+\\.log"))
          .max(Comparator.comparingLong(TornEnd::number))
          .ifPresent(files::add);
    }
    return files;
  }

  private static long number(Path log) {
    return Long.parseLong(log.getFileName().toString().replace(".log", ""));
  }

  private static void cutOffFile(Path file) throws IOException {
    byte[] content = Files.readAllBytes(file);
    OptionalInt torn = in(content);
    if (torn.isEmpty()) {
      return;
    }
    int from = torn.getAsInt();
    Files.write(
        file.resolveSibling(file.getFileName() + ".torn"),
        Arrays.copyOfRange(content, from, content.length));
    try (FileChannel channel = FileChannel.open(file, WRITE)) {
      channel.truncate(from).force(true);
    }
    LOG.warn(
        "The last write to {} was interrupted before it was acknowledged; cut off at byte {}",
        file,
        from);
  }

  /** Where the torn record of a log begins; empty if none is torn or the damage is real. */
  static OptionalInt in(byte[] log) {
    return new TornEnd(log).find();
  }

  private OptionalInt find() {
    int position = 0;
    OptionalInt open = OptionalInt.empty(); // where the record began whose end is still to come
    while (position < log.capacity()) {
      int leftInBlock = BLOCK - position % BLOCK;
      if (leftInBlock < HEADER) {
        position += leftInBlock;
        continue;
      }
      if (onlyZerosFrom(position)) {
        return open;
      }
      if (!isFragment(position)) {
        int torn = open.orElse(position);
        return recordBeginsAfter(position) ? OptionalInt.empty() : OptionalInt.of(torn);
      }
      byte type = type(position);
      boolean begins = type == FULL || type == FIRST;
      if (begins == open.isPresent()) {
        return OptionalInt.empty();
      }
      if (type == FIRST) {
        open = OptionalInt.of(position);
      } else if (type == LAST) {
        open = OptionalInt.empty();
      }
      position += HEADER + length(position);
    }
    return open;
  }

  private boolean onlyZerosFrom(int position) {
    for (int i = position; i < log.capacity(); i++) {
      if (log.get(i) != 0) {
        return false;
      }
    }
    return true;
  }

  private boolean recordBeginsAfter(int position) {
    for (int i = position + 1; i <= log.capacity() - HEADER; i++) {
      if ((type(i) == FULL || type(i) == FIRST) && isFragment(i)) {
        return true;
      }
    }
    return false;
  }

  private boolean isFragment(int position) {
    int blockEnd = position - position % BLOCK + BLOCK;
    int limit = Math.min(blockEnd, log.capacity());
    if (position + HEADER > limit
        || position + HEADER + length(position) > limit
        || type(position) < FULL
        || type(position) > LAST) {
      return false;
    }
    CRC32C crc = new CRC32C();
    crc.update(log.array(), position + 6, 1 + length(position));
    return log.getInt(position) == mask((int) crc.getValue());
  }

  private byte type(int position) {
    return log.get(position + 6);
  }

  private int length(int position) {
    return Short.toUnsignedInt(log.getShort(position + 4));
  }

  private static int mask(int crc) {
    return Integer.rotateRight(crc, 15) + CRC_MASK_DELTA;
  }
}
