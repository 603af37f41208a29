package dev.sequitur.protocol.submitter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.BlockRange;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.settings.SequencerSettings;
import dev.sequitur.protocol.submitter.SubmitterTable.CarrierState;
import dev.sequitur.protocol.submitter.SubmitterTable.SubmissionState;
import dev.sequitur.protocol.table.TransitionTable.IllegalTransition;
import dev.sequitur.protocol.table.TransitionTable.Row;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.Proof;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** A step does with a dispatch what the table says, on each event in each state. */
class SubmitterStepTest {
  private static final Submitter SUBMITTER =
      new Submitter(
          new SubmitterSetup(
              Contract.A,
              contract -> Optional.of(Contract.GROUP),
              SequencerSettings.DEFAULT,
              SubmitterSetup.Gas.DEFAULT));

  private static final SubmitterStep.Answer ANSWER =
      new SubmitterStep.Answer(
          Optional.of(new TransactionHash(Contract.hash("pooled"))), "", false);

  @Test
  void aStepMovesIgnoresOrThrowsAsTheTableOfDispatchesSays() {
    for (var row : SubmitterTable.DISPATCH.rows()) {
      var state = carried();
      var live = state.live().get(0L).in(row.state(), Instant.EPOCH);
      assertStep(
          row,
          state.put(live),
          step -> step.move(live, row.event(), ANSWER),
          after -> Optional.ofNullable(after.live().get(0L)).map(SubmitterState.Live::state),
          row.next().isFinal());
    }
  }

  @Test
  void soDoesItAsTheTableOfBaseLedgerTransactionsSays() {
    for (var row : SubmitterTable.LEDGER_TRANSACTION.rows()) {
      var carried = carried();
      var state = carried.put(carried.live().get(0L).in(SubmissionState.STORED, Instant.EPOCH));
      var carrier = state.carriers().get(0L).in(row.state(), Instant.EPOCH);
      assertStep(
          row,
          state.put(carrier),
          step -> step.move(carrier, row.event(), ANSWER),
          after -> Optional.ofNullable(after.carriers().get(0L)).map(SubmitterState.Carrier::state),
          row.next() == CarrierState.USED);
    }
  }

  private static void assertStep(
      Row<?, ?, ?> row,
      SubmitterState before,
      Predicate<SubmitterStep> move,
      Function<SubmitterState, Optional<?>> at,
      boolean isFinal) {
    var step = new SubmitterStep(SUBMITTER.setup(), before, Instant.EPOCH, SUBMITTER::evolve);
    switch (row.kind()) {
      case MOVE -> {
        assertThat(move.test(step)).as("%s", row).isTrue();
        assertThat(at.apply(step.state()))
            .as("%s", row)
            .isEqualTo(isFinal ? Optional.empty() : Optional.of(row.next()));
      }
      case IGNORE -> {
        assertThat(move.test(step)).as("%s", row).isFalse();
        assertThat(step.state()).as("%s", row).isEqualTo(before);
      }
      case IMPOSSIBLE ->
          assertThatThrownBy(() -> move.test(step))
              .as("%s", row)
              .isInstanceOf(IllegalTransition.class);
    }
  }

  private static SubmitterState carried() {
    var intent = Contract.transaction(Contract.B, 1).key();
    var dispatch =
        new Dispatch(
            new RequestId("dispatch"),
            Contract.ADDRESS,
            Contract.B,
            new DelegationId(Contract.B, 1, 1),
            new BlockRange(0),
            new PreparedTransaction(
                intent, Contract.ADDRESS, List.of(), List.of(), List.of(), Proof.NONE),
            List.of());
    return SubmitterState.initial()
        .holding(0, dispatch, false)
        .carrying(0, List.of(0L), Fees.flat(1_000));
  }
}
