package dev.sequitur.laboratory.local;

import dev.sequitur.console.Console;
import dev.sequitur.console.StopSignal;
import dev.sequitur.fixture.FreePorts;
import dev.sequitur.fixture.TestPostgres;
import dev.sequitur.laboratory.local.ClusterPlan.Jvm;
import dev.sequitur.node.network.Group;
import dev.sequitur.node.network.Intents;
import dev.sequitur.node.network.Load;
import dev.sequitur.node.network.Parties;
import dev.sequitur.node.process.JsonRpcCaller;
import dev.sequitur.node.process.SequiturProcess;
import dev.sequitur.persistence.postgres.PostgresSettings;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What {@code ./sequitur cluster --nodes 4 --jvms-per-node 2} runs, under load. */
@Timeout(1_500)
@Tag("slow")
class FourNodesOfTwoJvmsIT {
  private static final int NODES = 4;
  private static final int JVMS = 2;
  private static final int PORTS = 2 + NODES * JVMS * 3;

  /** Eight callers and nine processes share the processors with each JVM that joins again. */
  private static final Duration BETWEEN_CALLS = Duration.ofSeconds(1);

  @TempDir Path directory;
  private TestPostgres postgres;
  private LocalCluster cluster;
  private Parties parties;
  private Intents intents;
  private Load load;

  /** Eight JVMs, and a minute for each on a machine that is slow. */
  @BeforeEach
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void start() {
    // Not one of the cluster's own: as root that runs as nobody, who may not enter this directory.
    postgres = TestPostgres.start();
    var database =
        new PostgresSettings(postgres.url(), postgres.user(), postgres.password(), "any");
    var plan =
        new ClusterPlan(
            NODES,
            JVMS,
            directory,
            FreePorts.inARow(PORTS),
            Duration.ofMillis(500),
            Optional.of(database),
            Map.of(),
            Parties.PATIENCE);
    var nothing = new PrintWriter(new StringWriter());
    cluster =
        new LocalCluster(
            plan, new Console(nothing, nothing, false, 80), SequiturProcess.optionsOfJvm());
    cluster.start(new StopSignal());
    parties = new OfCluster(plan);
    intents = new Intents(parties);
    load =
        new Load(
            parties,
            intents,
            List.of(Group.create(parties, NODES), Group.create(parties, 3)),
            BETWEEN_CALLS);
    load.awaitMore(40);
  }

  @AfterEach
  void stop() {
    if (load != null) {
      load.close();
    }
    if (cluster != null) {
      cluster.close();
    }
    if (postgres != null) {
      postgres.close();
    }
  }

  private record OfCluster(ClusterPlan plan) implements Parties {
    @Override
    public int nodes() {
      return plan.nodes();
    }

    @Override
    public List<JsonRpcCaller> callers(int node) {
      return plan.jvmsOf(node).stream()
          .map(jvm -> new JsonRpcCaller(plan.rpc(jvm).toString()))
          .toList();
    }

    @Override
    public URI ledger() {
      return plan.ledger();
    }
  }

  @Test
  void aJvmOfEachNodeIsKilledOrLeavesAndJoinsAgainUnderLoad() {
    for (int node = 1; node <= NODES; node++) {
      var jvm = new Jvm(node, 1 + node % JVMS);
      if (node % 2 == 0) {
        cluster.kill(jvm);
      } else {
        cluster.leave(jvm);
      }
      load.awaitMore(20);
      cluster.startAgain(jvm);
      org.awaitility.Awaitility.await().atMost(Parties.PATIENCE).until(() -> cluster.isUp(jvm));
      load.awaitMore(20);
    }
    load.stop();

    intents.assertEachCountedOnce();
  }
}
