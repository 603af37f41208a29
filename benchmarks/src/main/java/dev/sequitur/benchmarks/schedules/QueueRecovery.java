package dev.sequitur.benchmarks.schedules;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.schedule.AccountId;
import dev.sequitur.protocol.schedule.Amount;
import dev.sequitur.protocol.schedule.Target;
import dev.sequitur.protocol.schedule.family.GasPriority;
import dev.sequitur.protocol.schedule.family.GasPrioritySettings;
import dev.sequitur.protocol.schedule.family.GasPriorityTerms;
import dev.sequitur.protocol.schedule.family.Proposal;
import dev.sequitur.protocol.schedule.queue.QueueInput.Command;
import dev.sequitur.protocol.schedule.queue.QueueInput.Operation;
import dev.sequitur.protocol.schedule.queue.QueueSetup;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.SchedulerNode;
import dev.sequitur.scheduler.SchedulerSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/**
 * How long a queue that is full takes to come back with the embedded journal: from the start of its
 * actor system until it answers.
 */
@CommandLine.Command(
    name = "recovery",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = "Fills a queue, stops it and measures how long it takes to come back.")
public final class QueueRecovery implements Callable<Integer> {
  private static final QueueName QUEUE = new QueueName("benchmark");
  private static final AccountId OPERATOR = new AccountId("operator");
  private static final AccountId OWNER = new AccountId("owner");
  private static final int BATCH = 1_000;
  private static final long PATIENCE_MINUTES = 10;

  @Option(names = "--pending", defaultValue = "1000000", description = "Schedules that wait.")
  private int pending;

  @Option(names = "--body", defaultValue = "256", description = "Bytes of each.")
  private int body;

  public static void main(String[] arguments) {
    System.exit(new CommandLine(new QueueRecovery()).execute(arguments));
  }

  @Override
  public Integer call() throws IOException {
    var directory = Files.createTempDirectory("sequitur-recovery-");
    var queues = QueueSetup.of(OPERATOR, new GasPriority(GasPrioritySettings.DEFAULT));
    long storing = System.nanoTime();
    try (var system = SchedulerSystem.embedded(directory, queues, SchedulerSettings.DEFAULT)) {
      fill(system.node());
      print("stored", storing);
    }
    long recovering = System.nanoTime();
    try (var system = SchedulerSystem.embedded(directory, queues, SchedulerSettings.DEFAULT)) {
      int found = waiting(system.node());
      print("recovered", recovering);
      if (found != pending) {
        throw new IllegalStateException("Of " + pending + " schedules there are " + found + ".");
      }
    }
    return 0;
  }

  private void fill(SchedulerNode node) {
    var money = new Operation.Fund(OWNER, new Amount(Long.MAX_VALUE / 4));
    submit(node, List.of(new Command("fund", OPERATOR, money)));
    var due = Instant.now().plus(1, ChronoUnit.DAYS).toEpochMilli();
    var batch = new ArrayList<Command>(BATCH);
    for (int number = 0; number < pending; number++) {
      var message = Bytes.of(ByteBuffer.allocate(body).putInt(0, number).array());
      var terms = new GasPriorityTerms(due + number, 100, 1 + number % 100);
      var propose = new Operation.Propose(Proposal.of(OWNER, terms, new Target.Notify(message)));
      batch.add(new Command("c" + number, OWNER, propose));
      if (batch.size() == BATCH || number + 1 == pending) {
        submit(node, List.copyOf(batch));
        batch.clear();
      }
    }
  }

  private static void submit(SchedulerNode node, List<Command> commands) {
    var answers = node.submit(QUEUE, commands).toCompletableFuture().join();
    if (answers.stream().anyMatch(answer -> answer.refusal().isPresent())) {
      throw new IllegalStateException("Refused: " + answers.get(0));
    }
  }

  /** An answer takes as long as the recovery, and a question gives up before that. */
  private static int waiting(SchedulerNode node) {
    long start = System.nanoTime();
    while (true) {
      try {
        var overview = node.overview(QUEUE).toCompletableFuture();
        return overview.get(PATIENCE_MINUTES, TimeUnit.MINUTES).schedules();
      } catch (Exception e) {
        if (System.nanoTime() - start > TimeUnit.MINUTES.toNanos(PATIENCE_MINUTES)) {
          throw new IllegalStateException("The queue did not come back.", e);
        }
      }
    }
  }

  private void print(String what, long since) {
    System.out.printf(
        Locale.ROOT,
        "%,d with bodies of %d bytes %s in %.1f s, heap at most %,d MiB, load average %.1f%n",
        pending,
        body,
        what,
        (System.nanoTime() - since) / 1e9,
        Runtime.getRuntime().maxMemory() >> 20,
        java.lang.management.ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
  }
}
