package dev.sequitur.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Many transitions in one base-ledger transaction (SUB-8), by all nodes together. */
class TransitionsTest {
  private static final int MANY = 24;

  private final Scenario scenario = Scenario.of(3);

  @Test
  void whatIsDispatchedTogetherGoesTogether() {
    var all = mintMany();

    scenario.settle();

    assertThat(all).allMatch(scenario::isConfirmed);
    assertThat(results()).hasSize(MANY);
    assertThat(largest()).isGreaterThan(1);
    scenario.nothingIsLeft();
  }

  @Test
  void halfOfThemRevertingOnTheLedgerAreTriedAgainAndTheOthersAreDone() {
    var doomed = new HashSet<TransactionId>();
    boolean[] next = {false};
    scenario
        .network
        .ledger()
        .doom(prepared -> (next[0] = !next[0]) && doomed.add(prepared.transaction()));
    var all = mintMany();

    scenario.settle();

    assertThat(all).allMatch(scenario::isConfirmed);
    assertThat(largest()).isGreaterThan(1);
    assertThat(doomed).isNotEmpty();
    assertThat(results()).hasSize(MANY + doomed.size());
    scenario.nothingIsLeft();
  }

  @Test
  void whatThePoolRefusesTogetherGoesOneByOne() {
    scenario.network.ledger().refuseBatches(() -> true);
    var all = mintMany();

    scenario.settle();

    assertThat(all).allMatch(scenario::isConfirmed);
    assertThat(scenario.network.counted("submitter ABANDONED")).isPositive();
    assertThat(largest()).isEqualTo(1);
    scenario.nothingIsLeft();
  }

  @Test
  void whatRevertsTogetherForWantOfGasGoesOneByOneAndNoSenderHasToTryAgain() {
    scenario.network.ledger().starve(() -> true);
    var all = mintMany();

    scenario.settle();

    assertThat(all).allMatch(scenario::isConfirmed);
    assertThat(largest()).isGreaterThan(1);
    assertThat(scenario.network.counted("submitter LEDGER_REVERT")).isZero();
    scenario.nothingIsLeft();
  }

  /** The points 1C and 2C of Failover, at each write of the submitter. */
  @Test
  void aCrashAtAnyWriteOfTheSubmitterLosesNothingAndFulfilsNothingTwice() {
    for (int write = 0; write < 8; write++) {
      crashAt(
          write,
          moment -> moment instanceof Moment.Committing at && at.machine().equals("submitter"));
      crashAt(
          write,
          moment -> moment instanceof Moment.Committed at && at.machine().equals("submitter"));
    }
  }

  private static void crashAt(int write, Predicate<Moment> at) {
    var again = new TransitionsTest();
    int[] left = {write};
    again
        .scenario
        .coordinator()
        .crashAt(moment -> at.test(moment) && left[0]-- == 0, Duration.ofMillis(500));
    var all = again.mintMany();

    again.scenario.settle();

    assertThat(all).allMatch(again.scenario::isConfirmed);
    again.scenario.nothingIsLeft();
  }

  private List<TransactionId> mintMany() {
    var all = new ArrayList<TransactionId>();
    for (int i = 0; i < MANY; i++) {
      all.add(scenario.mint(scenario.sender()));
    }
    return all;
  }

  private int largest() {
    return receipts().stream().mapToInt(each -> each.results().size()).max().orElse(0);
  }

  private List<LedgerReceipt.Result> results() {
    return receipts().stream()
        .flatMap(each -> each.results().stream())
        .filter(result -> !(result instanceof LedgerReceipt.NonceUsed))
        .toList();
  }

  private List<LedgerReceipt> receipts() {
    return LongStream.rangeClosed(1, scenario.network.ledger().head())
        .mapToObj(scenario.network.ledger()::block)
        .flatMap(block -> block.receipts().stream())
        .toList();
  }
}
