package dev.sequitur.client.command.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What has happened in a queue, from where its reader stopped. */
@Command(
    name = "events",
    description = {
      "What has happened in a queue, in order: outcomes, what was parked, what ended.",
      "It ends with the number to go on with, or stays with --follow."
    },
    footer = {
      "",
      "Examples:",
      "  sequitur schedule events --from 250",
      "  sequitur schedule events --from 250 --owner alice --follow",
      "  sequitur schedule events --label rent --outcome failed --since 7d"
    })
final class EventsCommand extends NodeCommand {
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(500);

  @Option(
      names = "--from",
      paramLabel = "N",
      defaultValue = "0",
      description = "The number of the first (default: 0), such as the last call ended with.")
  private String from;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "100",
      description = "At most so many at once, 1 to 1000 (default: 100).")
  private String limit;

  @Mixin private EventOptions which;

  @Option(names = "--follow", description = "Goes on with what happens, until it is stopped.")
  private boolean follow;

  @Override
  public void run() {
    var page = page(from);
    print(page, follow ? ScheduleText::eventLines : ScheduleText::events);
    while (follow) {
      var next = page.path("next").asText();
      page = page(next);
      if (page.path("events").isEmpty()) {
        LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
      } else {
        print(page, ScheduleText::eventLines);
      }
    }
  }

  private JsonNode page(String number) {
    var request = node().command().put("from", number).put("limit", limit);
    which.addTo(request);
    return node().call("events_read", request);
  }
}
