package dev.sequitur.node.configuration;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigIncludeContext;
import com.typesafe.config.ConfigIncluder;
import com.typesafe.config.ConfigIncluderFile;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigParseOptions;
import dev.sequitur.links.file.FileStamps;
import java.io.File;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Notes which files one configuration is read from while it is read: the first one, and what it and
 * those that it includes name by {@code include "name"} or {@code include file("name")}. What is
 * included by an address or from the program itself is not noted. Confined to the thread that
 * reads.
 */
final class FilesRead {
  private static final List<String> ENDINGS = List.of(".conf", ".json", ".properties");

  private FileStamps stamps;

  /**
   * @param first absolute
   */
  FilesRead(Path first) {
    this.stamps = FileStamps.of(first);
  }

  /** Of all that were noted, as they were before they were read. */
  FileStamps stamps() {
    return stamps;
  }

  ConfigParseOptions noting(ConfigParseOptions options) {
    return options.setIncluder(
        new Noting(
            (context, name) -> {
              throw new IllegalStateException("Nobody reads what is included: " + name);
            }));
  }

  /**
   * A name alone begins where the file lies that includes it. Which one that is is not told, and it
   * is one of those that are noted: so each place is noted where it may mean something.
   */
  private void note(String name) {
    var places =
        stamps.files().stream()
            .map(Path::getParent)
            .filter(Objects::nonNull)
            .collect(Collectors.toSet());
    stamps = stamps.with(files(places, name));
  }

  private static List<Path> files(Set<Path> places, String name) {
    var files = new ArrayList<Path>();
    for (var spelling : spellings(name)) {
      try {
        places.forEach(place -> files.add(place.resolve(spelling)));
      } catch (InvalidPathException e) {
        // It is no file's name: who reads it says so.
      }
    }
    return files;
  }

  /** A file may be named without its ending. */
  private static List<String> spellings(String name) {
    return ENDINGS.stream().anyMatch(name::endsWith)
        ? List.of(name)
        : ENDINGS.stream().map(name::concat).toList();
  }

  /** Asked of each {@code include} before what it names is read. */
  private final class Noting implements ConfigIncluder, ConfigIncluderFile {
    private final Reading next;

    private Noting(Reading next) {
      this.next = next;
    }

    /** The library's own reads; it names itself again for each file that is included. */
    @Override
    public ConfigIncluder withFallback(ConfigIncluder library) {
      return new Noting(library::include);
    }

    @Override
    public ConfigObject include(ConfigIncludeContext context, String name) {
      note(name);
      return next.include(context, name);
    }

    @Override
    public ConfigObject includeFile(ConfigIncludeContext context, File file) {
      note(file.getAbsolutePath());
      return ConfigFactory.parseFileAnySyntax(file, context.parseOptions()).root();
    }
  }

  /** Reads what is included. */
  private interface Reading {
    ConfigObject include(ConfigIncludeContext context, String name);
  }
}
