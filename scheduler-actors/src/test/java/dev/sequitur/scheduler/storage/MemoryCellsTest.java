package dev.sequitur.scheduler.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Conclusion;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.schedule.gaspriority.GasPriorityTerms;
import dev.sequitur.schedule.queue.QueueInput;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.queue.QueueSetup;
import dev.sequitur.schedule.queue.ScheduleQueue;
import dev.sequitur.schedule.recurring.Recurring;
import dev.sequitur.schedule.recurring.RecurringSettings;
import dev.sequitur.schedule.recurring.RecurringTerms;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A queue that takes checkpoints now and then, and one that is put together from them. */
class MemoryCellsTest {
  private static final int STEPS = 400;
  private static final AccountId OPERATOR = new AccountId("operator");

  private final CheckpointedQueue queue =
      new CheckpointedQueue(
          new ScheduleQueue(
              QueueSetup.of(
                  OPERATOR,
                  new GasPriority(new GasPrioritySettings(100, 3, 20, 3, 1, 1_000)),
                  new Recurring(RecurringSettings.DEFAULT))));

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void aQueueFromItsCheckpointAndTheRecordsSinceIsTheSameByteForByte(long seed) {
    var random = new Random(seed);
    for (int account = 0; account < 3; account++) {
      queue.tell(
          queue.command(OPERATOR, new Operation.Fund(account(account), new Amount(1_000_000))));
    }
    for (int step = 0; step < STEPS; step++) {
      queue.nowMs += random.nextInt(200);
      queue.tell(input(random));
      if (random.nextInt(25) == 0) {
        queue.checkpoint();
      }
      if (random.nextInt(40) == 0) {
        queue.loaded();
      }
    }
    queue.loaded();
    assertThat(queue.checkpointed()).as("checkpoints were taken").isPositive();
  }

  private QueueInput input(Random random) {
    int choice = random.nextInt(10);
    if (choice < 5) {
      return new QueueInput.CutBlock();
    } else if (choice == 5 && !queue.out.isEmpty()) {
      var key = queue.out.remove(random.nextInt(queue.out.size())).key();
      return random.nextBoolean()
          ? new QueueInput.Answered(key, new Conclusion.Succeeded(5))
          : new QueueInput.HandedOver(key, Samples.PRIVATE_TRANSACTION);
    } else if (choice == 6) {
      var owner = account(random.nextInt(3));
      var times = List.of(3_600_000L * (queue.nowMs / 3_600_000 + 1 + random.nextInt(3)));
      var terms = new RecurringTerms(Bytes.utf8("task" + random.nextInt(9)), times);
      var target = new Target.Transfer(account(random.nextInt(3)), new Amount(3));
      return queue.command(owner, new Operation.Propose(Proposal.of(owner, terms, target)));
    } else if (choice == 7 && !queue.state().entries().schedules().isEmpty()) {
      return queue.command(
          OPERATOR,
          new Operation.Cancel(
              queue.state().entries().schedules().entrySet().iterator().next().getKey()));
    }
    var owner = account(random.nextInt(3));
    var terms =
        new GasPriorityTerms(queue.nowMs + 100 + random.nextInt(900), 100, 1 + random.nextInt(9));
    var target = random.nextBoolean() ? Samples.call().target() : new Target.Notify(Bytes.EMPTY);
    return queue.command(owner, new Operation.Propose(Proposal.of(owner, terms, target)));
  }

  private static AccountId account(int number) {
    return new AccountId("account" + number);
  }
}
