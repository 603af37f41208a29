package dev.sequitur.links.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How files were at one moment: their times, their sizes, and which files they were. Two of the
 * same files are equal if none was written, replaced, made or deleted in between. Their content is
 * not read.
 *
 * @param stamps by file; of one that was not there, too
 */
public record FileStamps(Map<Path, String> stamps) {
  private static final String ABSENT = "absent";

  public FileStamps {
    stamps = Map.copyOf(stamps);
  }

  /** Of one file as it is now. */
  public static FileStamps of(Path file) {
    return of(List.of(file));
  }

  /** Of files as they are now. */
  public static FileStamps of(Collection<Path> files) {
    return new FileStamps(Map.of()).with(files);
  }

  /** Those of which this tells, also if they were not there. */
  public Set<Path> files() {
    return stamps.keySet();
  }

  /** Of the same files as they are now. */
  public FileStamps now() {
    return of(files());
  }

  /** With more files as they are now; those that are here already stay as they were. */
  public FileStamps with(Collection<Path> files) {
    var more = new HashMap<>(stamps);
    files.forEach(file -> more.computeIfAbsent(file, FileStamps::stamp));
    return new FileStamps(more);
  }

  private static String stamp(Path file) {
    try {
      var attributes = Files.readAttributes(file, BasicFileAttributes.class);
      return attributes.lastModifiedTime() + " " + attributes.size() + " " + attributes.fileKey();
    } catch (IOException e) {
      return ABSENT;
    }
  }
}
