package dev.sequitur.persistence.backup;

import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.OrderedMap.Visitor;
import dev.sequitur.persistence.store.StoredKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What a backup's directory has, read whole and compared with what its manifest says. */
public final class BackupContent {
  private final BackupDirectory directory;
  private final BackupManifest manifest;

  private BackupContent(BackupDirectory directory, BackupManifest manifest) {
    this.directory = directory;
    this.manifest = manifest;
  }

  /**
   * @throws BackupException with a sentence, if no backup has been finished there, or its manifest
   *     is damaged: then those before it are named
   */
  public static BackupContent of(BackupDirectory directory) {
    if (!Files.isDirectory(directory.path())) {
      throw new BackupException(
          "There is no directory %s: name one that has a backup.".formatted(directory.path()));
    }
    try {
      return new BackupContent(
          directory,
          directory
              .manifest()
              .orElseThrow(
                  () ->
                      new BackupException(
                          "No backup has been finished in %s: it has no manifest, which is written last."
                              .formatted(directory.path()))));
    } catch (BackupException e) {
      var others = directory.moments();
      if (others.isEmpty()) {
        throw e;
      }
      throw new BackupException(
          "%s By --moment one of before can be had: %s."
              .formatted(
                  e.getMessage(),
                  others.stream().map(Instant::toString).collect(Collectors.joining(", "))),
          e);
    }
  }

  public BackupManifest manifest() {
    return manifest;
  }

  /** Of the other backups in the directory, the newest first. */
  public List<Instant> others() {
    return directory.moments().stream()
        .filter(moment -> !moment.equals(manifest.source().moment()))
        .toList();
  }

  /**
   * A segment that can't be restored.
   *
   * @param file below the directory
   * @param what is wrong with it, as a part of a sentence
   * @param was what may have been in it
   */
  public record Damage(String file, String what, Set<StoredKind> was) {}

  /**
   * What is there.
   *
   * @param damages empty if it can be restored
   * @param unnamed files that are of no use: of a backup that has not been finished
   */
  public record Checked(List<Damage> damages, int unnamed) {}

  /**
   * Reads all of it; blocks as long as that takes.
   *
   * @throws BackupException if the directory can't be read
   */
  public Checked check() {
    var damages = new ArrayList<Damage>();
    var parts = manifest.parts();
    for (int i = 0; i < parts.size(); i++) {
      try {
        var unused = content(i);
      } catch (DamagedException e) {
        damages.add(e.damage);
      }
    }
    return new Checked(damages, unnamed());
  }

  private int unnamed() {
    try {
      var named = directory.named();
      return (int)
          directory.segments().stream()
              .filter(file -> !named.contains(file.getFileName().toString()))
              .count();
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  /**
   * Visits all entries in the order of their keys.
   *
   * @throws BackupException at the first segment that is damaged
   */
  public void visit(Visitor visitor) {
    boolean more = true;
    for (int i = 0; more && i < manifest.parts().size(); i++) {
      try {
        more = Segment.visit(content(i), visitor);
      } catch (DamagedException e) {
        throw new BackupException(
            "The backup in %s is damaged: %s %s. Take another copy of it; sequitur restore --check says what is damaged."
                .formatted(directory.path(), e.damage.file(), e.damage.what()),
            e);
      }
    }
  }

  private static final class DamagedException extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient Damage damage;

    DamagedException(Damage damage) {
      this.damage = damage;
    }
  }

  private byte[] content(int i) throws DamagedException {
    var part = manifest.parts().get(i);
    var file = directory.segment(part.name());
    try {
      long size = Files.size(file);
      if (size != part.bytes()) {
        throw damaged(i, "has %d bytes, and not %d".formatted(size, part.bytes()));
      }
      var content = Files.readAllBytes(file);
      if (!Segment.digest(ByteBuffer.wrap(content)).equals(part.name())) {
        throw damaged(i, "has been changed: its SHA-256 is not its name");
      }
      return content;
    } catch (NoSuchFileException e) {
      throw damaged(i, "is missing");
    } catch (IOException e) {
      throw damaged(i, "can't be read (%s)".formatted(e.getMessage()));
    }
  }

  private DamagedException damaged(int i, String what) {
    var part = manifest.parts().get(i);
    var next =
        i + 1 < manifest.parts().size()
            ? Optional.of(manifest.parts().get(i + 1).first())
            : Optional.<Key>empty();
    return new DamagedException(
        new Damage(
            directory.path().relativize(directory.segment(part.name())).toString(),
            what,
            StoredKind.between(
                Optional.of(part.first()), next.or(() -> Optional.of(part.first())))));
  }

  private BackupException unreadable(IOException e) {
    return new BackupException(
        "The directory %s can't be read (%s).".formatted(directory.path(), e), e);
  }
}
