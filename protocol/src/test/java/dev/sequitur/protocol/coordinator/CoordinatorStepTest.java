package dev.sequitur.protocol.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.attestation.MerklePath;
import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.fixture.NoSignatures;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.settings.SequencerSettings;
import dev.sequitur.protocol.table.TransitionTable.IllegalTransition;
import dev.sequitur.protocol.table.TransitionTable.Kind;
import dev.sequitur.protocol.table.TransitionTable.Row;
import dev.sequitur.protocol.transaction.PostAssembly;
import dev.sequitur.protocol.transaction.Proof;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A step does what the tables say, on each event in each state. */
class CoordinatorStepTest {
  private static final CoordinatorSetup SETUP =
      new CoordinatorSetup(
          Contract.A,
          Contract.GROUP,
          Contract.SELECTION,
          SequencerSettings.DEFAULT,
          new NoSignatures());
  private static final CoordinatorState EMPTY = CoordinatorState.initial(1, BlockHeight.ZERO);

  private static final PostAssembly NOTHING =
      new PostAssembly(
          List.of(), List.of(), List.of(), List.of(), Bytes.EMPTY, List.of(), Proof.NONE);

  @Test
  void aStepMovesATransactionIgnoresOrThrowsAsTheTableSays() {
    for (var row : CoordinatorTables.TRANSACTION.rows()) {
      if (row.state() != CoordinatedState.GONE) {
        check(row);
      }
    }
  }

  private static void check(Row<CoordinatedState, CoordinatedEvent, ?> row) {
    var step = new CoordinatorStep(SETUP, EMPTY, Instant.EPOCH);
    var delegated =
        CoordinatedTransaction.queued(
            Contract.transaction(Contract.B, 1),
            new DelegationId(Contract.B, 1, 1),
            BlockHeight.ZERO,
            Instant.EPOCH);
    var proof = new Proof(MerklePath.ALONE, List.of());
    step.put(delegated.fullyEndorsed(proof).in(row.state(), Instant.EPOCH));
    step.become(step.state().withGraph(step.state().graph().add(delegated.key(), NOTHING, true)));
    var before = step.state();
    switch (row.kind()) {
      case MOVE -> {
        assertThat(step.move(delegated.key(), row.event())).as("%s", row).isTrue();
        var after = step.get(delegated.key());
        assertThat(after == null ? CoordinatedState.GONE : after.state())
            .as("%s", row)
            .isEqualTo(row.next());
      }
      case IGNORE -> {
        assertThat(step.move(delegated.key(), row.event())).as("%s", row).isFalse();
        assertThat(step.state()).as("%s", row).isEqualTo(before);
      }
      case IMPOSSIBLE ->
          assertThatThrownBy(() -> step.move(delegated.key(), row.event()))
              .as("%s", row)
              .isInstanceOf(IllegalTransition.class);
    }
  }

  @Test
  void aStepMovesTheContractOrThrowsAsTheTableSays() {
    for (var row : CoordinatorTables.CONTRACT.rows()) {
      var step = new CoordinatorStep(SETUP, EMPTY.withMode(row.state()), Instant.EPOCH);
      switch (row.kind()) {
        case MOVE, IGNORE -> {
          assertThat(step.move(row.event())).as("%s", row).isEqualTo(row.kind() == Kind.MOVE);
          assertThat(step.state().mode()).as("%s", row).isEqualTo(row.next());
        }
        case IMPOSSIBLE ->
            assertThatThrownBy(() -> step.move(row.event()))
                .as("%s", row)
                .isInstanceOf(IllegalTransition.class);
      }
    }
  }
}
