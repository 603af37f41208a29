package dev.sequitur.persistence.backup;

import dev.sequitur.persistence.backup.BackupManifest.Part;
import dev.sequitur.persistence.backup.BackupManifest.Source;
import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeyRange;
import dev.sequitur.persistence.map.KeySpace;
import dev.sequitur.persistence.map.StoredMoment;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * Writes a backup: reads all entries in order, cuts them into segments, and stores those that the
 * directory has not. In memory are one segment and, of each segment, what the manifest says of it.
 */
public final class Backup {
  private final StoredMoment moment;
  private final Source source;
  private final Pace pace;
  private final Consumer<Progress> progress;

  /**
   * How far it has come.
   *
   * @param bytes of all entries so far
   * @param written how many of them the directory did not have
   */
  public record Progress(long segments, long entries, long bytes, long written) {
    /** Nothing yet. */
    public static final Progress NONE = new Progress(0, 0, 0, 0);

    private Progress and(Part part, boolean isNew) {
      return new Progress(
          segments + 1,
          entries + part.entries(),
          bytes + part.bytes(),
          written + (isNew ? part.bytes() : 0));
    }
  }

  /**
   * @param moment stays its owner's to close
   * @param progress told after each segment, on the thread that writes
   */
  public Backup(StoredMoment moment, Source source, Pace pace, Consumer<Progress> progress) {
    this.moment = moment;
    this.source = source;
    this.pace = pace;
    this.progress = progress;
  }

  /**
   * Blocks until it is on the disk, whole. If it throws, the backup before is still there.
   *
   * @throws BackupException with a sentence, if the directory has another node's backup, is in use,
   *     or can't be written
   * @throws dev.sequitur.protocol.port.StoreException if the store can't be read
   */
  public BackupManifest writeTo(BackupDirectory directory) {
    return directory.alone(
        () -> {
          refuseOther(directory);
          var manifest = new BackupManifest(source, segments(directory));
          directory.finish(manifest);
          return manifest;
        });
  }

  /** A damaged manifest is replaced; one that can't be read now may be another node's. */
  private void refuseOther(BackupDirectory directory) throws IOException {
    var before = directory.undamaged().map(BackupManifest::source);
    if (before.isPresent()
        && !(before.get().node().equals(source.node())
            && before.get().keys().equals(source.keys()))) {
      throw new BackupException(
          "The directory %s has a backup of node %s with the keys %s: give each node a directory of its own."
              .formatted(directory.path(), before.get().node(), before.get().keys().toHex()));
    }
  }

  private List<Part> segments(BackupDirectory directory) throws IOException {
    var parts = new ArrayList<Part>();
    var sofar = Progress.NONE;
    var segment = new Segment();
    var all = KeySpace.ofNode();
    var next = Optional.of(all.from());
    while (next.isPresent()) {
      segment.clear();
      next = fill(segment, new KeyRange(next.get(), all.until()));
      if (!segment.isEmpty()) {
        var part = segment.part();
        boolean isNew = directory.put(part.name(), segment.content());
        parts.add(part);
        sofar = sofar.and(part, isNew);
        progress.accept(sofar);
        pace.after(part.bytes());
      }
    }
    return parts;
  }

  /**
   * @return where the next one begins
   */
  private Optional<Key> fill(Segment segment, KeyRange rest) {
    var next = new AtomicReference<Key>();
    moment.scan(
        rest,
        (key, value) -> {
          if (segment.takes(key, value)) {
            segment.add(key, value);
            return true;
          }
          next.set(key);
          return false;
        });
    return Optional.ofNullable(next.get());
  }
}
