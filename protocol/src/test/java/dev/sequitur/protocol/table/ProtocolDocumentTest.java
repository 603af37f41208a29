package dev.sequitur.protocol.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.ProtocolTables;
import dev.sequitur.protocol.fixture.Messages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The diagrams and tables in docs/protocol.md are those of the code. */
final class ProtocolDocumentTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "protocol.md");

  @Test
  void theDocumentShowsTheTablesAsTheyAre() throws IOException {
    String text = Files.readString(DOCUMENT);
    String current = text;
    for (var table : ProtocolTables.all()) {
      current = withTable(current, table);
    }
    if (Boolean.getBoolean("docs.write")) {
      Files.writeString(DOCUMENT, current);
      text = current;
    }

    assertThat(text)
        .as("docs/protocol.md is stale: run the tests of protocol with -Ddocs.write=true")
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

  @Test
  void eachMessageHasItsPlaceInTheTable() throws IOException {
    var text = Files.readString(DOCUMENT);
    var table = text.substring(text.indexOf("## Messages"), text.indexOf("## Sender"));
    var named =
        table
            .lines()
            .filter(line -> line.startsWith("| "))
            .map(line -> line.split(Pattern.quote("|"))[1].strip())
            .filter(cell -> !cell.equals("message"))
            .flatMap(cell -> Stream.of(cell.split(" → |, ")));

    assertThat(named)
        .containsExactlyInAnyOrderElementsOf(Messages.kinds().map(Class::getSimpleName).toList());
  }

  @Test
  void everyMachineOfTheProtocolIsInTheDocument() throws IOException {
    var headings =
        Map.of(
            "sender's transaction", "## Sender",
            "coordinated transaction", "## Coordinator",
            "contract", "### The contract as a whole",
            "dispatch", "## Submitter",
            "base-ledger transaction", "### The base-ledger transaction that carries dispatches",
            "public transaction",
                "### The public transaction that a base-ledger transaction carries",
            "delivery of messages", "## Messages between members",
            "execution", "## Execution of what a schedule runs");
    String text = Files.readString(DOCUMENT);

    assertThat(ProtocolTables.all())
        .allSatisfy(table -> assertThat(text).contains(headings.get(table.name())));
  }
}
