package dev.sequitur.client.command.schedule;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.console.WrongOption;
import dev.sequitur.schedule.FamilyKind;
import java.util.Iterator;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Whether a queue serves a family, and whether one schedule of it goes on; what else its owner may
 * do to one schedule.
 */
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

  private static boolean isFamily(String text) {
    return StreamSupport.stream(new Families().spliterator(), false).anyMatch(text::equals);
  }

  /** As whom and why something is done to one schedule. */
  static final class Intervention {
    @Option(
        names = "--as",
        paramLabel = "ACCOUNT",
        description = "Of one schedule: the account you act as, its owner.")
    private String account;

    @Option(
        names = "--note",
        paramLabel = "TEXT",
        description = "Of one schedule: why, for whoever looks at it later.")
    private String note;

    void call(ChangeCommand command, String method, String id, String done) {
      var asked = command(command, id);
      command.print(command.node().call(method, asked), result -> done.replace("ID", id));
    }

    ObjectNode command(ChangeCommand command, String id) {
      if (account == null) {
        throw new WrongOption(
            "'" + id + "' is one schedule: say in whose name you act, --as ACCOUNT.");
      }
      var asked = command.node().command().put("id", id).put("as", account);
      NodeOptions.put(asked, "note", note);
      return asked;
    }

    void refuse() {
      if (account != null || note != null) {
        throw new WrongOption(
            "--as and --note are for one schedule, by its id. A family is the administrator's.");
      }
    }
  }

  /** What is done to all of a family. */
  private abstract static class OfFamily extends ChangeCommand {
    private final String method;
    private final String done;

    OfFamily(String method, String done) {
      this.method = method;
      this.done = done;
    }

    void call(String family) {
      var command = node().command().put("family", family);
      print(node().call(method, command), result -> done.replace("FAMILY", family));
    }
  }

  /** What is done to a family, or to one schedule. */
  private abstract static class OfEither extends OfFamily {
    private final String ofSchedule;
    private final String doneToSchedule;

    @Parameters(
        paramLabel = "FAMILY|ID",
        completionCandidates = Families.class,
        description =
            FAMILIES + "; or the id of a schedule, as its creation and 'schedule list' print it.")
    private String named;

    @Mixin private Intervention intervention;

    OfEither(String method, String done, String ofSchedule, String doneToSchedule) {
      super(method, done);
      this.ofSchedule = ofSchedule;
      this.doneToSchedule = doneToSchedule;
    }

    @Override
    public void run() {
      if (isSchedule(named)) {
        intervention.call(this, ofSchedule, named, doneToSchedule);
      } else if (isFamily(named)) {
        intervention.refuse();
        call(named);
      } else {
        throw new WrongOption(
            "'%s' is neither a family nor the id of a schedule, as 'schedule list' prints it: the"
                    .formatted(named)
                + " families are "
                + String.join(", ", new Families())
                + ".");
      }
    }
  }

  @Command(
      name = "pause",
      description = {
        "pause ID --as ACCOUNT: nothing of one schedule begins until 'schedule resume ID'; as its"
            + " owner. What has begun goes on to its outcome.",
        "pause FAMILY: nothing of a family is taken or run until 'schedule resume FAMILY'; as the"
            + " queue's administrator. What waits stays, and can be cancelled."
      },
      footer = {
        "",
        "Examples:",
        "  sequitur schedule pause recurring:0x… --as alice --note 'the flat is empty'",
        "  sequitur schedule pause recurring"
      })
  static final class Pause extends OfEither {
    Pause() {
      super(
          "schedule_pause",
          "Paused FAMILY: nothing of it is taken or run until 'sequitur schedule resume FAMILY'.",
          "schedule_pauseSchedule",
          "Paused ID: nothing of it begins until 'sequitur schedule resume ID'.");
    }
  }

  @Command(
      name = "resume",
      description = {
        "resume ID --as ACCOUNT: one schedule goes on that was paused, or a series that was parked,"
            + " since a slot was full or a fee could not be paid; as its owner.",
        "resume FAMILY: the queue serves a family again that was paused or shut down; as its"
            + " administrator."
      },
      footer = {
        "",
        "Examples:",
        "  sequitur schedule resume recurring:0x… --as alice",
        "  sequitur schedule resume recurring"
      })
  static final class Resume extends OfEither {
    Resume() {
      super(
          "schedule_resume",
          "Resumed FAMILY: the queue serves it again.",
          "schedule_resumeSchedule",
          "Resumed ID.");
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
    @Parameters(
        paramLabel = "FAMILY",
        completionCandidates = Families.class,
        description = FAMILIES + ".")
    private String family;

    Shutdown() {
      super(
          "schedule_shutdown",
          "Shutting down FAMILY: all that waits ends, with its money back. 'sequitur schedule"
              + " overview' tells when it is shut-down.");
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
      if (!isFamily(family)) {
        throw new WrongOption(
            "'%s' is no family: name one of %s."
                .formatted(family, String.join(", ", new Families())));
      }
      call(family);
    }
  }

  /** What is done to one schedule alone. */
  private abstract static class OfSchedule extends ChangeCommand {
    private final String method;
    private final String done;
    @Mixin private IdParameter schedule;
    @Mixin private Intervention intervention;

    OfSchedule(String method, String done) {
      this.method = method;
      this.done = done;
    }

    @Override
    public void run() {
      intervention.call(this, method, schedule.id(), done);
    }
  }

  @Command(
      name = "run",
      description = {
        "Starts one schedule now, as its owner. A series or a repetition runs once more, and goes on"
            + " at its times; of a number of runs this is one. What runs once, or at times of its"
            + " own, runs now instead of at its next time."
      },
      footer = {"", "Example:", "  sequitur schedule run recurring:0x… --as alice"})
  static final class Run extends OfSchedule {
    Run() {
      super(
          "schedule_runNow", "Started ID: 'sequitur schedule explain ID' tells what became of it.");
    }
  }

  @Command(
      name = "skip",
      description = {
        "Leaves out the next time of one schedule, as its owner: that time ends as cancelled, and the"
            + " one after it is next."
      },
      footer = {
        "",
        "Example:",
        "  sequitur schedule skip recurring:0x… --as alice --note 'a holiday'"
      })
  static final class Skip extends OfSchedule {
    Skip() {
      super("schedule_skipNext", "Skipped: 'sequitur schedule show ID' tells what is next.");
    }
  }
}
