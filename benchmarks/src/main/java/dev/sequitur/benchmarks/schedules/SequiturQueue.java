package dev.sequitur.benchmarks.schedules;

import dev.sequitur.benchmarks.schedules.ScheduledSystem.Due;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.schedule.AccountId;
import dev.sequitur.protocol.schedule.Amount;
import dev.sequitur.protocol.schedule.Target;
import dev.sequitur.protocol.schedule.family.Proposal;
import dev.sequitur.protocol.schedule.gaspriority.GasPriority;
import dev.sequitur.protocol.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.protocol.schedule.gaspriority.GasPriorityTerms;
import dev.sequitur.protocol.schedule.queue.QueueEffect.Answer;
import dev.sequitur.protocol.schedule.queue.QueueEffect.Notice;
import dev.sequitur.protocol.schedule.queue.QueueInput.Command;
import dev.sequitur.protocol.schedule.queue.QueueInput.Operation;
import dev.sequitur.protocol.schedule.queue.QueueSetup;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.QueueOverview;
import dev.sequitur.scheduler.SchedulerNode;
import dev.sequitur.scheduler.SchedulerSettings;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * One schedule queue of ours: gas-priority schedules that notify inside the queue, ticks of 1 ms. A
 * run is counted when its outcome is stored, not when it begins.
 */
final class SequiturQueue implements ScheduledSystem {
  static final QueueName QUEUE = new QueueName("benchmark");
  static final AccountId OPERATOR = new AccountId("operator");
  private static final AccountId OWNER = new AccountId("owner");
  private static final int READY_LIMIT = 5_000;
  private static final long PATIENCE_SECONDS = 60;

  private final SchedulerSystem system;
  private final SchedulerNode node;

  private SequiturQueue(SchedulerSystem system) {
    this.system = system;
    this.node = system.node();
    node.subscribe(QUEUE, (queue, notices) -> notices.forEach(told -> onNotice(told.notice())));
    var fund = new Operation.Fund(OWNER, new Amount(Long.MAX_VALUE / 4));
    submit(node, List.of(new Command("fund", OPERATOR, fund)));
  }

  static SequiturQueue start(SystemKind.Place place) {
    var fast = SchedulerSettings.DEFAULT.withBlockInterval(Duration.ofMillis(1));
    var ticks = new GasPrioritySettings(1, READY_LIMIT, 100_000_000, 200, 1, 10_240);
    var queues = QueueSetup.of(OPERATOR, new GasPriority(ticks));
    return new SequiturQueue(
        place.embedded()
            ? SchedulerSystem.embedded(place.directory(), queues, fast)
            : SchedulerSystem.onPostgres(place.database(), place.port(), queues, fast));
  }

  /** Counts a run. */
  static void onNotice(Notice notice) {
    if (notice instanceof Notice.Notified notified) {
      Runs.ran(ByteBuffer.wrap(notified.message().toByteArray()).getInt());
    }
  }

  @Override
  public void schedule(List<Due> schedules) {
    var commands = new ArrayList<Command>(schedules.size());
    for (var due : schedules) {
      commands.add(propose(OWNER, due.at().toEpochMilli(), due.number()));
    }
    submit(node, commands);
  }

  /** Has a run counted at a time. */
  static Command propose(AccountId owner, long dueMillis, int number) {
    var message = Bytes.of(ByteBuffer.allocate(Integer.BYTES).putInt(number).array());
    var terms = new GasPriorityTerms(dueMillis, 100, 1 + number % 100);
    var propose = new Operation.Propose(Proposal.of(owner, terms, new Target.Notify(message)));
    return new Command(dueMillis + "-" + number, owner, propose);
  }

  static void submit(SchedulerNode node, List<Command> commands) {
    for (Answer answer : await(node.submit(QUEUE, commands))) {
      if (answer.refusal().isPresent()) {
        throw new IllegalStateException("Refused: " + answer.refusal().get());
      }
    }
  }

  /** A schedule cannot be made for the past, so all loads are for the future. */
  @Override
  public void hold() {}

  @Override
  public void release() {}

  @Override
  public int open() {
    var overview = await(node.overview(QUEUE));
    return overview.executing()
        + overview.families().stream().mapToInt(QueueOverview.FamilyOverview::waiting).sum();
  }

  private static <T> T await(CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
  }

  @Override
  public void close() {
    system.close();
  }
}
