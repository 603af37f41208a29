package dev.sequitur.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.ProtocolTables;
import dev.sequitur.protocol.table.TransitionTable;
import dev.sequitur.protocol.table.TransitionTable.Kind;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The simulation goes wherever the machines can go. */
final class TableCoverageTest {
  /** What these seeds bring about seldom or never: crossings that take several faults in a row. */
  private static final Set<String> SELDOM =
      Set.of(
          "sender's transaction: PREPARED_RECEIVED in PENDING",
          "sender's transaction: PREPARED_RECEIVED in PARKED",
          "sender's transaction: PREPARED_RECEIVED in ASSEMBLING",
          "sender's transaction: REVERT in PARKED",
          "sender's transaction: DISPATCHED in PARKED",
          "sender's transaction: CONFIRMED in PARKED",
          "sender's transaction: REVERT in DELEGATING",
          "sender's transaction: CONFIRMED in DELEGATING",
          "sender's transaction: REVERT in DELEGATED",
          "sender's transaction: CONFIRMED in DELEGATED",
          "sender's transaction: COORDINATOR_LOST in ASSEMBLING",
          "sender's transaction: DISPATCHED in ASSEMBLING",
          "sender's transaction: SUBMISSION_REVERTED in ASSEMBLING",
          "sender's transaction: CONFIRMED in ASSEMBLING",
          "sender's transaction: REVERT in PREPARED",
          "sender's transaction: SUBMISSION_REVERTED in PREPARED",
          "sender's transaction: REVERT in DISPATCHED",
          "sender's transaction: CONFIRMED in REVERTED",
          "coordinated transaction: CONFIRMED in QUEUED",
          "coordinated transaction: CONFIRMED in ATTESTATION",
          "coordinated transaction: CONFIRMED in CONFIRMATION",
          "coordinated transaction: CONFIRMED in ASSEMBLING",
          "coordinated transaction: REVERTED in DISTRIBUTED",
          // One request asks for many: few are lost. LeaveInBatchesTest walks it.
          "coordinated transaction: CONFIRMATION_TIMEOUT in CONFIRMATION",
          // It is given to its caller only when nothing that it depends on is left.
          "coordinated transaction: DEPENDENCY_LEFT in DISTRIBUTED",
          // Dispatches are loaded before anything is assembled, and seldom a second time.
          // CoordinatorWakingTest walks it.
          "coordinated transaction: ALREADY_DISPATCHED in QUEUED",
          "coordinated transaction: ALREADY_DISPATCHED in ASSEMBLING",
          "coordinated transaction: ALREADY_DISPATCHED in ATTESTATION",
          "coordinated transaction: ALREADY_DISPATCHED in CONFIRMATION",
          "coordinated transaction: ALREADY_DISPATCHED in DISPATCHED",
          "coordinated transaction: ALREADY_DISPATCHED in DISTRIBUTED",
          "contract: RANGE_LEFT in LOADING",
          // Two dispatches of one intent, both on the ledger.
          "dispatch: OVERTAKEN in ACCEPTED",
          "dispatch: OVERTAKEN in STORED",
          "dispatch: REVERTED in ACCEPTED",
          // The simulated pool refuses nothing for good that is alone: SubmitterTest walks these.
          "dispatch: INVALID in STORED",
          "dispatch: NONCE_TAKEN in ACCEPTED",
          "dispatch: NONCE_TAKEN in STORED",
          "base-ledger transaction: POOLED in POOLED",
          "base-ledger transaction: NOT_POOLED in POOLED",
          "base-ledger transaction: INVALID in POOLED",
          "base-ledger transaction: NOT_POOLED in FILLING",
          "base-ledger transaction: OVERDUE in FILLING",
          "base-ledger transaction: INVALID in FILLING",
          // The simulated pool loses little of what only uses a nonce: SubmittingTest walks it.
          "base-ledger transaction: LOST in FILLING",
          // Nobody pays for gas on the simulated ledger: SubmittingTest walks these.
          "base-ledger transaction: INVALID in UNFUNDED",
          "base-ledger transaction: NOT_POOLED in UNFUNDED",
          "base-ledger transaction: POOLED in UNFUNDED",
          "base-ledger transaction: UNFUNDED in FILLING",
          "base-ledger transaction: UNFUNDED in POOLED",
          "base-ledger transaction: UNFUNDED in READY",
          "base-ledger transaction: UNFUNDED in UNFUNDED",
          "base-ledger transaction: USED in UNFUNDED",
          // The simulated pool refuses little for good, and nobody else uses the keys:
          // PublicSubmittingTest walks these.
          "public transaction: INVALID in CARRIED",
          "public transaction: NONCE_TAKEN in CARRIED",
          "public transaction: NONCE_TAKEN in REFUSED",
          "public transaction: EXECUTED in REFUSED",
          // No scheduled call is refused, and its queue hears of it before it hears of its end:
          // RepeatedAttemptsTest walks these.
          "execution: START in DUE",
          "execution: RETRY in FAILED",
          "execution: SUCCEED in STARTED",
          "execution: FAIL in STARTED",
          "execution: FAIL in SUBMITTED",
          "execution: SETTLE in FAILED");

  @Test
  void everyRowThatMovesIsVisitedByRandomFaultsButForAFewRareOnes() {
    var before = visits();
    for (long seed = 1; seed <= 180; seed++) {
      new RandomRun(RunPlan.of(seed)).run();
    }
    var missed = new TreeSet<String>();
    visits()
        .forEach(
            (row, count) -> {
              if (count.equals(before.get(row))) {
                missed.add(row);
              }
            });

    assertThat(missed).isSubsetOf(SELDOM);
  }

  private static TreeMap<String, Integer> visits() {
    var visits = new TreeMap<String, Integer>();
    ProtocolTables.all().forEach(table -> addVisits(table, visits));
    return visits;
  }

  private static <S extends Enum<S>, E extends Enum<E>, A> void addVisits(
      TransitionTable<S, E, A> table, TreeMap<String, Integer> visits) {
    for (var row : table.rows()) {
      if (row.kind() == Kind.MOVE) {
        visits.put(
            table.name() + ": " + row.event() + " in " + row.state(),
            table.visits(row.state(), row.event()));
      }
    }
  }
}
