package dev.sequitur.node.demo.schedule;

import dev.sequitur.ledger.LedgerSettings;
import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.node.configuration.SchedulerConfiguration;
import dev.sequitur.node.console.Console;
import dev.sequitur.node.demo.DemoDirectory;
import dev.sequitur.node.demo.DemoStopped;
import dev.sequitur.node.process.RunningNetwork;
import dev.sequitur.node.process.Starter;
import dev.sequitur.node.process.Starter.NetworkPlan;
import dev.sequitur.node.process.StopSignal;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.port.BaseLedger;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** The nodes that the stories run on, which can be stopped and started again on their data. */
final class Stage implements AutoCloseable {
  private static final Duration BLOCK_TIME = Duration.ofMillis(250);

  private final Starter starter;
  private final Console console;
  private final StopSignal stop;
  private final NetworkPlan plan;
  private RunningNetwork network;

  Stage(Surroundings surroundings, DemoDirectory directory, SchedulerConfiguration scheduler) {
    this.starter = surroundings.starter();
    this.console = surroundings.console();
    this.stop = surroundings.stop();
    var nodes =
        Stream.of("node1", "node2", "node3")
            .map(
                name ->
                    NodeConfiguration.embedded(new NodeName(name), directory.node(name))
                        .withScheduler(scheduler))
            .toList();
    this.plan =
        new NetworkPlan(
            directory.ledger(), LedgerSettings.DEFAULT.withBlockTime(BLOCK_TIME), nodes);
    this.network = start();
  }

  /** What the process gives. */
  record Surroundings(Starter starter, Console console, StopSignal stop) {}

  private RunningNetwork start() {
    try (var progress = console.progress("Nodes", plan.nodes().size())) {
      return starter.startNetwork(plan, node -> progress.update(plan.nodes().size(), ""));
    }
  }

  /** Stops every node and the ledger, actors, journals and all, and starts them on their data. */
  void restart() {
    network.close();
    network = start();
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

  /** Lets time pass, unless a person wants an end. */
  void pause(Duration time) {
    if (stop.await(time)) {
      throw new DemoStopped("Stopped in the middle of a story.");
    }
  }

  @Override
  public void close() {
    network.close();
  }
}
