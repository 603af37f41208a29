package dev.sequitur.client.command.schedule;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.console.WrongOption;
import java.util.List;
import picocli.CommandLine.Option;

/** When a recurring task runs: at times that are named, at a fixed frequency, or by cron. */
final class CadenceOptions {
  @Option(
      names = "--at",
      paramLabel = "TIME",
      converter = WrittenMoment.At.class,
      description =
          "When it runs, on a slot's boundary (a full hour by default); may be given 24 times.")
  private List<WrittenMoment.Time> times;

  @Option(
      names = "--every",
      paramLabel = "SPAN",
      converter = WrittenMoment.Span.class,
      description = "A series: so often, such as 24h, from --first on.")
  private String every;

  @Option(
      names = "--first",
      paramLabel = "TIME",
      converter = WrittenMoment.At.class,
      description = "The first time of --every, on a slot's boundary.")
  private WrittenMoment.Time first;

  @Option(
      names = "--cron",
      paramLabel = "FIELDS",
      description =
          "A series: minute, hour, day of month or L, month, day of week, such as '0 9 * * 1'.")
  private String cron;

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      description = "The time zone of --cron, such as Europe/Zurich (default: UTC).")
  private String zone;

  @Option(
      names = "--runs",
      paramLabel = "N",
      description = "So many times of a series (default: until it is cancelled).")
  private String runs;

  /**
   * Adds what was said to a command.
   *
   * @throws WrongOption if it is not just one of the three ways
   */
  void addTo(ObjectNode command, NodeOptions node) {
    int ways = (times == null ? 0 : 1) + (every == null ? 0 : 1) + (cron == null ? 0 : 1);
    if (ways != 1 || (every == null) != (first == null) || (zone != null && cron == null)) {
      throw new WrongOption(
          "Say when it runs: --at TIME …, or --every SPAN --first TIME, or --cron FIELDS"
              + " [--zone ZONE].");
    } else if (runs != null && times != null) {
      throw new WrongOption("--runs ends a series: each --at runs once.");
    }
    if (times != null) {
      var list = command.putArray("times");
      times.forEach(time -> list.add(node.time(time)));
    }
    NodeOptions.put(command, "frequency", every);
    NodeOptions.put(command, "first", first == null ? null : node.time(first));
    NodeOptions.put(command, "cron", cron);
    NodeOptions.put(command, "zone", zone);
    NodeOptions.put(command, "runs", runs);
  }
}
