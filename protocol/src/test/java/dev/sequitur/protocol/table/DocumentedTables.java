package dev.sequitur.protocol.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The diagrams and tables in docs/protocol.md, which are those of the code. */
public final class DocumentedTables {
  /** As seen from a module. */
  static final Path PAGE = Path.of("..", "docs", "protocol.md");

  private DocumentedTables() {}

  /** Asserts that the page shows the tables as they are, or with the flag writes them into it. */
  public static void areUpToDate(List<TransitionTable<?, ?, ?>> tables) throws IOException {
    String text = Files.readString(PAGE);
    String current = text;
    for (var table : tables) {
      current = withTable(current, table);
    }
    if (Boolean.getBoolean("docs.write")) {
      Files.writeString(PAGE, current);
      text = current;
    }

    assertThat(text)
        .as("docs/protocol.md is stale: run the tests of this module with -Ddocs.write=true")
        .isEqualTo(current);
  }

  private static String withTable(String text, TransitionTable<?, ?, ?> table) {
    String begin = "<!-- table: " + table.name() + " -->";
    String end = "<!-- end -->";
    int from = text.indexOf(begin);
    assertThat(from).as("docs/protocol.md has no '%s'", begin).isNotNegative();
    int to = text.indexOf(end, from);
    assertThat(to).as("docs/protocol.md has no end for '%s'", begin).isNotNegative();
    String generated =
        "\n```mermaid\n"
            + TableText.mermaid(table)
            + "```\n\n<details><summary>Every event in every state</summary>\n\n"
            + TableText.markdown(table)
            + "\n</details>\n\n";
    return text.substring(0, from + begin.length()) + generated + text.substring(to);
  }
}
