package dev.sequitur.persistence.backup;

import dev.sequitur.persistence.directory.PrivateDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A directory that has the newest backup of one node, and as many of those before it as are kept.
 *
 * <table>
 * <caption>Its files</caption>
 * <tr><td>{@code manifest}</td><td>{@link BackupManifest what the backup is of}; as long as there is
 * none, no backup has been finished</td></tr>
 * <tr><td>{@code older}</td><td>manifests of the backups before, if more than the newest are kept,
 * numbered as they were set aside: a clock may be set back</td></tr>
 * <tr><td>{@code segments/ab/abcd…}</td><td>{@link Segment entries}, named by the SHA-256 of the
 * file</td></tr>
 * <tr><td>{@code *.unfinished}</td><td>what is being written, or was when the process ended</td></tr>
 * <tr><td>{@code lock}</td><td>held by who writes a backup</td></tr>
 * </table>
 *
 * <p>Each file is written under another name, and gets its own when it is on the disk; the manifest
 * comes last. So the backup before stays whole until the next one is, and what both have is there
 * once.
 */
public final class BackupDirectory {
  static final String UNFINISHED = ".unfinished";

  private static final int SPREAD = 2;

  private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");

  private final Path path;
  private final int keep;
  private final Path manifestFile;

  /** One that has the newest alone. */
  public BackupDirectory(Path path) {
    this(path, 1);
  }

  /**
   * @param keep so many backups, at least 1
   */
  public BackupDirectory(Path path, int keep) {
    this(path, keep, path.resolve("manifest"));
  }

  private BackupDirectory(Path path, int keep, Path manifestFile) {
    this.path = path;
    this.keep = keep;
    this.manifestFile = manifestFile;
  }

  /**
   * The same, of which a backup before the newest is read, whatever has become of the others.
   *
   * @param moment as {@link #moments} tells it
   * @throws BackupException with a sentence, if there is none of that moment
   */
  public BackupDirectory at(Instant moment) {
    try {
      return manifests().stream()
          .filter(file -> readable(file).filter(it -> isOf(moment, it)).isPresent())
          .findFirst()
          .map(file -> new BackupDirectory(path, keep, file))
          .orElseThrow(
              () ->
                  new BackupException(
                      "The directory %s has no backup of %s: it has those of %s."
                          .formatted(path, moment, moments())));
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  private static boolean isOf(Instant moment, BackupManifest manifest) {
    return manifest.source().moment().equals(moment);
  }

  /**
   * Of all backups that are here, the newest first; a damaged manifest is left out.
   *
   * @throws BackupException with a sentence, if they can't be read
   */
  public List<Instant> moments() {
    try {
      return manifests().stream()
          .flatMap(file -> readable(file).stream())
          .map(found -> found.source().moment())
          .distinct()
          .toList();
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  /** Of the segments that a backup here has. */
  Set<String> named() throws IOException {
    var named = new HashSet<String>();
    manifests().stream()
        .flatMap(file -> readable(file).stream())
        .flatMap(found -> found.parts().stream())
        .forEach(part -> named.add(part.name()));
    return named;
  }

  /** The newest first. */
  private List<Path> manifests() throws IOException {
    return Stream.concat(Stream.of(path.resolve("manifest")), olderFiles().stream()).toList();
  }

  /** The one that was set aside last comes first. */
  private List<Path> olderFiles() throws IOException {
    var older = path.resolve("older");
    return Files.isDirectory(older)
        ? in(older).stream()
            .filter(file -> !file.getFileName().toString().endsWith(UNFINISHED))
            .sorted(Comparator.comparingLong(BackupDirectory::number).reversed())
            .toList()
        : List.of();
  }

  /** 0 of a file that nobody here has named. */
  private static long number(Path file) {
    var name = file.getFileName().toString();
    return NUMBER.matcher(name).matches() ? Long.parseLong(name) : 0;
  }

  /** For who only reads, and makes do with the others. */
  private static Optional<BackupManifest> readable(Path file) {
    try {
      return decoded(Files.readAllBytes(file));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Empty if it is damaged. */
  private static Optional<BackupManifest> decoded(byte[] manifest) {
    try {
      return Optional.of(BackupManifest.decode(manifest));
    } catch (BackupException e) {
      return Optional.empty();
    }
  }

  /** Where it is. */
  public Path path() {
    return path;
  }

  Path segment(String name) {
    return path.resolve("segments").resolve(name.substring(0, SPREAD)).resolve(name);
  }

  /**
   * The newest backup's.
   *
   * @return empty if no backup has been finished here
   * @throws BackupException with a sentence, if it can't be read or is damaged
   */
  public Optional<BackupManifest> manifest() {
    try {
      return Optional.of(BackupManifest.decode(Files.readAllBytes(manifestFile)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  /**
   * The newest backup's, if there is one and it is not damaged.
   *
   * @throws IOException if it can't be read now
   */
  Optional<BackupManifest> undamaged() throws IOException {
    try {
      return decoded(Files.readAllBytes(manifestFile));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /** What only one may do at a time. */
  interface Work<T> {
    T done() throws IOException;
  }

  /**
   * Makes the directory if it is missing. Nobody but the user of this process may enter one that is
   * made here: private states lie in it as they are.
   *
   * @throws BackupException if another backup is being written here, or it can't be written
   */
  <T> T alone(Work<T> work) {
    try {
      PrivateDirectory.make(path);
      try (var file =
              FileChannel.open(
                  path.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          var lock = file.tryLock()) {
        if (lock == null) {
          throw inUse();
        }
        return work.done();
      } catch (OverlappingFileLockException e) {
        throw inUse();
      }
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  private BackupException inUse() {
    return new BackupException(
        "Another backup is being written to %s: wait until it has ended.".formatted(path));
  }

  private BackupException unusable(IOException e) {
    return new BackupException(
        "The backup directory %s can't be used (%s): look at its rights, and at the disk."
            .formatted(path, e),
        e);
  }

  /**
   * Stores a segment, unless it is there as it is to be.
   *
   * @return whether it was written
   */
  boolean put(String name, ByteBuffer content) throws IOException {
    var file = segment(name);
    if (Files.isRegularFile(file)
        && Files.size(file) == content.remaining()
        && ByteBuffer.wrap(Files.readAllBytes(file)).equals(content)) {
      return false;
    }
    Files.createDirectories(file.getParent());
    write(file, content);
    return true;
  }

  /** The backup is this one from now on; what those that are not kept had alone goes. */
  void finish(BackupManifest manifest) throws IOException {
    for (var directory : spread()) {
      force(directory);
    }
    if (!manifest.parts().isEmpty()) {
      force(path.resolve("segments"));
      force(path);
    }
    if (keep > 1) {
      keepAsOlder(manifest.source().moment());
    }
    write(manifestFile, ByteBuffer.wrap(manifest.encoded()));
    force(path);
    deleteOthers(manifest);
  }

  /**
   * What a damaged manifest names nobody can tell: no segment goes while it is here, which is until
   * so many have been finished since as are kept.
   *
   * @throws IOException with nothing deleted, if one that is to stay can't be read now
   */
  private void deleteOthers(BackupManifest newest) throws IOException {
    var names = new ArrayList<String>();
    newest.parts().forEach(part -> names.add(part.name()));
    var gone = new ArrayList<Path>();
    int left = keep - 1;
    boolean isAllTold = true;
    for (var file : olderFiles()) {
      if (left == 0) {
        gone.add(file);
        continue;
      }
      var found = decoded(Files.readAllBytes(file));
      if (found.isPresent()) {
        found.get().parts().forEach(part -> names.add(part.name()));
        left--;
      } else {
        isAllTold = false;
      }
    }
    for (var file : gone) {
      Files.delete(file);
    }
    if (isAllTold) {
      deleteBut(names);
    }
  }

  /** The one that is the newest until now, as it is: even if it is damaged. */
  private void keepAsOlder(Instant next) throws IOException {
    byte[] before;
    try {
      before = Files.readAllBytes(manifestFile);
    } catch (NoSuchFileException e) {
      return;
    }
    var older = olderFiles();
    var found = decoded(before);
    // A process may have ended after it had set this one aside.
    boolean isThere =
        found.isPresent() && !older.isEmpty() && readable(older.getFirst()).equals(found);
    if (isThere || found.filter(it -> isOf(next, it)).isPresent()) {
      return;
    }
    long number = older.isEmpty() ? 1 : number(older.getFirst()) + 1;
    var file = path.resolve("older").resolve(Long.toString(number));
    PrivateDirectory.make(file.getParent());
    write(file, ByteBuffer.wrap(before));
    force(file.getParent());
  }

  private void deleteBut(Collection<String> names) throws IOException {
    var kept = new HashSet<>(names);
    for (var file : segments()) {
      if (!kept.contains(file.getFileName().toString())) {
        Files.delete(file);
      }
    }
  }

  /** All that lies where segments do. */
  List<Path> segments() throws IOException {
    var all = new ArrayList<Path>();
    for (var directory : spread()) {
      all.addAll(in(directory));
    }
    return all;
  }

  private List<Path> spread() throws IOException {
    var segments = path.resolve("segments");
    return Files.isDirectory(segments) ? in(segments) : List.of();
  }

  private static List<Path> in(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    }
  }

  private static void write(Path file, ByteBuffer content) throws IOException {
    var unfinished = file.resolveSibling(file.getFileName() + UNFINISHED);
    try (var channel =
        FileChannel.open(
            unfinished,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      while (content.hasRemaining()) {
        channel.write(content);
      }
      channel.force(true);
    }
    try {
      Files.move(
          unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(unfinished, file, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** A new name is on the disk once its directory is. */
  private static void force(Path directory) throws IOException {
    try (var channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
