package dev.sequitur.node.network;

import dev.sequitur.fixture.TestPostgres;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.port.BaseLedger;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * What a network of processes looks like.
 *
 * @param jvms how many JVMs each node has, node1 first; one keeps its data in a LevelDB, more share
 *     a PostgreSQL
 * @param ledger what the nodes have as their base ledger
 * @param settings lines of every node's configuration; {@link #FRONT} in them is another account on
 *     each JVM of a node
 */
public record NetworkPlan(List<Integer> jvms, Ledger ledger, String settings) {
  /** A base ledger, in a process of its own. */
  public enum Ledger {
    /** The one that is shipped. */
    OURS,
    /** A chain with a block a second. */
    CHAIN
  }

  /** Longer than any test: who coordinates changes by faults only. */
  public static final String ONE_RANGE = "sequencer.selection.range-size = 1000000\n";

  /** Nobody comes back but by a sign of life, and no actor forgets who is gone. */
  public static final String NO_PARDON =
      "sequencer.heartbeats.presumed-unavailable = 30m\nactors.idle-after = 30m\n";

  /** A lost dispatch is noticed sooner than by default. */
  public static final String QUICK = "sequencer.heartbeats.submitter-failure-threshold = 4s\n";

  /** The node account of a front for Hedera's clients: 0.0.3 on the first JVM, then 0.0.4. */
  public static final String FRONT = "$FRONT";

  private static final Duration BLOCK_TIME = Duration.ofMillis(200);
  private static final int EACH = 3;

  public static NetworkPlan of(String settings, Integer... jvms) {
    return new NetworkPlan(List.of(jvms), Ledger.OURS, settings);
  }

  public NetworkPlan on(Ledger other) {
    return new NetworkPlan(jvms, other, settings);
  }

  public int ports() {
    return 1 + EACH * jvms.stream().mapToInt(Integer::intValue).sum();
  }

  public boolean needsDatabase() {
    return jvms.stream().anyMatch(each -> each > 1);
  }

  /**
   * The files of a network whose ports are counted from a first one.
   *
   * @param ledgerAccess how each node reaches the ledger
   */
  public record Files(NetworkPlan plan, int firstPort, String ledgerAccess) {
    public Files(NetworkPlan plan, int firstPort) {
      this(plan, firstPort, "ledger { mode = remote, remote.port = " + firstPort + " }");
    }

    /** Of nodes that use a chain, where gas costs nothing. */
    public Files on(URI rpc, LedgerAddress factory) {
      return new Files(
          plan,
          firstPort,
          """
          ledger {
            mode = ethereum
            chain-id = %d
            ethereum { rpc = ["%s"], factory = "%s" }
            gas { initial-fee = 0, initial-priority-fee = 0, max-fee = 0, max-priority-fee = 0 }
          }
          """
              .formatted(BaseLedger.LOCAL_CHAIN, rpc, factory.value()));
    }

    public int ledgerPort() {
      return firstPort;
    }

    public int rpcPort(int node, int number) {
      return port(node, number);
    }

    private int transportPort(int node, int number) {
      return port(node, number) + 1;
    }

    private int remotingPort(int node, int number) {
      return port(node, number) + 2;
    }

    private int port(int node, int number) {
      int before = plan.jvms.subList(0, node - 1).stream().mapToInt(Integer::intValue).sum();
      return firstPort + 1 + EACH * (before + number - 1);
    }

    public String ledger() {
      return "ledger { data-directory = ledger, port = %d, block-time = %dms }"
          .formatted(ledgerPort(), BLOCK_TIME.toMillis());
    }

    public String jvm(int node, int number, TestPostgres postgres) {
      return plan.jvms.get(node - 1) == 1
          ? common(node, number) + "node.data-directory = node" + node + "\n"
          : common(node, number) + ofSeveral(node, number, postgres);
    }

    private String common(int node, int number) {
      return """
          node.name = node%1$d
          rpc.port = %2$d
          transport {
            enabled = true
            port = %3$d
            tls {
              certificate = certificates/node%1$d.pem
              private-key = certificates/node%1$d.key.pem
              authority = certificates/authority.pem
            }
            peers { %4$s }
          }
          %5$s
          chaos.enabled = true
          %6$s
          """
          .formatted(
              node,
              rpcPort(node, number),
              transportPort(node, number),
              peers(node),
              ledgerAccess,
              plan.settings.replace(FRONT, "0.0." + (2 + number)));
    }

    private String peers(int self) {
      var peers = new StringBuilder();
      for (int node = 1; node <= plan.jvms.size(); node++) {
        if (node != self) {
          peers.append("node%d = \"%s\"\n".formatted(node, addresses(node)));
        }
      }
      return peers.toString();
    }

    private String addresses(int node) {
      var addresses = new StringBuilder();
      for (int number = 1; number <= plan.jvms.get(node - 1); number++) {
        addresses.append(number == 1 ? "" : ", ").append("127.0.0.1:");
        addresses.append(transportPort(node, number));
      }
      return addresses.toString();
    }

    private String ofSeveral(int node, int number, TestPostgres postgres) {
      return """
          node { data-directory = node%1$d-%2$d, key-directory = node%1$d-keys }
          cluster {
            enabled = true
            port = %3$d
            seed-nodes = ["127.0.0.1:%4$d", "127.0.0.1:%5$d"]
            # No load balancer looks.
            drain { notice = 500ms, at-most = 3s }
            tls {
              certificate = certificates/node%1$d.pem
              private-key = certificates/node%1$d.key.pem
              authority = certificates/authority.pem
            }
          }
          postgresql { url = "%6$s", user = %7$s, password = %8$s, schema = node%1$d }
          """
          .formatted(
              node,
              number,
              remotingPort(node, number),
              remotingPort(node, 1),
              remotingPort(node, 2),
              postgres.url(),
              postgres.user(),
              postgres.password());
    }
  }
}
