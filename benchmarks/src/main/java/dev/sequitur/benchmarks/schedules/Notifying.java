package dev.sequitur.benchmarks.schedules;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.schedule.gaspriority.GasPriorityTerms;
import dev.sequitur.schedule.queue.QueueEffect.Notice;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.queue.QueueSetup;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.SchedulerNode;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/** Gas-priority schedules that notify inside their queue: what most loads here consist of. */
final class Notifying {
  static final QueueName QUEUE = new QueueName("benchmark");
  static final AccountId OPERATOR = new AccountId("operator");
  static final AccountId OWNER = new AccountId("owner");
  private static final int BATCH = 1_000;
  private static final long PATIENCE_SECONDS = 60;

  private Notifying() {}

  /** A queue of these alone. */
  static QueueSetup queues(GasPrioritySettings settings) {
    return QueueSetup.of(OPERATOR, new GasPriority(settings));
  }

  /** Gives so many owners what they need. */
  static void fund(SchedulerNode node, QueueName queue, List<AccountId> owners) {
    store(
        node,
        queue,
        owners.size(),
        number -> {
          var money = new Amount(Long.MAX_VALUE / 4 / owners.size());
          var fund = new Operation.Fund(owners.get(number), money);
          return new Command("fund" + number, OPERATOR, fund);
        });
  }

  /**
   * One schedule.
   *
   * @param number by which its run is told
   * @param body bytes of its message
   */
  static Command propose(AccountId owner, long dueMillis, int number, int body) {
    var message = Bytes.of(ByteBuffer.allocate(body).putInt(0, number).array());
    var terms = new GasPriorityTerms(dueMillis, 100, 1 + number % 100);
    var propose = new Operation.Propose(Proposal.of(owner, terms, new Target.Notify(message)));
    return new Command(dueMillis + "-" + number, owner, propose);
  }

  /** So many commands, by number; durable when it returns. */
  static void store(SchedulerNode node, QueueName queue, int count, IntFunction<Command> made) {
    var batch = new ArrayList<Command>(BATCH);
    for (int number = 0; number < count; number++) {
      batch.add(made.apply(number));
      if (batch.size() == BATCH || number + 1 == count) {
        for (var answer : await(node.submit(queue, List.copyOf(batch)))) {
          answer
              .refusal()
              .ifPresent(
                  refusal -> {
                    throw new IllegalStateException("Refused: " + refusal);
                  });
        }
        batch.clear();
      }
    }
  }

  /** Schedules that wait for the next day and more; durable when it returns. */
  static void fill(SchedulerNode node, QueueName queue, int count, int body) {
    fund(node, queue, List.of(OWNER));
    long due = Instant.now().plus(1, ChronoUnit.DAYS).toEpochMilli();
    store(node, queue, count, number -> propose(OWNER, due + number, number, body));
  }

  /** From now on each run is told to {@link Runs}, when its outcome is stored. */
  static void count(SchedulerNode node) {
    node.subscribe(
        QUEUE,
        (queue, notices) ->
            notices.forEach(
                told -> {
                  if (told.notice() instanceof Notice.Notified notified) {
                    Runs.ran(ByteBuffer.wrap(notified.message().toByteArray()).getInt());
                  }
                }));
  }

  static <T> T await(CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
  }
}
