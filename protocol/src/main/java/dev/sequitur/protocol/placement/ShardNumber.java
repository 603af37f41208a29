package dev.sequitur.protocol.placement;

import java.util.Collection;
import java.util.Optional;
import java.util.TreeSet;

/**
 * How many shards a node has of each kind of entity: the same for all kinds, and the same in all of
 * its JVMs that run. It changes while none runs.
 */
public final class ShardNumber {
  /** Of a node that nobody has said anything else of; enough for 19 JVMs. */
  public static final int USUAL = 128;

  /** Seven for each of 146 JVMs; more would make each JVM that joins or leaves count for long. */
  public static final int MOST = 1_024;

  private ShardNumber() {}

  /** Of an entity, by its name. */
  public static int shard(String entity, int shards) {
    return Math.abs(entity.hashCode() % shards);
  }

  /**
   * Why a JVM may not start, as a sentence; empty if it may.
   *
   * @param wanted the number that the JVM is configured with
   * @param known the number that the JVMs of its node had last
   * @param running those of them that run
   */
  public static Optional<String> refusal(int wanted, int known, Collection<String> running) {
    return wanted == known || running.isEmpty()
        ? Optional.empty()
        : Optional.of(
            ("cluster.shards is %d here and %d in the JVMs of this node that run (%s): give this JVM"
                    + " the same, or stop all of them, change it in the file of each, and start them"
                    + " again.")
                .formatted(wanted, known, String.join(", ", new TreeSet<>(running))));
  }
}
