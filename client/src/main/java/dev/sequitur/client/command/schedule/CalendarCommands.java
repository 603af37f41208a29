package dev.sequitur.client.command.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.console.Values;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What is to run. */
final class CalendarCommands {
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("EEE yyyy-MM-dd", Locale.ROOT);
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);

  private CalendarCommands() {}

  @Command(
      name = "next",
      description = "When one schedule runs, the first times to come.",
      footer = {"", "Example:", "  sequitur schedule next recurring:0x… --count 5"})
  static final class Next extends NodeCommand {
    @Mixin private IdParameter schedule;

    @Option(
        names = "--count",
        paramLabel = "N",
        defaultValue = "10",
        description = "At most so many, 1 to 1000 (default: 10).")
    private int count;

    @Option(
        names = "--zone",
        paramLabel = "ZONE",
        description =
            "Whose clock times are shown by (default: that of the schedule's cron expression, else"
                + " this machine's).")
    private String zone;

    @Override
    public void run() {
      var times = node().ask("schedule_nextTimes", schedule.id(), "" + count);
      var found = node().ask("schedule_get", schedule.id());
      if (times.isEmpty() && found.isNull()) {
        throw schedule.unknown(node());
      }
      var shownBy =
          Optional.ofNullable(zone)
              .map(said -> WrittenMoment.zone(Optional.of(said)))
              .or(() -> WrittenMoment.zoneOf(found.path("terms")))
              .orElseGet(ZoneId::systemDefault);
      print(times, answer -> text(answer, shownBy));
    }

    private static String text(JsonNode times, ZoneId zone) {
      var lines = new StringBuilder();
      times.forEach(
          time ->
              lines
                  .append(lines.isEmpty() ? "" : "\n")
                  .append(WrittenMoment.shown(Instant.parse(time.asText()), Optional.of(zone))));
      return lines.isEmpty()
          ? "No time of it is to come: 'sequitur schedule explain' says why."
          : lines.toString();
    }
  }

  @Command(
      name = "calendar",
      description = "What is to run, of all schedules, by day and time.",
      footer = {
        "",
        "Examples:",
        "  sequitur schedule calendar --days 7",
        "  sequitur schedule calendar --owner alice --label rent --zone Europe/Zurich"
      })
  static final class Calendar extends NodeCommand {
    @Option(
        names = "--days",
        paramLabel = "N",
        defaultValue = "7",
        converter = Days.class,
        description = "So many days from --from on, 1 to 3650 (default: 7).")
    private long days;

    @Option(
        names = "--from",
        paramLabel = "TIME",
        converter = WrittenMoment.At.class,
        description = "From when on, " + WrittenMoment.EXAMPLES + " (default: now).")
    private WrittenMoment.Time from;

    @Mixin private ZoneOption zone;

    @Mixin private WhoseOptions whose;

    @Option(names = "--label", paramLabel = "LABEL", description = "Only with this label.")
    private String label;

    @Option(
        names = "--limit",
        paramLabel = "N",
        defaultValue = "200",
        description = "At most so many times, 1 to 1000 (default: 200).")
    private int limit;

    @Override
    public void run() {
      var begin = from == null ? Instant.now().truncatedTo(ChronoUnit.SECONDS) : from.instant();
      var page =
          node()
              .command()
              .put("from", begin.toString())
              .put("until", begin.plus(Duration.ofDays(days)).toString())
              .put("limit", limit);
      whose.addTo(page);
      NodeOptions.put(page, "label", label);
      print(node().call("schedule_calendar", page), found -> text(found, zone.zone()));
    }
  }

  /** A calendar of more is asked for by {@code --from}. */
  static final class Days implements ITypeConverter<Long> {
    private static final int MOST = 3_650;

    @Override
    public Long convert(String text) {
      return Values.wholeNumber(text, 1, MOST);
    }
  }

  /** A line for each time, under its day. */
  static String text(JsonNode page, ZoneId zone) {
    var text = new StringBuilder();
    var day = "";
    for (var planned : page.path("times")) {
      var at = Instant.parse(planned.path("at").asText()).atZone(zone);
      if (!DAY.format(at).equals(day)) {
        day = DAY.format(at);
        text.append(text.isEmpty() ? "" : "\n").append(day);
      }
      text.append("\n  ").append(TIME.format(at)).append("  ").append(line(planned));
    }
    if (text.isEmpty()) {
      text.append("Nothing is to run then.");
    }
    if (page.path("partial").asBoolean()) {
      text.append("\nSome may be missing: too much stands before it, or at one time.");
    }
    if (page.hasNonNull("next")) {
      text.append("\nMore: --from ").append(page.get("next").asText());
    }
    return text.toString();
  }

  private static String line(JsonNode planned) {
    return "%s  %s  %s"
        .formatted(
            planned.path("owner").asText(),
            ScheduleText.labelled(planned),
            planned.path("id").asText());
  }

  /** Where the clock hangs on the wall by which times are shown. */
  static final class ZoneOption {
    @Option(
        names = "--zone",
        paramLabel = "ZONE",
        description =
            "Whose clock times are shown by, such as Europe/Zurich (default: this machine's).")
    private String zone;

    ZoneId zone() {
      return WrittenMoment.zone(Optional.ofNullable(zone));
    }
  }
}
