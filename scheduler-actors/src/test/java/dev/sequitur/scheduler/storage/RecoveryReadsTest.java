package dev.sequitur.scheduler.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Partition;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.schedule.gaspriority.GasPriorityTerms;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.queue.QueueSetup;
import dev.sequitur.schedule.queue.ScheduleQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * What the recovery of a partition reads, counted by cells (SCH-28); {@link LoadedQueueTest} has
 * what it makes of them.
 */
class RecoveryReadsTest {
  private static final AccountId OPERATOR = new AccountId("operator");
  private static final int MANY = 2_000;
  private static final int OWNERS = 100;

  /** Of a schedule: itself and its hold. */
  private static final int OF_EACH = 2;

  /** Of an owner, and of the queue: its parts, and the commands that it remembers. */
  private static final int OF_THE_REST = 2 * OWNERS + 100;

  private final CheckpointedQueue queue =
      new CheckpointedQueue(
          new ScheduleQueue(QueueSetup.of(OPERATOR, new GasPriority(GasPrioritySettings.DEFAULT))));
  private int inserted;

  @Test
  void itReadsTwoCellsForEachScheduleOfItsOwnAndNothingOfWhatHasEnded() {
    var first = new Partition(0, 2);
    queue.tell(queue.command(OPERATOR, new Operation.Divide(first)));
    var owners =
        IntStream.range(0, 10 * OWNERS)
            .mapToObj(number -> new AccountId("owner-" + number))
            .filter(first::isHome)
            .limit(OWNERS)
            .toList();
    owners.forEach(
        owner ->
            queue.tell(queue.command(OPERATOR, new Operation.Fund(owner, new Amount(1_000_000)))));
    for (int i = 0; i < MANY; i++) {
      insert(owners.get(i % OWNERS));
    }
    queue.checkpoint();
    int full = queue.cells();
    assertThat(full).isBetween(MANY, OF_EACH * MANY + OF_THE_REST);
    assertThat(queue.state().entries().schedules()).hasSize(MANY);

    queue
        .state()
        .entries()
        .schedules()
        .values()
        .forEach(
            schedule ->
                queue.tell(
                    queue.command(
                        schedule.proposal().owner(), new Operation.Cancel(schedule.id()))));
    queue.checkpoint();

    assertThat(queue.state().entries().schedules()).isEmpty();
    assertThat(queue.cells() - queue.state().history().records().size())
        .isLessThanOrEqualTo(OF_THE_REST);
  }

  private void insert(AccountId owner) {
    var terms = new GasPriorityTerms(queue.nowMs + 1_000_000 + 100L * inserted++, 10, 1);
    queue.tell(
        queue.command(
            owner,
            new Operation.Propose(Proposal.of(owner, terms, new Target.Notify(Bytes.EMPTY)))));
  }
}
