package dev.sequitur.protocol.submitter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.attestation.MerklePath;
import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.BlockRange;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.settings.SequencerSettings;
import dev.sequitur.protocol.table.TransitionTable.IllegalTransition;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
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
  void aStepMovesIgnoresOrThrowsAsTheTableSays() {
    for (var row : SubmitterTable.DISPATCH.rows()) {
      var live = held().in(row.state(), Instant.EPOCH);
      var step =
          new SubmitterStep(
              SUBMITTER.setup(),
              SubmitterState.initial().put(live),
              Instant.EPOCH,
              SUBMITTER::evolve);
      switch (row.kind()) {
        case MOVE -> {
          assertThat(step.move(live, row.event(), ANSWER)).as("%s", row).isTrue();
          var left = step.get(0);
          assertThat(left == null ? null : left.state())
              .as("%s", row)
              .isEqualTo(row.next().isFinal() ? null : row.next());
        }
        case IGNORE -> {
          assertThat(step.move(live, row.event(), ANSWER)).as("%s", row).isFalse();
          assertThat(step.state().live().get(0L)).as("%s", row).isEqualTo(live);
        }
        case IMPOSSIBLE ->
            assertThatThrownBy(() -> step.move(live, row.event(), ANSWER))
                .as("%s", row)
                .isInstanceOf(IllegalTransition.class);
      }
    }
  }

  private static SubmitterState.Live held() {
    var intent = Contract.transaction(Contract.B, 1).key();
    var dispatch =
        new Dispatch(
            new RequestId("dispatch"),
            Contract.ADDRESS,
            Contract.B,
            new DelegationId(Contract.B, 1, 1),
            new BlockRange(0),
            new PreparedTransaction(
                intent, Contract.ADDRESS, List.of(), List.of(), List.of(), MerklePath.ALONE, List.of()),
            List.of());
    return SubmitterState.accepted(new SubmitterEvent.Numbered(0, dispatch), 1_000);
  }
}
