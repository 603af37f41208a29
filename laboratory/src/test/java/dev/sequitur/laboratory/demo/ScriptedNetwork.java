package dev.sequitur.laboratory.demo;

import dev.sequitur.crypto.Secp256k1Signatures;
import dev.sequitur.ledger.EmbeddedLedger;
import dev.sequitur.ledger.LedgerRuntime;
import dev.sequitur.ledger.LedgerSettings;
import dev.sequitur.ledger.LedgerStorage;
import dev.sequitur.node.configuration.HostAndPort;
import dev.sequitur.node.configuration.LedgerConfiguration;
import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.node.process.RunningNetwork;
import dev.sequitur.node.process.RunningNode;
import dev.sequitur.node.process.StartFailure;
import dev.sequitur.node.process.Starter;
import dev.sequitur.node.process.Starter.RunningLedger;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.scheduler.SchedulerNode;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * A network without a protocol: the domains, the keys and the ledger are real, but one place puts
 * everything in order. It outlives a stop, as a data directory does. A test may falsify what the
 * ledger and the nodes show.
 */
final class ScriptedNetwork implements RunningNetwork, Starter, AutoCloseable {
  private final ExecutorService threads = Executors.newFixedThreadPool(2);
  private final ScheduledExecutorService scheduler = Executors.newScheduledThreadPool(1);
  private final EmbeddedLedger ledger;
  private final ScriptedSequencer sequencer;
  private final Path keys;
  private final List<RunningNode> nodes = new ArrayList<>();
  UnaryOperator<BaseLedger> shownLedger = UnaryOperator.identity();
  NetworkPlan plan;

  ScriptedNetwork(Path keys) {
    this.keys = keys;
    var signatures = new Secp256k1Signatures();
    this.ledger =
        EmbeddedLedger.open(
            LedgerStorage.inMemory(),
            LedgerSettings.DEFAULT,
            new LedgerRuntime(signatures, Clock.systemUTC(), scheduler, threads));
    this.sequencer = new ScriptedSequencer(ledger, signatures, keys);
  }

  ScriptedSequencer sequencer() {
    return sequencer;
  }

  @Override
  public RunningNetwork startNetwork(NetworkPlan newPlan, Consumer<RunningNode> started) {
    plan = newPlan;
    nodes.clear();
    int port = 8001;
    for (var configuration : newPlan.nodes()) {
      var node =
          new RunningNode(
              sequencer.node(configuration.name()),
              withoutSchedules(),
              new RunningNode.Endpoint(new HostAndPort("127.0.0.1", port++), false),
              Optional.empty(),
              new CompletableFuture<>(),
              () -> {});
      nodes.add(node);
      started.accept(node);
    }
    return this;
  }

  private static SchedulerNode withoutSchedules() {
    return (SchedulerNode)
        Proxy.newProxyInstance(
            SchedulerNode.class.getClassLoader(),
            new Class<?>[] {SchedulerNode.class},
            (self, method, arguments) -> {
              throw new AssertionError("Not expected: " + method);
            });
  }

  @Override
  public RunningNode startNode(NodeConfiguration configuration) {
    throw new StartFailure("Not in this test: " + keys);
  }

  @Override
  public RunningLedger startLedger(LedgerConfiguration configuration) {
    return new RunningLedger(configuration.listen(), () -> {});
  }

  @Override
  public List<RunningNode> nodes() {
    return List.copyOf(nodes);
  }

  @Override
  public BaseLedger ledger() {
    return shownLedger.apply(ledger);
  }

  @Override
  public void close() {
    // The demonstration closes it; the test goes on.
  }

  void end() {
    ledger.close();
    threads.shutdownNow();
    scheduler.shutdownNow();
  }
}
