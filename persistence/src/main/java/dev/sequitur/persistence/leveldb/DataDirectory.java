package dev.sequitur.persistence.leveldb;

import static org.fusesource.leveldbjni.JniDBFactory.factory;

import dev.sequitur.persistence.directory.PrivateDirectory;
import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeySpace;
import dev.sequitur.persistence.serialization.DiskFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.iq80.leveldb.DB;
import org.iq80.leveldb.DBIterator;
import org.iq80.leveldb.Options;
import org.iq80.leveldb.WriteOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opening a directory: the lock, the torn end of the last write, the format, and a sentence for
 * whatever is wrong.
 *
 * <p>Private states lie in it as they are, so that only its owner may enter.
 *
 * <p>LevelDB is told to be paranoid. Otherwise it would drop a damaged part of its log without a
 * word, with acknowledged writes in it.
 */
record DataDirectory(Path path, DB db, LongSupplier freeDiskBytes) {
  private static final Logger LOG = LoggerFactory.getLogger(DataDirectory.class);
  private static final byte[] FORMAT_KEY = Key.in(KeySpace.STORE_FORMAT).unsafeBytes();

  static DataDirectory open(Path directory, LevelDbSettings settings) {
    return open(directory, settings, DiskFormat.OURS);
  }

  static DataDirectory open(Path directory, LevelDbSettings settings, DiskFormat format) {
    Path path = realPath(directory);
    DB db = openOrRepair(path, settings);
    try {
      checkFormat(path, db, format);
      // Not by its FileStore: that looks for the mount point, which a changed root does not show.
      return new DataDirectory(path, db, path.toFile()::getUsableSpace);
    } catch (IOException | RuntimeException e) {
      closeAfter(e, db);
      if (e instanceof LevelDbException known) {
        throw known;
      }
      throw isDamaged(e) ? damaged(path, e) : unusable(path, e);
    }
  }

  private static Path realPath(Path directory) {
    try {
      Path path = Files.createDirectories(directory).toRealPath();
      keepOthersOut(path);
      return path;
    } catch (IOException e) {
      throw unusable(directory, e);
    }
  }

  private static void keepOthersOut(Path path) throws IOException {
    var permissions = Files.getFileAttributeView(path, PosixFileAttributeView.class);
    if (permissions == null) {
      return;
    }
    try {
      permissions.setPermissions(PrivateDirectory.OWNER_ONLY);
    } catch (FileSystemException e) {
      // Another user's directory, lent to this process: who may enter is that user's choice.
      LOG.warn("Who may read the data directory {} can't be changed: {}", path, e.getReason());
    }
  }

  /**
   * Without this file LevelDB takes a directory for a new one, and removes what else is there.
   *
   * @throws LevelDbException if the rest of a LevelDB is there
   */
  private static void checkCurrent(Path path) throws IOException {
    if (Files.exists(path.resolve("CURRENT"))) {
      return;
    }
    try (Stream<Path> files = Files.list(path)) {
      Optional<String> left =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.matches("\\d+\\.(log|ldb|sst)|MANIFEST-\\d+"))
              .min(Comparator.naturalOrder());
      if (left.isPresent()) {
        throw new LevelDbException(
            ("The data directory %s is damaged: its file CURRENT is missing, but %s is there;"
                    + " restore the directory from a copy.")
                .formatted(path, left.get()));
      }
    }
  }

  /**
   * LevelDB would begin without a log that is gone, and say nothing of what was in it.
   *
   * @throws LevelDbException if a file is gone that the manifest names
   */
  private static void checkFiles(Path path) throws IOException {
    var missing = Manifest.missing(path);
    if (missing.isPresent()) {
      throw damaged(path, missing.get() + ", is missing or too short", null);
    }
  }

  private static DB openOrRepair(Path path, LevelDbSettings settings) {
    try {
      checkCurrent(path);
      checkFiles(path);
      return openNative(path, settings);
    } catch (LinkageError e) {
      throw new LevelDbException(
          "LevelDB's native library can't be loaded on %s %s (%s)."
              .formatted(System.getProperty("os.name"), System.getProperty("os.arch"), e),
          e);
    } catch (IOException e) {
      if (isLocked(e)) {
        throw inUse(path, e);
      }
      if (!isDamaged(e)) {
        throw unusable(path, e);
      }
      try {
        var refusal = TornEnd.cutOff(path);
        if (refusal.isPresent()) {
          throw damaged(path, refusal.get(), e);
        }
        return openNative(path, settings);
      } catch (UncheckedIOException unread) {
        throw unusable(path, unread.getCause());
      } catch (IOException second) {
        second.addSuppressed(e);
        throw isLocked(second) ? inUse(path, second) : damaged(path, second);
      }
    }
  }

  private static DB openNative(Path path, LevelDbSettings settings) throws IOException {
    return factory.open(
        path.toFile(),
        new Options()
            .createIfMissing(true)
            .paranoidChecks(true)
            .verifyChecksums(true)
            .writeBufferSize(settings.writeBufferBytes())
            .cacheSize(settings.cacheBytes()));
  }

  // LevelDB says what went wrong only in words.
  private static boolean isLocked(IOException e) {
    return String.valueOf(e.getMessage()).startsWith("IO error: lock ");
  }

  private static boolean isDamaged(Exception e) {
    return String.valueOf(e.getMessage()).contains("Corruption");
  }

  private static void checkFormat(Path path, DB db, DiskFormat format) throws IOException {
    byte[] found = db.get(FORMAT_KEY);
    if (found == null) {
      if (!isEmpty(db)) {
        throw new LevelDbException(
            "The data directory %s holds a LevelDB that is not Sequitur's: name another."
                .formatted(path));
      }
      write(format, db);
      return;
    }
    int number = ByteBuffer.wrap(found).getInt();
    var refusal = format.refusal("The data directory " + path, number);
    if (refusal.isPresent()) {
      throw new LevelDbException(refusal.get());
    }
    if (number < format.current()) {
      write(format, db);
    }
  }

  private static void write(DiskFormat format, DB db) {
    byte[] number = ByteBuffer.allocate(Integer.BYTES).putInt(format.current()).array();
    db.put(FORMAT_KEY, number, new WriteOptions().sync(true));
  }

  private static boolean isEmpty(DB db) throws IOException {
    try (DBIterator entries = db.iterator()) {
      entries.seekToFirst();
      return !entries.hasNext();
    }
  }

  private static void closeAfter(Exception reason, DB db) {
    try {
      db.close();
    } catch (IOException e) {
      reason.addSuppressed(e);
    }
  }

  private static LevelDbException inUse(Path path, Throwable cause) {
    String who =
        String.valueOf(cause.getMessage()).contains("held by process")
            ? "another node of this process uses it"
            : "another process uses it";
    return new LevelDbException(
        "The data directory %s can't be opened: %s.".formatted(path, who), cause);
  }

  private static LevelDbException damaged(Path path, Throwable cause) {
    return damaged(path, cause.getMessage(), cause);
  }

  private static LevelDbException damaged(Path path, String what, Throwable cause) {
    return new LevelDbException(
        ("The data directory %s is damaged in a place where acknowledged writes are (%s); sequitur"
                + " check-store says what is lost. Keep a copy of it as it is, and restore it from"
                + " a copy.")
            .formatted(path, what),
        cause);
  }

  private static LevelDbException unusable(Path path, Throwable cause) {
    return new LevelDbException(
        "The data directory %s can't be used (%s).".formatted(path, cause), cause);
  }
}
