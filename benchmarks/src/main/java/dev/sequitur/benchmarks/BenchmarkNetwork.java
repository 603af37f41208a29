package dev.sequitur.benchmarks;

import dev.sequitur.laboratory.demo.DemoChain;
import dev.sequitur.ledger.LedgerSettings;
import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.node.configuration.TracingSettings;
import dev.sequitur.node.process.ProcessStarter;
import dev.sequitur.node.process.RunningNetwork;
import dev.sequitur.node.process.RunningNode;
import dev.sequitur.node.process.Starter.NetworkPlan;
import dev.sequitur.protocol.group.GroupRequest;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.settings.SequencerSettings.LimitSettings.LedgerBatch;
import dev.sequitur.sequencer.SequencerNode;
import dev.sequitur.sequencer.setup.NodeSetup;
import dev.sequitur.sequencer.setup.SequencerMetrics;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** Nodes in this process as {@code ./sequitur demo} starts them, with all defaults. */
final class BenchmarkNetwork implements AutoCloseable {
  private static final int GROUPS_AT_ONCE = 64;

  /** Fewer than a node waits for: it refuses more of others, without their contracts. */
  private static final int GROUPS_UNCONFIRMED = 512;

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private static final int BLOCKS_LOOKED_AT = 20;

  private final RunningNetwork network;
  private final Optional<DemoChain> chain;

  private BenchmarkNetwork(RunningNetwork network, Optional<DemoChain> chain) {
    this.network = network;
    this.chain = chain;
  }

  /**
   * @param members how many nodes there are: each has one member in every group
   */
  static BenchmarkNetwork start(Path directory, int members, TracingSettings tracing) {
    return start(directory, members, node -> node.withTracing(tracing));
  }

  /**
   * As {@link #start(Path, int, TracingSettings)}.
   *
   * @param changed each node's configuration from the one with all defaults
   */
  static BenchmarkNetwork start(
      Path directory, int members, UnaryOperator<NodeConfiguration> changed) {
    var nodes = nodes(directory, members).stream().map(changed).toList();
    var plan = new NetworkPlan(directory.resolve("ledger"), LedgerSettings.DEFAULT, nodes);
    return new BenchmarkNetwork(started(plan), Optional.empty());
  }

  /**
   * As {@link #start(Path, int, TracingSettings)}, over a chain.
   *
   * @param chain stays open when the network is closed
   * @param batch transactions that are assembled and endorsed together, and go together in one of
   *     the chain
   */
  static BenchmarkNetwork start(Path directory, int members, DemoChain chain, int batch) {
    var nodes =
        nodes(directory, members).stream()
            .map(node -> node.withRules(chain.rules(batched(node.rules(), batch))))
            .toList();
    var plan = new NetworkPlan(chain.ledger(), nodes);
    return new BenchmarkNetwork(started(plan), Optional.of(chain));
  }

  private static NodeSetup.Rules batched(NodeSetup.Rules rules, int batch) {
    var limits = rules.sequencer().limits();
    var carried = limits.ledgerBatch();
    var sequencer =
        rules
            .sequencer()
            .withLimits(
                limits
                    .withAssembleBatch(batch)
                    .withAttestationBatch(batch)
                    .withLedgerBatch(new LedgerBatch(batch, carried.bytes(), carried.gas())));
    return rules.withSequencer(sequencer);
  }

  private static RunningNetwork started(NetworkPlan plan) {
    return new ProcessStarter().startNetwork(plan, node -> {});
  }

  private static List<NodeConfiguration> nodes(Path directory, int members) {
    return members(members).stream()
        .map(Identity::node)
        .map(name -> NodeConfiguration.embedded(name, directory.resolve(name.value())))
        .toList();
  }

  /** What the newest blocks of the chain use of their gas, if there is a chain. */
  Optional<String> gas() {
    return chain.map(on -> on.gasOf(BLOCKS_LOOKED_AT));
  }

  List<SequencerNode> nodes() {
    return network.nodes().stream().map(RunningNode::sequencer).toList();
  }

  /** Where each node serves JSON-RPC. */
  List<URI> addresses() {
    return network.nodes().stream().map(node -> URI.create(node.url())).toList();
  }

  /** The member that each node has in every group, in order of the nodes. */
  List<Identity> members() {
    return members(nodes().size());
  }

  private static List<Identity> members(int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(number -> new Identity("member" + number, new NodeName("node" + number)))
        .toList();
  }

  /** Makes so many groups of all members; returns when every node knows every contract. */
  List<PrivacyGroup> createGroups(String domain, int count) {
    var ids = new HashSet<GroupId>();
    var open = new ArrayDeque<CompletableFuture<GroupId>>();
    for (int number = 0; number < count; number++) {
      if (open.size() == GROUPS_AT_ONCE) {
        ids.add(oldest(open));
      }
      var name = domain + "-" + number;
      var request = new GroupRequest(domain, name, members(), Bytes.utf8("{}"), Bytes.utf8("{}"));
      var node = nodes().get(number % nodes().size());
      open.add(node.createGroup(request).thenApply(group -> group.id()).toCompletableFuture());
      if (number % GROUPS_UNCONFIRMED == GROUPS_UNCONFIRMED - 1) {
        finish(open, ids);
      }
    }
    finish(open, ids);
    var first = nodes().get(0);
    return ids.stream()
        .flatMap(id -> first.store().group(id).toCompletableFuture().join().stream())
        .flatMap(stored -> stored.group().stream())
        .filter(group -> first.knows(group.contract()).toCompletableFuture().join())
        .toList();
  }

  private void finish(Deque<CompletableFuture<GroupId>> open, Set<GroupId> ids) {
    while (!open.isEmpty()) {
      ids.add(oldest(open));
    }
    awaitContracts(ids.size());
  }

  private static GroupId oldest(Deque<CompletableFuture<GroupId>> open) {
    return open.remove().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
  }

  private void awaitContracts(int count) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (nodes().stream().anyMatch(node -> node.groupCount() < count)) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "The groups' contracts were not confirmed on all nodes within " + PATIENCE + ".");
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }

  /** Of all nodes together. */
  SequencerMetrics.Counts counts() {
    return nodes().stream()
        .map(SequencerNode::counts)
        .reduce(SequencerMetrics.Counts.NONE, SequencerMetrics.Counts::plus);
  }

  @Override
  public void close() {
    network.close();
  }
}
