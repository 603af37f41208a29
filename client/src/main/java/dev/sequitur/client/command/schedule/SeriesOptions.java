package dev.sequitur.client.command.schedule;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.client.CallFailure;
import dev.sequitur.console.WrongOption;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** When a series runs: so often, or by cron. */
final class SeriesOptions {
  @Option(
      names = "--every",
      paramLabel = "SPAN",
      converter = WrittenMoment.Span.class,
      description = "A series: so often, such as 24h.")
  private String every;

  @Mixin private First first;

  @Option(
      names = "--cron",
      paramLabel = "FIELDS",
      description =
          "A series: minute, hour, day of month or L, month, day of week, such as '0 9 * * 1'.")
  private String cron;

  @Mixin private Zone zone;

  @Mixin private Runs runs;

  @Mixin private SeriesPolicyOptions policy;

  boolean isEvery() {
    return every != null;
  }

  boolean isCron() {
    return cron != null;
  }

  /** Whether anything was said that only a series has. */
  boolean hasMore() {
    return first.isSaid() || zone.isSaid() || runs.isSaid() || policy.isSaid();
  }

  /**
   * Adds what was said to a command.
   *
   * @throws WrongOption if what was said does not go together
   */
  void addTo(ObjectNode command, NodeOptions node) {
    if (isEvery() == isCron() || (first.isSaid() && isCron()) || (zone.isSaid() && isEvery())) {
      throw new WrongOption(
          "Say how often it runs: --every SPAN [--first TIME], or --cron FIELDS [--zone ZONE].");
    }
    if (isEvery()) {
      first.addTo(command, every, node);
    } else {
      zone.addTo(command, cron);
    }
    runs.addTo(command);
    policy.addTo(command, node);
  }

  /** The same, of which any part may be said. */
  void addChangeTo(ObjectNode command, NodeOptions node) {
    if (isEvery() || isCron()) {
      addTo(command, node);
    } else if (first.isSaid() || zone.isSaid()) {
      throw new WrongOption("--first is for --every, and --zone for --cron: say that, too.");
    } else {
      runs.addTo(command);
      policy.addTo(command, node);
    }
  }

  /** From when on something runs that has a frequency. */
  static final class First {
    @Option(
        names = "--first",
        paramLabel = "TIME",
        converter = WrittenMoment.At.class,
        description =
            "The first time of a frequency, on a slot's boundary, by default a full minute (default:"
                + " the next slot that is free).")
    private WrittenMoment.Time first;

    private boolean isSaid() {
      return first != null;
    }

    /** Adds a frequency from then on to a command. */
    void addTo(ObjectNode command, String every, NodeOptions node) {
      command.put("frequency", every).put("first", isSaid() ? node.time(first) : next(node));
    }

    private static String next(NodeOptions node) {
      if (node.hasKey()) {
        throw new WrongOption(
            "A command with --key is the same whenever it is repeated: name its first time by"
                + " --first.");
      }
      var free =
          node.call("recurring_freeSlots", node.command().put("limit", 1).put("series", true));
      if (free.isEmpty()) {
        throw new CallFailure("No slot is free within the horizon: name a later one by --first.");
      }
      return free.get(0).path("from").asText();
    }
  }

  /** Where the clock hangs on the wall that cron goes by. */
  static final class Zone {
    @Option(
        names = "--zone",
        paramLabel = "ZONE",
        description = "The time zone of cron, such as Europe/Zurich (default: this machine's).")
    private String zone;

    private boolean isSaid() {
      return zone != null;
    }

    /** Adds a cron expression there to a command. */
    void addTo(ObjectNode command, String cron) {
      command
          .put("cron", cron)
          .put("zone", isSaid() ? zone : WrittenMoment.zone(Optional.empty()).getId());
    }
  }

  /** How often a series runs in all. */
  static final class Runs {
    @Option(
        names = "--runs",
        paramLabel = "N",
        converter = TargetOptions.WholeAmount.class,
        description = "So many times of a series (default: until it is cancelled).")
    private String runs;

    private boolean isSaid() {
      return runs != null;
    }

    void addTo(ObjectNode command) {
      NodeOptions.put(command, "runs", runs);
    }
  }
}
