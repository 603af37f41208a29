package dev.sequitur.laboratory;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the pages name as {@code room/Type} is a file of that room. */
class NamedFilesTest {
  private static final Path TOP = Path.of("..");
  private static final Pattern NAMED = Pattern.compile("`((?:[a-z]\\w*/)+[A-Z]\\w*)`");

  @Test
  void whatThePagesNameByItsRoomIsThere() throws IOException {
    var files = files();
    var gone = new ArrayList<String>();
    int named = 0;
    for (var page : pages()) {
      var found = NAMED.matcher(Files.readString(page));
      while (found.find()) {
        named++;
        if (files.stream().noneMatch(file -> file.endsWith("/" + found.group(1) + ".java"))) {
          gone.add(page.getFileName() + ": " + found.group(1));
        }
      }
    }
    assertThat(gone).isEmpty();
    assertThat(named).as("names of that kind").isGreaterThan(50);
  }

  private static Iterable<Path> pages() throws IOException {
    try (Stream<Path> docs = Files.list(TOP.resolve("docs"))) {
      return Stream.concat(
              docs.filter(page -> page.toString().endsWith(".md")),
              Stream.of(TOP.resolve("README.md"), TOP.resolve("CONTRIBUTING.md")))
          .sorted()
          .toList();
    }
  }

  private static Set<String> files() throws IOException {
    var all = Set.<String>of();
    try (Stream<Path> modules = Files.list(TOP)) {
      for (var sources :
          modules.map(it -> it.resolve("src/main/java")).filter(Files::isDirectory).toList()) {
        try (Stream<Path> files = Files.walk(sources)) {
          all =
              Stream.concat(all.stream(), files.map(Path::toString))
                  .filter(file -> file.endsWith(".java"))
                  .collect(toSet());
        }
      }
    }
    return all;
  }
}
