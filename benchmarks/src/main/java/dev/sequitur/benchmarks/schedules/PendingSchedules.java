package dev.sequitur.benchmarks.schedules;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.schedule.AccountId;
import dev.sequitur.protocol.schedule.Amount;
import dev.sequitur.protocol.schedule.Target;
import dev.sequitur.protocol.schedule.family.Proposal;
import dev.sequitur.protocol.schedule.gaspriority.GasPriority;
import dev.sequitur.protocol.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.protocol.schedule.gaspriority.GasPriorityTerms;
import dev.sequitur.protocol.schedule.queue.QueueInput.Command;
import dev.sequitur.protocol.schedule.queue.QueueInput.Operation;
import dev.sequitur.protocol.schedule.queue.QueueSetup;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.SchedulerNode;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * Gas-priority schedules that wait for the next day and more.
 *
 * @param count how many
 * @param body bytes of each
 */
record PendingSchedules(int count, int body) {
  private static final AccountId OPERATOR = new AccountId("operator");
  private static final AccountId OWNER = new AccountId("owner");
  private static final int BATCH = 1_000;

  static QueueSetup queues() {
    return QueueSetup.of(OPERATOR, new GasPriority(GasPrioritySettings.DEFAULT));
  }

  /** All are durable when it returns. */
  void store(SchedulerNode node, QueueName queue) {
    var money = new Operation.Fund(OWNER, new Amount(Long.MAX_VALUE / 4));
    submit(node, queue, List.of(new Command("fund", OPERATOR, money)));
    var due = Instant.now().plus(1, ChronoUnit.DAYS).toEpochMilli();
    var batch = new ArrayList<Command>(BATCH);
    for (int number = 0; number < count; number++) {
      var message = Bytes.of(ByteBuffer.allocate(body).putInt(0, number).array());
      var terms = new GasPriorityTerms(due + number, 100, 1 + number % 100);
      var propose = new Operation.Propose(Proposal.of(OWNER, terms, new Target.Notify(message)));
      batch.add(new Command("c" + number, OWNER, propose));
      if (batch.size() == BATCH || number + 1 == count) {
        submit(node, queue, List.copyOf(batch));
        batch.clear();
      }
    }
  }

  private static void submit(SchedulerNode node, QueueName queue, List<Command> commands) {
    var answers = node.submit(queue, commands).toCompletableFuture().join();
    if (answers.stream().anyMatch(answer -> answer.refusal().isPresent())) {
      throw new IllegalStateException("Refused: " + answers.get(0));
    }
  }
}
