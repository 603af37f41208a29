package dev.sequitur.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What somebody who is no member can do to a network on the base ledger (ATT-6). */
class StrangerTest {
  private final Scenario scenario = Scenario.of(4);

  @Test
  void aCopyCountsForItsOwnerAndAForgeryForNobody() {
    new Stranger(scenario.network, new SplittableRandom(7)).start();
    var sent = new ArrayList<TransactionId>();
    for (int i = 0; i < 20; i++) {
      for (var node : scenario.network.nodes()) {
        sent.add(i % 2 == 0 ? scenario.mint(node) : scenario.write(node, "hot"));
      }
      scenario.run(Duration.ofMillis(300));
    }

    scenario.settle();

    assertThat(sent).allMatch(scenario::isConfirmed);
    assertThat(ofTheStranger())
        .hasAtLeastOneElementOfType(LedgerReceipt.Fulfilled.class)
        .hasAtLeastOneElementOfType(LedgerReceipt.Reverted.class);
    assertThat(reasons())
        .contains(
            LedgerReceipt.RevertReason.ENDORSEMENT_INVALID,
            LedgerReceipt.RevertReason.INTENT_FULFILLED);
  }

  private List<LedgerReceipt.Result> ofTheStranger() {
    return LongStream.rangeClosed(1, scenario.head().value())
        .mapToObj(BlockHeight::new)
        .flatMap(height -> scenario.network.ledger().block(height.value()).receipts().stream())
        .filter(receipt -> receipt.signer().equals(Stranger.ADDRESS))
        .flatMap(receipt -> receipt.results().stream())
        .toList();
  }

  private List<LedgerReceipt.RevertReason> reasons() {
    return ofTheStranger().stream()
        .filter(LedgerReceipt.Reverted.class::isInstance)
        .map(result -> ((LedgerReceipt.Reverted) result).reason())
        .toList();
  }
}
