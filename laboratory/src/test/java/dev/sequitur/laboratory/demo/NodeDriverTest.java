package dev.sequitur.laboratory.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.transaction.Receipt;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class NodeDriverTest {
  /** CNF-9: all that members send is told at every node, for as long as a run lasts. */
  @Test
  void whatOtherNodesHaveSentIsNotKept() {
    var node = new ScriptedNode(new NodeName("node1"), null);
    var work = new Driver.Work("none", index -> null, 0, null, Set.of());
    var driver = new NodeDriver(node.asSequencerNode(), work, new DriverTotals());
    for (int i = 0; i < 10; i++) {
      node.endOfOthers(confirmed());
    }

    for (int i = 0; i < 5; i++) {
      driver.step();
    }

    assertThat(driver.early()).isZero();
    node.end(confirmed());
    driver.step();
    driver.step();
    assertThat(driver.early()).as("an own one, that comes before its answer").isEqualTo(1);
  }

  private static Receipt confirmed() {
    return new Receipt(
        new TransactionId(UUID.randomUUID()),
        new ContractAddress("0x" + "11".repeat(20)),
        "token",
        true,
        Optional.empty(),
        Optional.empty(),
        Instant.EPOCH);
  }
}
