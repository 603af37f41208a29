package dev.sequitur.protocol.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.ProtocolTables;
import dev.sequitur.protocol.fixture.Messages;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The diagrams and tables of the sequencer in docs/protocol.md are those of the code. */
final class ProtocolDocumentTest {
  @Test
  void theDocumentShowsTheTablesAsTheyAre() throws IOException {
    DocumentedTables.areUpToDate(ProtocolTables.all());
  }

  @Test
  void eachMessageHasItsPlaceInTheTable() throws IOException {
    var text = Files.readString(DocumentedTables.PAGE);
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
        Map.ofEntries(
            Map.entry("sender's transaction", "## Sender"),
            Map.entry("coordinated transaction", "## Coordinator"),
            Map.entry("contract", "### The contract as a whole"),
            Map.entry("dispatch", "## Submitter"),
            Map.entry(
                "base-ledger transaction",
                "### The base-ledger transaction that carries dispatches"),
            Map.entry(
                "public transaction",
                "### The public transaction that a base-ledger transaction carries"),
            Map.entry("delivery of messages", "## Messages between members"),
            Map.entry("new group", "## A new group"),
            Map.entry("withdrawal of groups", "### A group that is never made"),
            Map.entry("change of a committee", "## A change of a committee"),
            Map.entry("subscription to a listener", "## Listeners"),
            Map.entry("delivery to a webhook", "## Listeners"),
            Map.entry("transfer for gas", "## Money for gas"),
            Map.entry("handover", "### Handing over what was accepted"));
    String text = Files.readString(DocumentedTables.PAGE);

    assertThat(ProtocolTables.all())
        .allSatisfy(table -> assertThat(text).contains(headings.get(table.name())));
  }
}
