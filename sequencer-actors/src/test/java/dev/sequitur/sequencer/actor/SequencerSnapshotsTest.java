package dev.sequitur.sequencer.actor;

import static org.assertj.core.api.Assertions.assertThat;

import akka.persistence.typed.SnapshotAdapter;
import dev.sequitur.fixture.Arbitrary;
import dev.sequitur.persistence.serialization.ProtocolFormat;
import dev.sequitur.protocol.distribution.StateStoreState;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.messaging.MessageBookEvent;
import dev.sequitur.protocol.messaging.MessageBookState;
import dev.sequitur.protocol.sender.Sender;
import dev.sequitur.protocol.sender.SenderEvent;
import dev.sequitur.protocol.sender.SenderState;
import dev.sequitur.protocol.submitter.SubmitterEvent;
import dev.sequitur.protocol.submitter.SubmitterState;
import dev.sequitur.protocol.transaction.Receipt.Happened;
import dev.sequitur.protocol.trie.HashTrie;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A snapshot holds all that must survive, through the bytes it is stored as. */
class SequencerSnapshotsTest {
  private static final ProtocolFormat FORMAT = new ProtocolFormat();

  private final Arbitrary arbitrary = new Arbitrary(7);

  @Test
  void aSenderIsWhatItWas() {
    var state = Sender.evolve(SenderState.initial(), new SenderEvent.EpochBegun(4));
    state = Sender.evolve(state, parked());
    state =
        Sender.evolve(
            state,
            new SenderEvent.AttemptFailed(
                arbitrary.next(TransactionId.class),
                2,
                Instant.ofEpochSecond(1_700_000_000),
                Optional.of(new Happened(Instant.ofEpochSecond(1_699_999_999), "No balance."))));

    assertThat(throughBytes(SequencerSnapshots.sender(), state)).isEqualTo(state);
  }

  @Test
  void aSenderThatParkedAtTheFirstTryIsWhatItWas() {
    var state = Sender.evolve(SenderState.initial(), parked());

    assertThat(throughBytes(SequencerSnapshots.sender(), state)).isEqualTo(state);
  }

  @Test
  void aSubmitterIsWhatItWas() {
    var state = SubmitterState.initial();
    for (long order = 3; order < 9; order++) {
      state = state.holding(order, arbitrary.next(Dispatch.class), order == 8);
    }
    state = state.carrying(4, List.of(3L, 5L), new Fees(1_004, 4));
    state = state.carrying(5, List.of(), new Fees(1_005, 5));
    state = state.carrying(6, List.of(6L), new Fees(1_006, 6));
    for (var owed : arbitrary.list(3, SubmitterEvent.Notifying.class)) {
      state = state.owing(owed);
    }
    state = state.expecting(8, 10, 12);

    assertThat(throughBytes(SequencerSnapshots.submitter(), state)).isEqualTo(state);
  }

  @Test
  void aStateStoreIsWhatItWasAndGivesStatesInTheSameOrder() {
    var state = StateStoreState.initial().at(new BlockHeight(5));
    for (var confirmed : arbitrary.list(20, StateId.class)) {
      state = state.confirm(confirmed);
    }
    for (var content : arbitrary.list(3, StateStoreState.Unconfirmed.class)) {
      state = state.hold(arbitrary.next(StateId.class), content);
    }
    for (var missing : arbitrary.list(3, StateId.class)) {
      state = state.await(missing);
    }
    for (var owed : arbitrary.list(3, StateStoreState.Owed.class)) {
      state = state.owe(owed);
    }

    assertThat(throughBytes(SequencerSnapshots.stateStore(), state)).isEqualTo(state);
  }

  @Test
  void aMessageBookKnowsHowFarEachReceiverIs() {
    var acknowledged = HashTrie.from(Map.of(new NodeName("a"), 7L, new NodeName("b"), 0L));
    var welcomed = new MessageBookEvent.Welcomed(new NodeName("c"), 3, 5);
    var state = MessageBookState.initial().withAcknowledged(acknowledged).welcoming(welcomed);

    assertThat(throughBytes(SequencerSnapshots.messageBook(), state)).isEqualTo(state);
  }

  private SenderEvent.Parked parked() {
    return new SenderEvent.Parked(
        arbitrary.next(TransactionId.class), Instant.ofEpochSecond(1_800_000_000), "waits");
  }

  private static <S> S throughBytes(SnapshotAdapter<S> adapter, S state) {
    var snapshot = adapter.toJournal(state);
    return adapter.fromJournal(FORMAT.decode(FORMAT.encode(snapshot), snapshot.getClass()));
  }
}
