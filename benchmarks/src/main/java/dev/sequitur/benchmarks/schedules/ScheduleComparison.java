package dev.sequitur.benchmarks.schedules;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Our schedule queues side by side with others, one after the other on the same machine: each load
 * in a JVM of its own with a new database of its own, fsync on. See {@code docs/performance.md}.
 */
@Command(
    name = "schedules",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = "Measures a burst and lateness, side by side with other schedulers.")
public final class ScheduleComparison implements Callable<Integer> {
  @Option(names = "--burst", defaultValue = "100000", description = "Due at once; 0: none.")
  private int burst;

  @Option(names = "--rate", defaultValue = "3000", description = "A second; 0: no lateness.")
  private int rate;

  @Option(names = "--seconds", defaultValue = "20", description = "That the rate lasts.")
  private int seconds;

  @Option(names = "--pending", defaultValue = "100000", description = "That wait meanwhile.")
  private int pending;

  @Option(
      names = "--systems",
      split = ",",
      defaultValue = "db-scheduler,quartz,jobrunr,sequitur-leveldb,sequitur-postgres",
      description = "Measured, in this order.")
  private List<String> systems = List.of();

  @Option(
      names = "--most-seconds",
      defaultValue = "120",
      description = "For a load: who has not done it by then is measured by what it has done.")
  private int mostSeconds;

  @Option(names = "--heap", defaultValue = "2g", description = "Of each JVM.")
  private String heap;

  @Option(names = "--data", description = "New directory for everything; else a temporary one.")
  private Optional<Path> data = Optional.empty();

  private final List<Row> rows = new ArrayList<>();

  public static void main(String[] arguments) {
    System.exit(new CommandLine(new ScheduleComparison()).execute(arguments));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    var directory = data.orElse(Files.createTempDirectory("sequitur-schedules-"));
    var kinds = systems.stream().map(SystemKind::of).toList();
    for (var kind : kinds) {
      var row = new Row(kind.title());
      rows.add(row);
      if (burst > 0) {
        row.burst = run(kind, directory.resolve(kind.title() + "-burst"), "--burst", "" + burst);
      }
      if (rate > 0) {
        row.lateness =
            run(
                kind,
                directory.resolve(kind.title() + "-lateness"),
                "--rate",
                "" + rate,
                "--seconds",
                "" + seconds,
                "--pending",
                "" + pending);
      }
      System.out.println(row.title + " measured, load average " + loadAverage());
    }
    printTable();
    return 0;
  }

  /** What the run printed as its result; empty if it failed, with what it said. */
  private Optional<String[]> run(SystemKind kind, Path directory, String... load)
      throws IOException, InterruptedException {
    Files.createDirectories(directory);
    try (var database = LocalDatabase.start()) {
      var command = new ArrayList<>(java());
      command.addAll(
          List.of(
              SystemRun.class.getName(),
              "--system=" + kind.title(),
              "--database=" + database.url(),
              "--user=" + database.server().user(),
              "--port=" + LocalDatabase.freePort(),
              "--server=" + database.process(),
              "--directory=" + directory,
              "--most-seconds=" + mostSeconds));
      command.addAll(List.of(load));
      var output = directory.resolve("output").toFile();
      var process =
          new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output).start();
      process.waitFor();
      return result(output.toPath());
    }
  }

  private List<String> java() {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx" + heap);
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> !argument.startsWith("-Xmx"))
        .forEach(command::add);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    return command;
  }

  private static Optional<String[]> result(Path output) throws IOException {
    var lines = Files.readAllLines(output);
    var result =
        lines.stream()
            .filter(line -> line.startsWith(SystemRun.RESULT))
            .map(line -> line.substring(SystemRun.RESULT.length()).split(" "))
            .findAny();
    if (result.isEmpty()) {
      System.out.println("Failed; the end of " + output + ":");
      lines.stream().skip(Math.max(0, lines.size() - 15)).forEach(System.out::println);
    }
    return result;
  }

  private void printTable() {
    double unit = rows.stream().filter(Row::isUnit).mapToDouble(Row::perSecond).findAny().orElse(0);
    print("%n%-18s | %-112s | %s", "", "burst of " + burst, lateTitle());
    for (var row : rows) {
      print("%-18s | %-112s | %s", row.title, row.burstText(unit), row.latenessText());
    }
  }

  private String lateTitle() {
    return "late at %d/s for %d s, p50 / p99 / most, %d pending".formatted(rate, seconds, pending);
  }

  private static String loadAverage() {
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    return String.format(Locale.ROOT, "%.1f", load);
  }

  private static void print(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
  }

  private static final class Row {
    final String title;
    Optional<String[]> burst = Optional.empty();
    Optional<String[]> lateness = Optional.empty();

    Row(String title) {
      this.title = title;
    }

    /** What the others are compared with. */
    boolean isUnit() {
      return title.equals(SystemKind.DB_SCHEDULER.title()) && burst.isPresent();
    }

    double perSecond() {
      return burst
          .map(done -> Integer.parseInt(done[0]) / Double.parseDouble(done[2]))
          .orElse(Double.NaN);
    }

    String burstText(double unit) {
      if (burst.isEmpty()) {
        return "-";
      }
      var text =
          String.format(
              Locale.ROOT,
              "%,.0f/s (%s done, stored in %s s), %.1f us of processor time each, JIT at work for %s s",
              perSecond(),
              burst.get()[0],
              burst.get()[1],
              Double.parseDouble(burst.get()[3]) * 1e6 / Integer.parseInt(burst.get()[0]),
              burst.get()[4]);
      return unit == 0 ? text : text + String.format(Locale.ROOT, ", %.2f x", perSecond() / unit);
    }

    String latenessText() {
      return lateness
          .map(
              late ->
                  "%s / %s / %s ms (%s of %s ran), JIT at work for %s s"
                      .formatted(late[2], late[3], late[4], late[0], late[1], late[5]))
          .orElse("-");
    }
  }
}
