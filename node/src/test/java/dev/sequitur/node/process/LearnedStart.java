package dev.sequitur.node.process;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a process that tests start finds loaded and linked already: an ahead-of-time cache of the
 * JDK, and the class path that it was learned with. A JVM whose class path begins with another one
 * starts without it.
 */
public final class LearnedStart {
  /** Older JDKs have no such cache. */
  private static final int CACHES = 25;

  private final Path cache;
  private final Path jars;

  private LearnedStart(Path folder) {
    this.cache = folder.resolve("cache.aot");
    this.jars = folder.resolve("jars");
  }

  /** Empty where Maven starts no tests of processes, or the JDK is older. */
  public static Optional<LearnedStart> ofBuild() {
    return Optional.ofNullable(System.getProperty("sequitur.start"))
        .filter(any -> Runtime.version().feature() >= CACHES)
        .map(folder -> new LearnedStart(Path.of(folder)));
  }

  boolean isThere() {
    return Files.exists(cache);
  }

  /** Whether it was learned after the last change of these jars. */
  public boolean isUpToDate() {
    return isThere()
        && ownJars().equals(read(jars))
        && entries(ownJars()).stream().allMatch(jar -> time(jar).compareTo(time(cache)) < 0);
  }

  /** Options of a JVM that starts with it. */
  List<String> options() {
    return List.of("-cp", classPath(), "-XX:AOTCache=" + cache);
  }

  /** What this module has besides stands behind what was learned, and folders last. */
  private String classPath() {
    var learned = entries(read(jars));
    var names = learned.stream().map(Path::getFileName).toList();
    var more =
        own()
            .filter(entry -> Files.isDirectory(entry) || !names.contains(entry.getFileName()))
            .sorted(Comparator.comparing(entry -> Files.isDirectory(entry)));
    return joined(Stream.concat(learned.stream(), more));
  }

  /** Options of a JVM from whose end it is kept, on the jars of this class path alone. */
  List<String> learning() {
    try {
      Files.deleteIfExists(cache);
      Files.writeString(jars, ownJars());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return List.of("-cp", ownJars(), "-XX:AOTCacheOutput=" + cache);
  }

  private static String ownJars() {
    return joined(own().filter(Files::isRegularFile));
  }

  private static Stream<Path> own() {
    return entries(System.getProperty("java.class.path")).stream();
  }

  private static List<Path> entries(String classPath) {
    return Stream.of(classPath.split(File.pathSeparator)).map(Path::of).toList();
  }

  private static String joined(Stream<Path> entries) {
    return entries.map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static FileTime time(Path file) {
    try {
      return Files.getLastModifiedTime(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
