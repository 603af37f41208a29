package dev.sequitur.client.command.schedule;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Has something run at a time, so often, or by cron. */
final class PlainCommands {
  private PlainCommands() {}

  @Command(
      name = "at",
      description = "Has something run once, at a time.",
      footer = {
        "",
        "Examples:",
        "  sequitur schedule at 'tomorrow 9:30 Europe/Zurich' --say 'the market opens'",
        "  sequitur schedule at +2h --as alice --pay 5 --to bob"
      })
  static final class At extends PlainCommand {
    @Parameters(
        paramLabel = "TIME",
        converter = WrittenMoment.At.class,
        description = "When, " + WrittenMoment.EXAMPLES + ".")
    private WrittenMoment.Time at;

    @Mixin private TargetOptions target;

    @Override
    public void run() {
      runOnce(target.target(), at);
    }
  }

  @Command(
      name = "every",
      description = "Has something run again and again, so often.",
      footer = {
        "",
        "Example:",
        "  sequitur schedule every 24h --as alice --pay 5 --to bob --runs 30"
      })
  static final class Every extends PlainCommand {
    @Parameters(
        paramLabel = "SPAN",
        converter = WrittenMoment.Span.class,
        description = "How often, such as 90m, 24h or 7d.")
    private String every;

    @Mixin private Named named;

    @Mixin private SeriesOptions.First first;

    @Mixin private SeriesOptions.Runs runs;

    @Mixin private SeriesPolicyOptions policy;

    @Mixin private TargetOptions target;

    @Override
    public void run() {
      runAsSeries(
          target.target(),
          named,
          (command, node) -> {
            first.addTo(command, every, node);
            runs.addTo(command);
            policy.addTo(command, node);
          });
    }
  }

  @Command(
      name = "cron",
      description = "Has something run again and again, by a cron expression.",
      footer = {
        "",
        "Example:",
        "  sequitur schedule cron '0 9 * * 1-5' --zone Europe/Zurich --as alice --say 'good morning'"
      })
  static final class Cron extends PlainCommand {
    @Parameters(
        paramLabel = "FIELDS",
        description = "Minute, hour, day of month or L, month, day of week, such as '0 9 * * 1'.")
    private String cron;

    @Mixin private Named named;

    @Mixin private SeriesOptions.Zone zone;

    @Mixin private SeriesOptions.Runs runs;

    @Mixin private SeriesPolicyOptions policy;

    @Mixin private TargetOptions target;

    @Override
    public void run() {
      runAsSeries(
          target.target(),
          named,
          (command, node) -> {
            zone.addTo(command, cron);
            runs.addTo(command);
            policy.addTo(command, node);
          });
    }
  }
}
