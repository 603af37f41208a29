package dev.sequitur.protocol.sender;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.table.TransitionTable;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What callers are shown of the sender's table. */
class SenderTableTest {
  @Test
  void shownAreTheRowsThatMoveAndNoOthers() {
    var moving =
        SenderTable.TRANSACTION.rows().stream()
            .filter(row -> row.kind() == TransitionTable.Kind.MOVE)
            .count();

    assertThat(SenderTable.moves())
        .hasSize((int) moving)
        .contains(
            new SenderTable.Move(
                TransactionState.PENDING,
                TransactionEvent.DELEGATE,
                TransactionState.DELEGATING,
                "DelegationCommand"));
    assertThat(moving).isLessThan(SenderTable.TRANSACTION.rows().size());
  }

  @Test
  void aStateIsCalledAsPeopleWriteIt() {
    assertThat(TransactionState.PENDING.title()).isEqualTo("Pending");
  }

  /** Every life looks first at what is left of the ones before. */
  @Test
  void aLifeBeginsWithWhatIsPending() {
    var setup = new SenderSetup(Contract.A, Contract.GROUP, Contract.SELECTION, SenderOfA.SETTINGS);
    var sender = new Sender(setup);

    var first =
        sender.decide(
            SenderState.recovered(7), new SenderInput.Started(BlockHeight.ZERO, 0), Instant.EPOCH);

    assertThat(first.effects()).containsExactly(new SenderEffect.LoadPending(0));
    assertThat(first.state().epoch()).isEqualTo(8);
  }

  /** DLG-6: the records of this life may be older than those of the one before. */
  @Test
  void aLifeThatBeginsLaterHasALaterEpochWhateverItsRecordsSay() {
    var setup = new SenderSetup(Contract.A, Contract.GROUP, Contract.SELECTION, SenderOfA.SETTINGS);
    var sender = new Sender(setup);

    var first =
        sender.decide(
            SenderState.recovered(7),
            new SenderInput.Started(BlockHeight.ZERO, 1_000),
            Instant.EPOCH);
    var backwards =
        sender.decide(first.state(), new SenderInput.Started(BlockHeight.ZERO, 900), Instant.EPOCH);

    assertThat(first.state().epoch()).isEqualTo(1_000);
    assertThat(backwards.state().epoch()).as("after its clock was set back").isEqualTo(1_001);
  }
}
