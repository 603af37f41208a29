package dev.sequitur.benchmarks.schedules;

import static dev.sequitur.benchmarks.Benchmarks.print;

import dev.sequitur.benchmarks.Benchmarks;
import dev.sequitur.benchmarks.Resources;
import dev.sequitur.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.SchedulerSettings;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/**
 * How long a queue is away that moves to another JVM of its node. A second JVM joins this one, and
 * a queue that it holds is filled; then it leaves the cluster, or is killed, while this one asks
 * for the queue again and again.
 */
@Command(
    name = "move",
    description = "Fills a queue and measures how long it is away while it moves to another JVM.")
public final class QueueMove implements Callable<Integer> {
  private static final int CANDIDATES = 32;
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(5);

  /** A question may be lost on the way, and is asked again; also how exact the times are. */
  private static final long ANSWER_MILLIS = 50;

  private static final String LEAVE = "leave";

  @Option(names = "--pending", defaultValue = "100000", description = "Schedules that wait.")
  private int pending;

  @Option(names = "--body", defaultValue = "256", description = "Bytes of each.")
  private int body;

  @Option(names = "--kill", description = "The other JVM is killed instead of leaving.")
  private boolean kill;

  @Option(
      names = "--join",
      hidden = true,
      converter = Joining.Reader.class,
      description = "This is the other JVM.")
  private Optional<Joining> joining = Optional.empty();

  /** Where the other JVM finds the first one and the database. */
  private record Joining(int first, String url, String user) {
    static final class Reader implements ITypeConverter<Joining> {
      @Override
      public Joining convert(String text) {
        var parts = text.split(",");
        return new Joining(Integer.parseInt(parts[0]), parts[1], parts[2]);
      }
    }

    @Override
    public String toString() {
      return first + "," + url + "," + user;
    }
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    return joining.isPresent() ? join(joining.get()) : measure();
  }

  /** Until it is told to leave. */
  private static int join(Joining first) throws IOException {
    var database = LocalDatabase.settings(first.url(), first.user());
    var queues = Notifying.queues(GasPrioritySettings.DEFAULT);
    var ports = List.of(LocalDatabase.freePort(), first.first());
    var settings = SchedulerSettings.DEFAULT;
    try (var system = SchedulerSystem.onPostgres(database, ports, queues, settings)) {
      return System.in.read() < 0 ? 1 : 0;
    }
  }

  private int measure() throws IOException, InterruptedException {
    int port = LocalDatabase.freePort();
    try (var database = LocalDatabase.start();
        var system =
            SchedulerSystem.onPostgres(
                database.settings(),
                List.of(port),
                Notifying.queues(GasPrioritySettings.DEFAULT),
                SchedulerSettings.DEFAULT)) {
      var other = start(new Joining(port, database.url(), database.server().user()));
      try {
        await("The other JVM does not join.", () -> system.members() == 2);
        move(system, other);
      } finally {
        other.destroyForcibly().waitFor();
      }
    }
    return 0;
  }

  private static Process start(Joining first) throws IOException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(Benchmarks.class.getName(), "move", "--join=" + first));
    return new ProcessBuilder(command)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .redirectOutput(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private void move(SchedulerSystem system, Process other) throws IOException {
    var queue = elsewhere(system);
    Notifying.fill(system.node(), queue, pending, body);
    long start = System.nanoTime();
    if (kill) {
      other.destroyForcibly();
    } else {
      other.getOutputStream().write(LEAVE.getBytes(StandardCharsets.US_ASCII));
      other.getOutputStream().flush();
    }
    long answered = start;
    long longest = 0;
    boolean here = false;
    while (!here) {
      here = system.holds(queue);
      if (asked(system, queue)) {
        longest = Math.max(longest, System.nanoTime() - answered);
        answered = System.nanoTime();
      } else if (System.nanoTime() - start > PATIENCE_NANOS) {
        throw new IllegalStateException("The queue did not come back.");
      } else {
        here = false;
      }
    }
    print(
        "%,d with bodies of %d bytes, the other JVM %s: away for at most %.2f s; here %.2f s after the"
            + " other JVM was to go; load average %.1f",
        pending,
        body,
        kill ? "killed" : "leaving",
        longest / 1e9,
        (System.nanoTime() - start) / 1e9,
        Resources.loadAverage());
  }

  /** One that the other JVM holds. */
  private static QueueName elsewhere(SchedulerSystem system) {
    var names =
        IntStream.range(0, CANDIDATES).mapToObj(number -> new QueueName("queue" + number)).toList();
    for (var name : names) {
      await("A queue does not answer.", () -> asked(system, name));
    }
    return names.stream()
        .filter(name -> !system.holds(name))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("The other JVM has none of the queues."));
  }

  private static boolean asked(SchedulerSystem system, QueueName queue) {
    try {
      var overview = system.node().overview(queue).toCompletableFuture();
      overview.orTimeout(ANSWER_MILLIS, TimeUnit.MILLISECONDS).join();
      return true;
    } catch (RuntimeException e) {
      return false;
    }
  }

  private static void await(String failure, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > PATIENCE_NANOS) {
        throw new IllegalStateException(failure);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }
}
