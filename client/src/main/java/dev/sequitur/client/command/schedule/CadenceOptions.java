package dev.sequitur.client.command.schedule;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.console.WrongOption;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** When a recurring task runs: at times that are named, at a fixed frequency, or by cron. */
final class CadenceOptions {
  @Option(
      names = "--at",
      paramLabel = "TIME",
      converter = WrittenMoment.At.class,
      description =
          "When it runs, on the boundary of a task's slot (a full hour by default); may be given 24"
              + " times.")
  private List<WrittenMoment.Time> times;

  @Mixin private SeriesOptions series;

  /**
   * Adds what was said to a command.
   *
   * @throws WrongOption if it is not just one of the three ways
   */
  void addTo(ObjectNode command, NodeOptions node) {
    boolean isSeries = series.isEvery() || series.isCron();
    if ((times == null) != isSeries) {
      throw new WrongOption(
          "Say when it runs: --at TIME …, or --every SPAN [--first TIME], or --cron FIELDS"
              + " [--zone ZONE].");
    } else if (isSeries) {
      series.addTo(command, node);
      return;
    } else if (series.hasMore()) {
      throw new WrongOption(
          "Each --at runs once: --first, --zone, --runs and what else is said of a series are not"
              + " for it.");
    }
    var list = command.putArray("times");
    times.forEach(time -> list.add(node.time(time)));
  }
}
