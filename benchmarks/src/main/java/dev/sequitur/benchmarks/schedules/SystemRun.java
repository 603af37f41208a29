package dev.sequitur.benchmarks.schedules;

import dev.sequitur.node.process.LogFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** One system under one load in a JVM of its own, as {@link ScheduleComparison} starts it. */
final class SystemRun implements Callable<Integer> {
  /** What the line begins with that {@link ScheduleComparison} reads. */
  static final String RESULT = "result: ";

  @Option(names = "--system", required = true)
  private String system;

  @Option(names = "--database")
  private String database;

  @Option(names = "--user")
  private String user;

  @Option(names = "--port", required = true)
  private int port;

  @Option(names = "--server", required = true)
  private long server;

  @Option(names = "--directory", required = true)
  private Path directory;

  @Option(names = "--burst", defaultValue = "0")
  private int burst;

  @Option(names = "--rate", defaultValue = "0")
  private int rate;

  @Option(names = "--seconds", defaultValue = "0")
  private int seconds;

  @Option(names = "--pending", defaultValue = "0")
  private int pending;

  @Option(names = "--most-seconds", required = true)
  private int mostSeconds;

  public static void main(String[] arguments) {
    System.exit(new CommandLine(new SystemRun()).execute(arguments));
  }

  @Override
  public Integer call() {
    LogFile.under(directory);
    var stored = new Database(database, user);
    try (var measured = SystemKind.of(system).start(stored, directory, port)) {
      var load = new ScheduleLoad(measured, server, Duration.ofSeconds(mostSeconds));
      if (burst > 0) {
        var done = load.burst(burst);
        print(
            String.format(
                Locale.ROOT,
                "%d %.1f %.3f %.3f %.3f",
                done.done(),
                done.storeSeconds(),
                done.runSeconds(),
                done.cpuSeconds(),
                done.compileSeconds()));
      } else {
        var late = load.lateness(rate, seconds, pending);
        print(
            String.format(
                Locale.ROOT,
                "%d %d %.2f %.2f %.2f %.2f",
                late.millis().length,
                late.scheduled(),
                late.percentile(50),
                late.percentile(99),
                late.percentile(100),
                late.compileSeconds()));
      }
    }
    return 0;
  }

  private static void print(String result) {
    System.out.println(RESULT + result);
  }
}
