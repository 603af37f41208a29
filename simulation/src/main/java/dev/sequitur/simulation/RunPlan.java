package dev.sequitur.simulation;

/**
 * What a run is like. The same plan gives the same run.
 *
 * @param seed everything that is left open comes from it
 * @param transactions that callers submit, if a node is up to take them; at least 1
 * @param leastNodes in the network, from 3
 * @param mostNodes in the network, up to 30
 * @param mostJvms of a node, up to 3; with more than 1 they join, move what they have, die and are
 *     left out
 * @param changes whether committees change while all else happens: their keys, thresholds and
 *     members
 * @param restores whether nodes are set back to older copies of their records while all else
 *     happens
 */
public record RunPlan(
    long seed,
    int transactions,
    int leastNodes,
    int mostNodes,
    int mostJvms,
    boolean changes,
    boolean restores) {
  /** The fewest and the most nodes of a network. */
  public static final int FEWEST = 3;

  public static final int MOST = 30;

  /** As many as networks have at most if nobody asks for more: what happens in them can be read. */
  public static final int USUAL = 7;

  public static final int MOST_JVMS = 3;

  /** So many that conflicts are the rule, and so few that a failure can be read. */
  public static final int TRANSACTIONS = 50;

  public RunPlan {
    if (mostJvms < 1 || mostJvms > MOST_JVMS) {
      throw new IllegalArgumentException("A node has 1 to 3 JVMs: " + mostJvms);
    }
    if (transactions < 1 || leastNodes < FEWEST || mostNodes > MOST || leastNodes > mostNodes) {
      throw new IllegalArgumentException(
          "A run has transactions, and 3 to 30 nodes: "
              + transactions
              + " on "
              + leastNodes
              + ".."
              + mostNodes);
    }
  }

  public static RunPlan of(long seed) {
    return new RunPlan(seed, TRANSACTIONS, FEWEST, USUAL, 1, false, false);
  }

  public RunPlan withJvms(int most) {
    return new RunPlan(seed, transactions, leastNodes, mostNodes, most, changes, restores);
  }

  public RunPlan withChanges() {
    return new RunPlan(seed, transactions, leastNodes, mostNodes, mostJvms, true, restores);
  }

  /**
   * What a node that is set back cannot know, it does again: what schedules have run. So there are
   * none, and nothing else than transactions and messages between members.
   */
  public RunPlan withRestores() {
    return new RunPlan(seed, transactions, leastNodes, mostNodes, mostJvms, changes, true);
  }

  /** Every tenth network is left in peace: what faults excuse must not happen there. */
  public boolean isFaulty() {
    return restores || seed % 10 != 0;
  }

  /** Half of the networks in peace have none, so that what they show is the intents' alone. */
  public boolean hasSchedules() {
    return !restores && seed % 20 != 10;
  }

  /**
   * In two of ten networks members send each other messages; in one of them a member lies. Where
   * nodes are set back, they do in each second one.
   */
  public boolean hasMessages() {
    return restores ? seed % 2 == 1 : seed % 10 >= 8;
  }

  /** In two of ten networks nodes make groups besides. */
  public boolean hasFoundings() {
    return !restores && (seed % 10 == 5 || seed % 10 == 7);
  }

  /** In two of ten networks senders move, and the store fails as it accepts. */
  public boolean hasMoves() {
    return !restores && (seed % 10 == 1 || seed % 10 == 6);
  }

  /** In two of ten networks gas costs money, and keys have what a funding account sends them. */
  public boolean hasFunding() {
    return !restores && (seed % 10 == 4 || seed % 10 == 5);
  }

  /** In every tenth network one member lies, and a stranger forges, while faults strike. */
  public boolean isDishonest() {
    return !restores && seed % 10 == 9;
  }
}
