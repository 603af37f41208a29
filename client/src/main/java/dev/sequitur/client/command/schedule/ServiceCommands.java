package dev.sequitur.client.command.schedule;

import dev.sequitur.console.WrongOption;
import dev.sequitur.schedule.FamilyKind;
import java.util.Iterator;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Whether a queue serves a family; and whether a series goes on, which is resumed too. */
final class ServiceCommands {
  private static final String FAMILIES = "One of ${COMPLETION-CANDIDATES}";

  private ServiceCommands() {}

  /** All families, as a person names them. */
  static final class Families implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Stream.of(FamilyKind.values()).map(FamilyKind::word).iterator();
    }
  }

  /** What is meant is told by how it is written. */
  private static boolean isSchedule(String text) {
    return text.indexOf(':') >= 0 || text.startsWith("0.0.");
  }

  /** What is done to all of a family. */
  private abstract static class OfFamily extends ChangeCommand {
    private final String method;
    private final String done;

    @Parameters(
        paramLabel = "FAMILY",
        completionCandidates = Families.class,
        description = FAMILIES + ".")
    private String family;

    OfFamily(String method, String done) {
      this.method = method;
      this.done = done;
    }

    @Override
    public void run() {
      if (isSchedule(family)) {
        throw new WrongOption(
            "'"
                + family
                + "' is one schedule: name a family, such as recurring. One schedule alone can be"
                + " cancelled: see sequitur schedule cancel --help.");
      }
      var command = node().command().put("family", family);
      print(node().call(method, command), result -> done.replace("FAMILY", family));
    }
  }

  @Command(
      name = "pause",
      description =
          "Stops a family of a queue, as its administrator: nothing of it is taken or run until"
              + " 'schedule resume FAMILY'. What waits stays, and can be cancelled.",
      footer = {"", "Example:", "  sequitur schedule pause recurring"})
  static final class Pause extends OfFamily {
    Pause() {
      super(
          "schedule_pause",
          "Paused FAMILY: nothing of it is taken or run until 'sequitur schedule resume FAMILY'.");
    }
  }

  @Command(
      name = "shutdown",
      description =
          "Ends ALL that waits of a family of a queue, as its administrator, and gives its money"
              + " back. It cannot be undone; 'schedule resume FAMILY' has the family take new"
              + " schedules.",
      footer = {"", "Example:", "  sequitur schedule shutdown gas-priority --queue old"})
  static final class Shutdown extends OfFamily {
    Shutdown() {
      super(
          "schedule_shutdown",
          "Shutting down FAMILY: all that waits ends, with its money back. 'sequitur schedule"
              + " overview' tells when it is shut-down.");
    }
  }

  @Command(
      name = "resume",
      description = {
        "resume FAMILY: the queue serves a family again that was paused or shut down; as its"
            + " administrator.",
        "resume ID --as ACCOUNT: one recurring series goes on that was parked, since a slot was"
            + " full or a fee could not be paid; as its owner."
      },
      footer = {
        "",
        "Examples:",
        "  sequitur schedule resume recurring",
        "  sequitur schedule resume recurring:0x… --as alice"
      })
  static final class Resume extends ChangeCommand {
    @Parameters(
        paramLabel = "FAMILY|ID",
        completionCandidates = Families.class,
        description =
            FAMILIES + "; or the id of a series, as its creation and 'schedule list' print it.")
    private String resumed;

    @Option(
        names = "--as",
        paramLabel = "ACCOUNT",
        description = "Of a series: the account you act as, its owner.")
    private String account;

    @Override
    public void run() {
      if (isSchedule(resumed) != (account != null)) {
        throw new WrongOption(
            account == null
                ? "'" + resumed + "' is one series: say in whose name it is resumed, --as ACCOUNT."
                : "A family is resumed without --as; with --as a series is: name its id.");
      }
      if (account == null) {
        var command = node().command().put("family", resumed);
        print(
            node().call("schedule_resume", command),
            result -> "Resumed " + resumed + ": the queue serves it again.");
      } else {
        var command = node().command().put("owner", account).put("taskId", resumed);
        print(node().call("recurring_resumeSeries", command), result -> "Resumed " + resumed + ".");
      }
    }
  }
}
