package dev.sequitur.node.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/configuration.md is the reference files in another form; this writes it anew on demand. */
class ConfigurationPageTest {
  private static final Path PAGE = Path.of("..", "docs", "configuration.md");
  private static final Path READERS =
      Path.of("src", "main", "java", "dev", "sequitur", "node", "configuration");
  private static final String HEAD =
      """
      # Configuration

      Generated from the reference files by `ConfigurationPageTest`; to write it anew, run
      `mvn -pl node -am test -Dtest=ConfigurationPageTest -Dbuild.docs.write=true -Dsurefire.failIfNoSpecifiedTests=false`.

      One file in [HOCON](https://github.com/lightbend/config/blob/main/HOCON.md) for each process: JSON with comments and `a.b = c`.
      It names only what differs from the defaults. Times are written `500ms`, `2s`, `5m`; `${?NAME}` takes the value of an environment
      variable; relative paths start at the directory of the file. An unknown key or a value that cannot be used stops the start with a
      sentence. [examples/two-nodes](../examples/two-nodes) has two nodes and a ledger that work together.
      """;

  @Test
  void thePageSaysWhatTheReferenceFilesSay() throws IOException {
    var expected =
        HEAD
            + section("A node: `sequitur start --config FILE`", Reference.NODE.defaults())
            + section("A ledger: `sequitur ledger --config FILE`", Reference.LEDGER.defaults());
    if (Boolean.getBoolean("build.docs.write")) {
      Files.writeString(PAGE, expected);
    }

    assertThat(Files.readString(PAGE)).isEqualTo(expected);
  }

  @Test
  void everyKeyIsExplained() {
    assertThat(section("", Reference.NODE.defaults()) + section("", Reference.LEDGER.defaults()))
        .doesNotContain("|  |");
  }

  /** By its last word, in the classes that read configurations. */
  @Test
  void eachKeyIsRead() throws IOException {
    var sources = new StringBuilder();
    try (var files = Files.list(READERS)) {
      for (var file : files.filter(it -> it.toString().endsWith(".java")).toList()) {
        sources.append(Files.readString(file));
      }
    }
    var unread =
        Stream.of(Reference.NODE, Reference.LEDGER)
            .flatMap(reference -> reference.defaults().entrySet().stream())
            .map(Map.Entry::getKey)
            .filter(key -> !key.startsWith("callers.roles."))
            .filter(key -> !Pattern.compile(wordRead(key)).matcher(sources).find())
            .toList();

    assertThat(unread).as("keys of the reference files that no class here reads").isEmpty();
  }

  /**
   * As {@code "a.b.key"}, {@code "key"} or, of a secret that may stand in a file, its beginning.
   */
  private static String wordRead(String key) {
    var word = key.substring(key.lastIndexOf('.') + 1).replaceFirst("-file$", "");
    return "[\".]" + Pattern.quote(word) + "(-file)?\"";
  }

  private static String section(String title, Config defaults) {
    return "\n## "
        + title
        + "\n\n| key | default | meaning |\n|---|---|---|\n"
        + rows(defaults.root(), "", "");
  }

  private static String rows(ConfigObject section, String prefix, String meaningOfSection) {
    return section.entrySet().stream()
        .sorted(
            Comparator.<Map.Entry<String, ConfigValue>>comparingInt(
                    entry -> entry.getValue().origin().lineNumber())
                .thenComparing(Map.Entry::getKey))
        .map(entry -> row(prefix + entry.getKey(), entry.getValue(), meaningOfSection))
        .collect(Collectors.joining());
  }

  /** A key without a comment of its own is explained by that of its section. */
  private static String row(String path, ConfigValue value, String meaningOfSection) {
    var comments =
        value.origin().comments().stream().map(String::strip).collect(Collectors.joining(" "));
    var meaning = comments.isEmpty() ? meaningOfSection : comments;
    if (value instanceof ConfigObject section && !section.isEmpty()) {
      return rows(section, path + ".", meaning);
    }
    var shown =
        switch (value.valueType()) {
          case NULL -> "(required)";
          case STRING -> "`" + value.unwrapped() + "`";
          default -> "`" + value.render(ConfigRenderOptions.concise()) + "`";
        };
    return "| `" + path + "` | " + shown + " | " + meaning.replace("|", "\\|") + " |\n";
  }
}
