package dev.sequitur.node.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Whoever is told of a key by an error or a log line must be able to set it. */
class NamedKeysTest {
  /** One after another, joined by a plus, they are one text. */
  private static final Pattern JOINED = Pattern.compile("\"\\s*\\+\\s*\"");

  private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\\\n]|\\\\.)*)\"");

  private static final Pattern KEY =
      Pattern.compile(
          "(?<![\\w.@/-])(?:node|cluster|postgresql|rpc|health|transport|ledger|sequencer|actors"
              + "|scheduler|trace|chaos|sequitur)(?:\\.[a-z][a-z0-9]*(?:-[a-z0-9]+)*)+(?![\\w(@/-])");

  @Test
  void everyKeyThatASentenceNamesCanBeSet() throws IOException {
    var known = List.of(Reference.NODE.defaults(), Reference.LEDGER.defaults());
    var unknown = new TreeMap<String, Path>();
    var sentences = new ArrayList<String>();
    for (var source : sources()) {
      for (var sentence : sentences(source)) {
        sentences.add(sentence);
        keys(sentence).filter(key -> !isKnown(key, known)).forEach(k -> unknown.put(k, source));
      }
    }
    assertThat(unknown).as("keys that no configuration file may have").isEmpty();
    assertThat(sentences)
        .as("the search works")
        .anyMatch(text -> text.contains("rpc.limits.connections"));
  }

  @Test
  void aKeyThatCannotBeSetIsFound() {
    var known = List.of(Reference.NODE.defaults());
    assertThat(keys("Set sequitur.persistence.level-db.min-free-disk to less."))
        .hasSize(1)
        .noneMatch(key -> isKnown(key, known));
    assertThat(keys("Set node.min-free-disk-bytes: or ledger.remote."))
        .hasSize(2)
        .allMatch(key -> isKnown(key, known));
  }

  private static boolean isKnown(String key, List<Config> references) {
    return references.stream().anyMatch(reference -> reference.hasPathOrNull(key));
  }

  private static Stream<String> keys(String sentence) {
    return KEY.matcher(sentence).results().map(match -> match.group());
  }

  /** Of all modules; a text without a blank is a path and no sentence. */
  private static List<String> sentences(Path source) throws IOException {
    var code =
        Files.readAllLines(source).stream()
            .filter(line -> !line.strip().startsWith("*") && !line.strip().startsWith("/"))
            .collect(Collectors.joining("\n"));
    return LITERAL
        .matcher(JOINED.matcher(code).replaceAll(""))
        .results()
        .map(match -> match.group(1))
        .filter(text -> text.contains(" "))
        .toList();
  }

  private static List<Path> sources() throws IOException {
    try (Stream<Path> modules = Files.list(Path.of(".."))) {
      return modules
          .map(module -> module.resolve("src/main/java"))
          .filter(Files::isDirectory)
          .flatMap(NamedKeysTest::javaFiles)
          .toList();
    }
  }

  private static Stream<Path> javaFiles(Path sources) {
    try (Stream<Path> files = Files.walk(sources)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
