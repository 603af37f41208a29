package dev.sequitur.laboratory.chaos;

import dev.sequitur.console.Console;
import dev.sequitur.console.ProgressBar;
import dev.sequitur.console.StopSignal;
import dev.sequitur.laboratory.chaos.ChaosPlan.Step;
import dev.sequitur.laboratory.chaos.ChaosPlan.Target;
import dev.sequitur.laboratory.chaos.ChaosReport.NodeFigures;
import dev.sequitur.node.process.StartFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A rehearsal on running nodes, from beginning to end. Blocks the caller; for one run. */
public final class Chaos {
  private static final Duration LOOK = Duration.ofMillis(200);

  private final Console console;
  private final StopSignal stop;
  private final ChaosOptions options;
  private final List<ChaosNode> nodes;
  private final List<String> events = new ArrayList<>();
  private boolean complete = true;

  public Chaos(ChaosOptions options, Console console, StopSignal stop) {
    this.options = options;
    this.console = console;
    this.stop = stop;
    this.nodes =
        options.nodes().stream().map(uri -> new ChaosNode(uri, options.credentials())).toList();
  }

  /**
   * Sets faults at random and clears them, also if a stop is asked for.
   *
   * @return whether everything was set and cleared
   * @throws StartFailure with what a node says, if it does not let faults be set or does not answer
   */
  public boolean run() {
    var targets = nodes.stream().map(ChaosNode::target).toList();
    var plan = ChaosPlan.of(options.seed(), options.duration(), targets);
    var samples = new ArrayList<List<Map<String, Double>>>();
    long total = options.duration().plus(options.watch().multipliedBy(2)).toSeconds();
    try (var progress = console.progress("Chaos", total)) {
      samples.add(figures());
      await(progress, options.watch(), Duration.ZERO, "before");
      samples.add(figures());
      try {
        apply(plan, targets, progress);
      } finally {
        clear(targets);
      }
      samples.add(figures());
      await(progress, options.watch(), options.watch().plus(options.duration()), "after");
      samples.add(figures());
    }
    report(targets, samples).lines().forEach(console.out()::println);
    console.out().flush();
    return complete;
  }

  private List<Map<String, Double>> figures() {
    return nodes.stream().map(ChaosNode::figures).toList();
  }

  private void apply(ChaosPlan plan, List<Target> targets, ProgressBar progress) {
    var at = Duration.ZERO;
    for (var step : plan.steps()) {
      await(progress, step.at().minus(at), options.watch().plus(at), events.size() + " faults");
      at = step.at();
      if (stop.isRequested()) {
        complete = false;
        return;
      }
      set(step, targets);
    }
    await(progress, options.duration().minus(at), options.watch().plus(at), "the last faults");
  }

  private void set(Step step, List<Target> targets) {
    var what =
        "%3d s  %s  %s"
            .formatted(
                step.at().toSeconds(),
                targets.get(step.target()).name(),
                FaultJson.write(step.fault(), step.lasts()));
    try {
      nodes.get(step.target()).set(step.fault(), step.lasts());
      events.add(what);
    } catch (StartFailure e) {
      complete = false;
      events.add(what + " FAILS: " + e.getMessage());
    }
  }

  private void clear(List<Target> targets) {
    for (int i = 0; i < nodes.size(); i++) {
      try {
        nodes.get(i).clear();
      } catch (StartFailure e) {
        complete = false;
        events.add(targets.get(i).name() + " was not cleared: " + e.getMessage());
      }
    }
    events.add("%3d s  cleared".formatted(options.duration().toSeconds()));
  }

  /** Ends early if a stop is asked for. */
  private void await(ProgressBar progress, Duration time, Duration before, String detail) {
    long until = System.nanoTime() + time.toNanos();
    long start = System.nanoTime();
    while (until - System.nanoTime() > 0 && !stop.await(LOOK)) {
      long seconds = Duration.ofNanos(System.nanoTime() - start).plus(before).toSeconds();
      progress.update(seconds, detail);
    }
  }

  private ChaosReport report(List<Target> targets, List<List<Map<String, Double>>> samples) {
    var figures = new ArrayList<NodeFigures>();
    for (int i = 0; i < targets.size(); i++) {
      int node = i;
      figures.add(
          new NodeFigures(
              targets.get(i).name(), samples.stream().map(sample -> sample.get(node)).toList()));
    }
    return new ChaosReport(options, events, figures, complete);
  }
}
