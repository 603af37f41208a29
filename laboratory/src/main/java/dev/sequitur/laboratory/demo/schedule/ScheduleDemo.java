package dev.sequitur.laboratory.demo.schedule;

import dev.sequitur.console.Console;
import dev.sequitur.console.StopSignal;
import dev.sequitur.console.WrongOption;
import dev.sequitur.laboratory.demo.DemoDirectory;
import dev.sequitur.laboratory.demo.DemoStopped;
import dev.sequitur.laboratory.report.ReportText;
import dev.sequitur.node.configuration.SchedulerConfiguration;
import dev.sequitur.node.process.LogFile;
import dev.sequitur.node.process.NativeCode;
import dev.sequitur.node.process.Starter;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.schedule.multisignature.MultiSignature;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.schedule.plan.PlanExecutions;
import dev.sequitur.schedule.plan.PlanSettings;
import dev.sequitur.schedule.queue.QueueSetup;
import dev.sequitur.schedule.recurring.Recurring;
import dev.sequitur.schedule.recurring.RecurringSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One story of each family of schedules, end to end on running nodes, then the audit of every queue
 * and each occurrence with its outcome. Blocks the caller; confined to one thread.
 */
public final class ScheduleDemo {
  private static final Duration BLOCK_INTERVAL = Duration.ofMillis(50);

  /** So few that bids matter. */
  private static final GasPrioritySettings TWO_IN_A_BLOCK =
      new GasPrioritySettings(100, 2, 100, 200, 1, 10_240);

  private final Stage.Surroundings surroundings;

  public ScheduleDemo(Starter starter, Console console, StopSignal stop) {
    this.surroundings = new Stage.Surroundings(starter, console, stop);
  }

  /**
   * @param data where the nodes keep their data; without it in a temporary directory
   * @param keepRunning whether the nodes stay up afterwards until a person stops them
   * @return whether everything came out right
   * @throws WrongOption if there is data of an earlier run
   * @throws DemoStopped if a person ends it before its end
   */
  public boolean run(Optional<Path> data, boolean keepRunning) {
    var directory = DemoDirectory.open(data);
    if (Files.exists(directory.ledger())) {
      throw new WrongOption("The stories begin on fresh data: name an empty directory as --data.");
    }
    boolean keep = true;
    try {
      boolean holds = run(directory, keepRunning);
      keep = !holds;
      return holds;
    } catch (DemoStopped e) {
      keep = false;
      throw e;
    } finally {
      if (!keep) {
        directory.release();
      } else {
        surroundings.console().err().println("The data and the log are in " + directory.path());
      }
    }
  }

  private boolean run(DemoDirectory directory, boolean keepRunning) {
    LogFile.under(directory.path());
    NativeCode.under(directory.path());
    var out = surroundings.console().out();
    out.println("3 nodes over an embedded ledger in this process; data in " + directory.path());
    var findings = new Findings();
    try (var stage = new Stage(surroundings, directory, scheduler())) {
      for (var story : stories()) {
        out.println();
        out.println(story.title());
        out.flush();
        story.tell(stage, findings);
      }
      audit(stage, findings);
      lines(findings).forEach(out::println);
      out.flush();
      if (keepRunning) {
        stage.keepRunning();
      }
    }
    return findings.hold();
  }

  private static List<Story> stories() {
    return List.of(
        new MultiSignatureStory(), new RecurringStory(), new GasPriorityStory(), new PlanStory());
  }

  private static SchedulerConfiguration scheduler() {
    return SchedulerConfiguration.DEFAULT
        .withQueues(
            QueueSetup.of(
                SchedulerConfiguration.DEFAULT.queues().administrator(),
                new MultiSignature(MultiSignatureSettings.MVP),
                new Recurring(RecurringSettings.DEFAULT),
                new GasPriority(TWO_IN_A_BLOCK),
                new PlanExecutions(plans())))
        .withBlockInterval(BLOCK_INTERVAL);
  }

  /** So that nobody has to wait for a window. */
  private static PlanSettings plans() {
    return PlanSettings.DEFAULT.withMinimumTimeBeforeExecution(Duration.ofSeconds(1));
  }

  private static void audit(Stage stage, Findings findings) {
    int number = 1;
    for (var node : stage.nodes()) {
      audit(node, "node" + number++, findings);
    }
  }

  static void audit(StoryNode node, String name, Findings findings) {
    var audit = node.call("schedule_audit", "[]");
    findings.check(
        audit.get("conserved").asBoolean(),
        "the audit of %s's queue: all accounts sum to %s, held %s, owed %s",
        name,
        audit.get("sumOfAccounts").asText(),
        audit.get("held").asText(),
        audit.get("owed").asText());
  }

  /** The end of the demonstration, for people. */
  private static List<String> lines(Findings findings) {
    int what =
        findings.occurrences().stream().mapToInt(each -> each.what().length()).max().orElse(1);
    var text = new ReportText(what).title("Occurrences and their one outcome");
    findings
        .occurrences()
        .forEach(
            each ->
                text.fact(each.what(), "  %-9s  %-28s  %s", each.outcome(), each.key(), each.at()));
    text.title("What must hold");
    findings.findings().forEach(text::finding);
    return text.lines();
  }
}
