package dev.sequitur.laboratory.demo.schedule;

import dev.sequitur.console.Console;
import dev.sequitur.console.StopSignal;
import dev.sequitur.laboratory.demo.DemoDirectory;
import dev.sequitur.laboratory.demo.DemoStopped;
import dev.sequitur.laboratory.demo.KeepRunning;
import dev.sequitur.laboratory.local.LocalNode;
import dev.sequitur.ledger.LedgerSettings;
import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.node.configuration.SchedulerConfiguration;
import dev.sequitur.node.process.RunningNetwork;
import dev.sequitur.node.process.StartFailure;
import dev.sequitur.node.process.Starter;
import dev.sequitur.node.process.Starter.NetworkPlan;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.port.BaseLedger;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The nodes that the stories run on. */
final class Stage implements AutoCloseable {
  private static final Duration BLOCK_TIME = Duration.ofMillis(250);
  private static final String STOPPED = "Stopped in the middle of a story.";

  private final Console console;
  private final StopSignal stop;
  private final DemoDirectory directory;
  private final RunningNetwork network;

  Stage(Surroundings surroundings, DemoDirectory directory, SchedulerConfiguration scheduler) {
    this.console = surroundings.console();
    this.stop = surroundings.stop();
    this.directory = directory;
    var nodes =
        Stream.of("node1", "node2", "node3")
            .map(
                name ->
                    NodeConfiguration.embedded(new NodeName(name), directory.node(name))
                        .withScheduler(scheduler))
            .toList();
    var blocks = LedgerSettings.DEFAULT.withBlockTime(BLOCK_TIME);
    this.network =
        start(surroundings.starter(), new NetworkPlan(directory.ledger(), blocks, nodes));
  }

  /** What the process gives. */
  record Surroundings(Starter starter, Console console, StopSignal stop) {}

  private RunningNetwork start(Starter starter, NetworkPlan plan) {
    try (var progress = console.progress("Nodes", plan.nodes().size())) {
      return starter.startNetwork(plan, node -> progress.update(plan.nodes().size(), ""));
    }
  }

  /**
   * Starts one more node, in a process of its own; whoever asks for it closes it.
   *
   * @param settings by their path in its configuration
   */
  LocalNode startProcess(String name, Map<String, String> settings) {
    try {
      return LocalNode.start(new NodeName(name), directory.path().resolve(name), settings);
    } catch (StartFailure e) {
      throw unlessStopped(e);
    }
  }

  /** Starts such a node again on its data. */
  void startAgain(LocalNode process) {
    try {
      process.startAgain();
    } catch (StartFailure e) {
      throw unlessStopped(e);
    }
  }

  /** A node in a process of its own, where it answers now. */
  StoryNode node(LocalNode process) {
    return new StoryNode(process.url().toString(), this);
  }

  /**
   * What a failure means: Ctrl-C reaches the processes of the demonstration too, and then it is no
   * failure that they do not answer.
   */
  RuntimeException unlessStopped(RuntimeException failure) {
    return stop.isRequested() ? new DemoStopped(STOPPED) : failure;
  }

  /**
   * @param number from 1
   */
  StoryNode node(int number) {
    return new StoryNode(network.nodes().get(number - 1).url(), this);
  }

  /** Every node. */
  List<StoryNode> nodes() {
    return network.nodes().stream().map(node -> new StoryNode(node.url(), this)).toList();
  }

  BaseLedger ledger() {
    return network.ledger();
  }

  void say(String sentence, Object... values) {
    console.out().println("  " + sentence.formatted(values));
    console.out().flush();
  }

  /** Until a person wants an end; says what can be tried. */
  void keepRunning() {
    KeepRunning.addresses(network).forEach(console.out()::println);
    console.out().println();
    console.out().println("What one of the queues has to do, and whether its money adds up:");
    var url = network.nodes().get(0).url();
    for (var method : List.of("schedule_overview", "schedule_audit")) {
      console.out().println(KeepRunning.curl(url, "\"%s\",\"params\":[]".formatted(method)));
    }
    console.out().flush();
    stop.await();
  }

  /** Lets time pass, unless a person wants an end. */
  void pause(Duration time) {
    if (stop.await(time)) {
      throw new DemoStopped(STOPPED);
    }
  }

  @Override
  public void close() {
    network.close();
  }
}
