package dev.sequitur.scheduler.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.schedule.queue.QueueEffect.Answer;
import dev.sequitur.schedule.queue.QueueEvent;
import dev.sequitur.schedule.queue.QueueSetup;
import dev.sequitur.schedule.queue.ScheduleQueue;
import dev.sequitur.scheduler.storage.QueueRecord.Answered;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a recovery makes of a checkpoint and the records since. */
class QueueMemoryTest {
  private static final AccountId BOB = new AccountId("bob");

  private final ScheduleQueue rules =
      new ScheduleQueue(
          QueueSetup.of(
              new AccountId("operator"),
              new GasPriority(new GasPrioritySettings(100, 100, 100, 100, 1, 10_240))));

  /** Record {@code number} gives Bob one, and answers a command. */
  private QueueMemory replayed(QueueMemory memory, int number, long dropped) {
    var posted =
        new QueueEvent.Posted(AccountId.OUTSIDE, BOB, new Amount(1), QueueEvent.Posted.Why.FUNDED);
    var id = "command " + number;
    var answer = new Answer(id, Optional.empty(), Optional.empty(), Optional.empty());
    return memory.replay(
        rules,
        new QueueRecord(
            number,
            List.of(new StoredEvent.Happened(posted)),
            List.of(new Answered(id, number, answer)),
            dropped));
  }

  private QueueMemory replayed(int records) {
    var memory = QueueMemory.EMPTY;
    for (int number = 1; number <= records; number++) {
      memory = replayed(memory, number, 0);
    }
    return memory;
  }

  @Test
  void eachRecordIsRepeatedOnceAlsoIfTheCheckpointHasIt() {
    var memory = replayed(3);

    for (int number = 1; number <= 3; number++) {
      assertThat(replayed(memory, number, 0)).isSameAs(memory);
    }
    assertThat(memory.number()).isEqualTo(3);
    assertThat(memory.queue().book().available(BOB)).isEqualTo(new Amount(3));
    assertThat(memory.commands().answer("command 2"))
        .get()
        .satisfies(remembered -> assertThat(remembered.digest()).isEqualTo(2));
    assertThat(memory.commands().next()).isEqualTo(4);
  }

  @Test
  void aGapIsALossAndNotReplayedOver() {
    assertThatExceptionOfType(StateLostException.class)
        .isThrownBy(() -> replayed(replayed(3), 5, 0))
        .withMessageStartingWith(
            "Its checkpoint ends at record 3 and its journal goes on with 5: what lies between was"
                + " deleted.");
    assertThatExceptionOfType(StateLostException.class)
        .isThrownBy(() -> replayed(QueueMemory.EMPTY, 2, 0))
        .withMessageContaining("record 0, so that there is none, and its journal goes on with 2");
  }

  @Test
  void whatTheStoreHasIsDroppedOldestFirstAndNothingIsDroppedTwice() {
    var memory = replayed(replayed(3), 4, 2);

    assertThat(memory.commands().answers()).containsOnlyKeys("command 3", "command 4");
    assertThat(memory.commands().byAge()).containsOnlyKeys(3L, 4L);
    assertThat(memory.commands().dropped()).isEqualTo(2);
    assertThat(memory.dropping(2)).isSameAs(memory);
    assertThat(memory.dropping(1)).as("it never goes back").isSameAs(memory);
    assertThat(memory.commands().dropping(2)).isSameAs(memory.commands());
    assertThat(memory.dropping(3).commands().answers()).containsOnlyKeys("command 4");
    assertThat(memory.dropping(9).commands().answers()).isEmpty();
  }

  @Test
  void thoseFromOneNumberToAnotherAreShownBothIncluded() {
    var shown = new ArrayList<String>();

    replayed(5).commands().visit(2, 4, (number, command) -> shown.add(number + " " + command));

    assertThat(shown).containsExactly("2 command 2", "3 command 3", "4 command 4");
  }
}
