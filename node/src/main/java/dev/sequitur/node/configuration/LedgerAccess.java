package dev.sequitur.node.configuration;

import dev.sequitur.ethereum.ChainRpc;
import dev.sequitur.ethereum.EthereumLedger;
import dev.sequitur.ledger.LedgerSettings;
import dev.sequitur.protocol.id.LedgerAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** How a node reaches the base ledger. */
public sealed interface LedgerAccess {
  /** No chain lies behind by more. */
  long MANY = 1_000_000_000;

  /** A ledger inside the process. */
  record Embedded(LedgerSettings blocks) implements LedgerAccess {}

  /**
   * The process that {@code sequitur ledger} started.
   *
   * @param tls empty if the ledger believes whoever connects
   */
  record Remote(HostAndPort address, Optional<LedgerTls> tls) implements LedgerAccess {}

  /**
   * A chain of Ethereum's kind.
   *
   * @param rpc of its nodes, at least one
   * @param named what the operator has named them by
   * @param calls how they are called
   * @param factory makes the contracts of groups
   * @param quorum so many nodes must tell the same block
   * @param maxLag so many blocks a node may lie behind
   * @param firstBlock from which on there may be groups; 0 if it is to be found
   * @param idlePause between two looks for a new block, while nobody waits for one
   * @param legacy whether transactions have no type
   */
  record Ethereum(
      List<URI> rpc,
      String named,
      ChainCalls calls,
      LedgerAddress factory,
      EthereumLedger.Head head,
      int quorum,
      long maxLag,
      long firstBlock,
      Duration idlePause,
      boolean legacy)
      implements LedgerAccess {
    /** Of one node, as it is without a word. */
    public static Ethereum of(List<URI> rpc, String named, LedgerAddress factory) {
      return new Ethereum(
          rpc,
          named,
          ChainCalls.OPEN,
          factory,
          EthereumLedger.Head.LATEST,
          1,
          EthereumLedger.Settings.MAX_LAG,
          0,
          Duration.ZERO,
          false);
    }
  }

  /** The values of {@code ledger.mode}. */
  enum Mode {
    EMBEDDED,
    REMOTE,
    ETHEREUM
  }

  /** Whether it is in the JVM that uses it, so that another JVM would have another one. */
  default boolean isOwn() {
    return switch (this) {
      case Embedded ignored -> true;
      case Remote ignored -> false;
      case Ethereum ignored -> false;
    };
  }

  /** For a line of the log. Of a chain's nodes only the hosts: their addresses may hold keys. */
  default String place() {
    return switch (this) {
      case Embedded ignored -> "embedded in this process";
      case Remote remote -> "at " + remote.address();
      case Ethereum chain ->
          "an Ethereum chain by "
              + chain.rpc().stream().map(URI::getHost).collect(Collectors.joining(", "))
              + ", factory "
              + chain.factory();
    };
  }

  static LedgerAccess read(ConfigurationReader reader) {
    var mode = reader.oneOf("ledger.mode", Mode.class);
    var blocks = EmbeddedLedgerSection.read(reader, "ledger.embedded");
    var address = reader.hostAndPort("ledger.remote");
    var tls = LedgerTls.read(reader, "ledger.remote.tls");
    var rpc = reader.uris(ChainRpc.KEY);
    var calls = ChainCalls.read(reader, ChainCalls.OF_LEDGER, rpc, ChainRpc.KEY);
    var head = reader.oneOf("ledger.ethereum.head", EthereumLedger.Head.class);
    int quorum = reader.integer("ledger.ethereum.quorum", 1, 100);
    long maxLag = reader.wholeNumber("ledger.ethereum.max-lag", 0, MANY);
    long firstBlock = reader.wholeNumber("ledger.ethereum.first-block", 0, Long.MAX_VALUE);
    var idlePause = reader.duration("ledger.ethereum.idle-poll-interval");
    boolean legacy = reader.flag("ledger.ethereum.legacy-transactions");
    return switch (mode) {
      case EMBEDDED -> new Embedded(blocks);
      case REMOTE -> {
        if (address.port() == 0) {
          reader.mistake("ledger.remote.port is the port of a running ledger, not 0.");
        }
        yield new Remote(address, tls);
      }
      case ETHEREUM -> {
        if (rpc.isEmpty()) {
          reader.mistake(ChainRpc.KEY + " names at least one node of the chain.");
        }
        if (quorum > rpc.size()) {
          reader.mistake(
              "ledger.ethereum.quorum is at most the number of nodes in ledger.ethereum.rpc: lower"
                  + " it, or name more.");
        }
        yield new Ethereum(
            rpc,
            ChainRpc.KEY,
            calls,
            factory(reader),
            head,
            quorum,
            maxLag,
            firstBlock,
            idlePause,
            legacy);
      }
    };
  }

  private static LedgerAddress factory(ConfigurationReader reader) {
    var factory = reader.text("ledger.ethereum.factory");
    try {
      return new LedgerAddress(factory);
    } catch (IllegalArgumentException e) {
      reader.mistake(
          "ledger.ethereum.factory is the address that `sequitur deploy-factory` printed, not '"
              + factory
              + "'.");
      return new LedgerAddress("0x" + "0".repeat(40));
    }
  }
}
