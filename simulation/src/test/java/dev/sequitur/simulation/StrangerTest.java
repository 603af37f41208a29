package dev.sequitur.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.endorser.EndorsementProof;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.SignedLedgerTransaction;
import dev.sequitur.protocol.transaction.PreparedTransaction;
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

  /** Out of a batch: another place, a leaf for an inner node, more leaves, all the other parts. */
  @Test
  void noProofThatIsMadeOfPartsOfOthersIsTaken() {
    var seen = new ArrayList<PreparedTransaction>();
    scenario.network.ledger().watch(sent -> seen.addAll(transitions(sent)));
    for (int i = 0; i < 24; i++) {
      scenario.mint(scenario.sender());
    }
    scenario.settle();
    var one = seen.stream().filter(each -> siblings(each) > 1).findFirst().orElseThrow();
    var other = seen.stream().filter(each -> !each.equals(one)).findFirst().orElseThrow();

    var forgeries = Stranger.ways(one, other).stream().filter(each -> !each.equals(one)).toList();

    assertThat(one).matches(this::isEndorsed);
    assertThat(forgeries).hasSizeGreaterThan(5).noneMatch(this::isEndorsed);
    assertThat(forgeries)
        .as("a leaf at the place of an inner node")
        .anyMatch(each -> siblings(each) == siblings(one) - 1);
    assertThat(forgeries)
        .as("more leaves than were signed")
        .anyMatch(each -> each.proof().path().size() == one.proof().path().size() + 1);
  }

  private static List<PreparedTransaction> transitions(SignedLedgerTransaction sent) {
    return sent.transaction().call() instanceof LedgerTransaction.Invoke(var transitions)
        ? transitions
        : List.of();
  }

  private static int siblings(PreparedTransaction prepared) {
    return prepared.proof().path().siblings().size();
  }

  private boolean isEndorsed(PreparedTransaction prepared) {
    var group = scenario.network.group(prepared.contract()).orElseThrow();
    return Tampering.NONE.isEndorsed(new EndorsementProof(group.endorsementPolicy(), prepared));
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
