package dev.sequitur.node.network;

import static org.awaitility.Awaitility.await;

import dev.sequitur.crypto.FileKeys;
import dev.sequitur.crypto.Secp256k1Signatures;
import dev.sequitur.ethereum.Anvil;
import dev.sequitur.ethereum.ChainRpc;
import dev.sequitur.ethereum.FactoryDeployment;
import dev.sequitur.fixture.FreePorts;
import dev.sequitur.fixture.TestPostgres;
import dev.sequitur.links.tls.Certificates;
import dev.sequitur.links.tls.Certificates.Validity;
import dev.sequitur.node.process.JsonRpcCaller;
import dev.sequitur.node.process.SequiturProcess;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.LedgerTransaction.Deploy;
import dev.sequitur.protocol.port.BaseLedger;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionTimeoutException;

/**
 * A network as people run it: a ledger, and every JVM of every node, each a process of its own.
 * Closes all that it has started.
 */
public final class Network implements Parties, AutoCloseable {
  private final Path directory;
  private NetworkPlan.Files files;
  private final Optional<TestPostgres> postgres;
  private final List<List<Jvm>> nodes = new ArrayList<>();
  private final List<AutoCloseable> started = new ArrayList<>();
  private final Map<Hash, Deploy> made = new ConcurrentHashMap<>();
  private LedgerProcess ledger;

  /** The ledger's, as faults need it. */
  private interface LedgerProcess {
    void freeze();

    void thaw();

    LedgerOracle read();
  }

  private Network(Path directory, NetworkPlan plan) {
    this.directory = directory;
    this.files = new NetworkPlan.Files(plan, FreePorts.inARow(plan.ports()));
    this.postgres = plan.needsDatabase() ? Optional.of(TestPostgres.start()) : Optional.empty();
    postgres.ifPresent(started::add);
  }

  /**
   * Starts everything at once and waits until it serves.
   *
   * @param directory an empty one
   */
  public static Network start(Path directory, NetworkPlan plan) {
    var network = new Network(directory, plan);
    try {
      network.begin(plan);
      return network;
    } catch (IOException e) {
      network.close();
      throw new UncheckedIOException(e);
    } catch (RuntimeException | Error e) {
      network.close();
      throw e;
    }
  }

  private void begin(NetworkPlan plan) throws IOException {
    var names =
        IntStream.rangeClosed(1, plan.jvms().size()).mapToObj(i -> new NodeName("node" + i));
    var now = Instant.now();
    Certificates.writeNetwork(
        directory.resolve("certificates"),
        names.toList(),
        new Validity(now.minus(Duration.ofHours(1)), now.plus(Duration.ofDays(90))));
    ledger =
        switch (plan.ledger()) {
          case OURS -> ours();
          case CHAIN -> chain();
        };
    for (int node = 1; node <= plan.jvms().size(); node++) {
      nodes.add(new ArrayList<>());
      for (int number = 1; number <= plan.jvms().get(node - 1); number++) {
        nodes.get(node - 1).add(begin(node, number));
      }
    }
    jvms().forEach(Jvm::awaitUp);
  }

  private LedgerProcess ours() throws IOException {
    var process =
        SequiturProcess.start(directory, "ledger", "--config", write("ledger", files.ledger()));
    started.add(process);
    process.awaitLine("The ledger is up");
    var address = URI.create("http://127.0.0.1:" + files.ledgerPort());
    return new LedgerProcess() {
      @Override
      public void freeze() {
        process.freeze();
      }

      @Override
      public void thaw() {
        process.thaw();
      }

      @Override
      public LedgerOracle read() {
        return LedgerOracle.read(address);
      }
    };
  }

  private LedgerProcess chain() throws IOException {
    var anvil = Anvil.startWithBlocks();
    started.add(anvil);
    var operator = FileKeys.open(directory.resolve("operator")).signer("operator");
    var rpc = new ChainRpc(List.of(anvil.address()), ForkJoinPool.commonPool());
    var factory =
        new FactoryDeployment(
                rpc, BaseLedger.LOCAL_CHAIN, operator, new Secp256k1Signatures(), Fees.flat(0))
            .deploy()
            .toCompletableFuture()
            .join();
    files = files.on(anvil.address(), factory);
    return new LedgerProcess() {
      @Override
      public void freeze() {
        SequiturProcess.signal("STOP", anvil.pid());
      }

      @Override
      public void thaw() {
        SequiturProcess.signal("CONT", anvil.pid());
      }

      @Override
      public LedgerOracle read() {
        return LedgerOracle.read(anvil.address(), factory, made);
      }
    };
  }

  private Jvm begin(int node, int number) throws IOException {
    var name = "node" + node + "-" + number;
    var file = write(name, files.jvm(node, number, postgres.orElse(null)));
    var caller = new JsonRpcCaller("http://127.0.0.1:" + files.rpcPort(node, number));
    var jvm = new Jvm(name, directory, file, caller);
    started.add(jvm);
    jvm.begin();
    return jvm;
  }

  private String write(String name, String content) throws IOException {
    return Files.writeString(directory.resolve(name + ".conf"), content).toString();
  }

  @Override
  public int nodes() {
    return nodes.size();
  }

  /** Both are counted from 1. */
  public Jvm jvm(int node, int number) {
    return nodes.get(node - 1).get(number - 1);
  }

  /** The one JVM of a node that has no other. */
  public Jvm node(int node) {
    if (nodes.get(node - 1).size() > 1) {
      throw new IllegalArgumentException("node" + node + " has more than one JVM");
    }
    return jvm(node, 1);
  }

  public List<Jvm> jvms(int node) {
    return List.copyOf(nodes.get(node - 1));
  }

  public List<Jvm> jvms() {
    return nodes.stream().flatMap(List::stream).toList();
  }

  @Override
  public List<JsonRpcCaller> callers(int node) {
    return jvms(node).stream().map(Jvm::caller).toList();
  }

  @Override
  public URI ledger() {
    return URI.create("http://127.0.0.1:" + files.ledgerPort());
  }

  @Override
  public void made(Deploy terms) {
    made.put(terms.hash(), terms);
  }

  @Override
  public LedgerOracle oracle() {
    return ledger.read();
  }

  /**
   * Nobody's transactions get into a block until the ledger is thawed. All JVMs know the same
   * blocks then: one that lacks the last could assemble nothing until it comes.
   */
  public void freezeLedger(Group group) {
    await()
        .alias("all JVMs know the same blocks of a ledger that stands still")
        .atMost(PATIENCE)
        .pollDelay(Duration.ZERO)
        .until(
            () -> {
              ledger.freeze();
              boolean same = staysAtOneHeight(group);
              if (!same) {
                ledger.thaw();
              }
              return same;
            });
  }

  /** What was on its way to a JVM arrives within this time. */
  private boolean staysAtOneHeight(Group group) {
    try {
      await()
          .pollDelay(Duration.ZERO)
          .during(Duration.ofMillis(500))
          .atMost(Duration.ofSeconds(3))
          .until(
              () -> jvms().stream().map(jvm -> group.height(jvm.caller())).distinct().count() == 1);
      return true;
    } catch (ConditionTimeoutException e) {
      return false;
    }
  }

  public void thawLedger() {
    ledger.thaw();
  }

  /** Of the nodes that have several JVMs. */
  public TestPostgres postgres() {
    return postgres.orElseThrow();
  }

  /** All faults are over, and every JVM serves. */
  public void heal() {
    ledger.thaw();
    jvms().stream().filter(jvm -> !jvm.isAlive()).toList().forEach(Jvm::begin);
    jvms().forEach(Jvm::awaitUp);
    jvms().forEach(jvm -> jvm.faults().clear());
  }

  /** What all processes have said, for a failure. */
  public String output() {
    var all = new StringBuilder();
    jvms().forEach(jvm -> all.append("\n--- " + jvm.name() + "\n").append(jvm.output()));
    return all.toString();
  }

  @Override
  public void close() {
    for (int i = started.size() - 1; i >= 0; i--) {
      try {
        started.get(i).close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
