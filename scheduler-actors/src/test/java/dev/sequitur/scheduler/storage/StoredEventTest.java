package dev.sequitur.scheduler.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.OccurrenceKey;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.schedule.gaspriority.GasPriorityTerms;
import dev.sequitur.schedule.queue.QueueEvent.Started;
import dev.sequitur.schedule.queue.QueueInput;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.queue.QueueSetup;
import dev.sequitur.schedule.queue.QueueState;
import dev.sequitur.schedule.queue.ScheduleQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the journal has of an event, and what a recovery makes of that. */
class StoredEventTest {
  private static final AccountId OPERATOR = new AccountId("operator");

  private QueueState state;
  private Started started;

  @BeforeEach
  void start() {
    var queue =
        new CheckpointedQueue(
            new ScheduleQueue(
                QueueSetup.of(
                    OPERATOR, new GasPriority(new GasPrioritySettings(100, 3, 20, 3, 1, 1_000)))));
    queue.tell(queue.command(OPERATOR, new Operation.Fund(Samples.ALICE, new Amount(1_000_000))));
    var terms = new GasPriorityTerms(queue.nowMs + 100, 300, 5);
    var call = Proposal.of(Samples.ALICE, terms, Samples.call().target());
    queue.tell(queue.command(Samples.ALICE, new Operation.Propose(call)));
    queue.nowMs += 100;
    queue.tell(new QueueInput.CutBlock());
    state = queue.state();
    started =
        queue.events.stream()
            .filter(Started.class::isInstance)
            .map(Started.class::cast)
            .findFirst()
            .orElseThrow();
  }

  @Test
  void whatIsHandedOverAsItWasProposedIsNotStoredAgain() {
    var stored = StoredEvent.of(state, started);

    assertThat(stored).isEqualTo(new StoredEvent.StartedAsProposed(started.key(), started.price()));
    assertThat(stored.in(state)).isEqualTo(started);
  }

  @Test
  void whateverElseStartsIsStoredWhole() {
    var key = started.key();
    var next = new OccurrenceKey(key.schedule(), key.incarnation() + 1, 0, 1);
    var other = new Started(key, new Target.Notify(Bytes.EMPTY), started.price());
    var ofAnother = new Started(next, started.request(), started.price());

    assertThat(StoredEvent.of(state, other)).isEqualTo(new StoredEvent.Happened(other));
    assertThat(StoredEvent.of(state, ofAnother)).isEqualTo(new StoredEvent.Happened(ofAnother));
    assertThat(StoredEvent.of(QueueState.initial(), started))
        .isEqualTo(new StoredEvent.Happened(started));
    assertThat(new StoredEvent.Happened(other).in(state)).isEqualTo(other);
  }

  @Test
  void nothingStartsThatWasNeverAdmitted() {
    var stored = StoredEvent.of(state, started);

    assertThatIllegalStateException().isThrownBy(() -> stored.in(QueueState.initial()));
  }
}
