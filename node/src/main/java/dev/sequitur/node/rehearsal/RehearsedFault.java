package dev.sequitur.node.rehearsal;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.NodeName;
import java.time.Duration;
import java.util.Set;

/** What can be wrong with a node's network or with its view of the ledger. */
public sealed interface RehearsedFault {

  /** Which of them. */
  enum Kind {
    DROP("drop"),
    DELAY("delay"),
    DUPLICATE("duplicate"),
    PARTITION("partition"),
    LEDGER_LAG("ledgerLag"),
    LEDGER_REVERT("ledgerRevert");

    private final String word;

    Kind(String word) {
      this.word = word;
    }

    /** As callers name it. */
    public String word() {
      return word;
    }
  }

  Kind kind();

  /** One of what the node sends to others; a partition cuts both ways. */
  sealed interface Network extends RehearsedFault {
    /** Whom it concerns; empty for all others. */
    Set<NodeName> peers();
  }

  /**
   * Which of the messages that a node sends to others.
   *
   * @param peers to whom; empty for all others
   * @param messages names in the specification, as {@code AssembleRequest}; empty for all
   * @param contracts what they are about; empty for all
   */
  record Traffic(Set<NodeName> peers, Set<String> messages, Set<ContractAddress> contracts) {
    public Traffic {
      peers = Set.copyOf(peers);
      messages = Set.copyOf(messages);
      contracts = Set.copyOf(contracts);
    }

    /** All messages to these. */
    public static Traffic to(Set<NodeName> peers) {
      return new Traffic(peers, Set.of(), Set.of());
    }
  }

  /** A fault that a message meets or is spared. */
  sealed interface OfMessages extends Network {
    Traffic traffic();

    /** That a message meets it. */
    double probability();

    @Override
    default Set<NodeName> peers() {
      return traffic().peers();
    }
  }

  /** Loses messages. */
  record Drop(Traffic traffic, double probability) implements OfMessages {
    public Drop {
      checkProbability(probability);
    }

    @Override
    public Kind kind() {
      return Kind.DROP;
    }
  }

  /** Holds messages back, each for any time up to {@code atMost}, so that some overtake others. */
  record Delay(Traffic traffic, double probability, Duration atMost) implements OfMessages {
    private static final Duration LONGEST = Duration.ofMinutes(1);

    public Delay {
      checkProbability(probability);
      if (atMost.isNegative() || atMost.isZero() || atMost.compareTo(LONGEST) > 0) {
        throw new IllegalArgumentException("A delay is from 1 to 60000 milliseconds.");
      }
    }

    @Override
    public Kind kind() {
      return Kind.DELAY;
    }
  }

  /** Sends messages twice. */
  record Duplicate(Traffic traffic, double probability) implements OfMessages {
    public Duplicate {
      checkProbability(probability);
    }

    @Override
    public Kind kind() {
      return Kind.DUPLICATE;
    }
  }

  /** Lets nothing through, in either direction. */
  record Partition(Set<NodeName> peers) implements Network {
    public Partition {
      peers = Set.copyOf(peers);
    }

    @Override
    public Kind kind() {
      return Kind.PARTITION;
    }
  }

  /** What is wrong with the node's view of the ledger. */
  sealed interface OfLedger extends RehearsedFault {}

  /** The node does not see the newest blocks. */
  record LedgerLag(int blocks) implements OfLedger {
    private static final int MOST = 1_000;

    public LedgerLag {
      if (blocks < 1 || blocks > MOST) {
        throw new IllegalArgumentException("A lag is from 1 to " + MOST + " blocks.");
      }
    }

    @Override
    public Kind kind() {
      return Kind.LEDGER_LAG;
    }
  }

  /** The ledger refuses the next transactions that this node submits to a contract. */
  record LedgerRevert(ContractAddress contract, int count) implements OfLedger {
    private static final int MOST = 1_000;

    public LedgerRevert {
      if (count < 1 || count > MOST) {
        throw new IllegalArgumentException("From 1 to " + MOST + " transactions can be reverted.");
      }
    }

    @Override
    public Kind kind() {
      return Kind.LEDGER_REVERT;
    }
  }

  private static void checkProbability(double probability) {
    if (!(probability > 0 && probability <= 1)) {
      throw new IllegalArgumentException("A probability is above 0 and at most 1.");
    }
  }
}
