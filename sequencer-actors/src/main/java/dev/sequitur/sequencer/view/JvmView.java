package dev.sequitur.sequencer.view;

import dev.sequitur.cluster.placement.ShardMoves;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One of the node's JVMs as it is now.
 *
 * @param jvm its address in the node's cluster
 * @param asked whether it is the JVM that was asked
 * @param state of its membership, such as {@code up} or {@code leaving}
 * @param told empty if it did not answer in time
 */
public record JvmView(String jvm, boolean asked, String state, Optional<Told> told) {
  /**
   * What it tells of itself, since its start where it counts.
   *
   * @param joined when it became a member
   * @param kinds of entities, by name
   * @param singletons what it does for the whole node
   * @param received envelopes from other nodes
   * @param sent envelopes to other nodes
   * @param writing how long writes to the disk or the database took
   * @param passedOn messages of other nodes for contracts that another JVM has
   */
  public record Told(
      Instant joined,
      Map<String, Share> kinds,
      List<String> singletons,
      long received,
      long sent,
      Duration writing,
      long passedOn) {
    public Told {
      kinds = Map.copyOf(kinds);
      singletons = List.copyOf(singletons);
    }
  }

  /**
   * What it has of one kind of entities.
   *
   * @param entities in memory
   */
  public record Share(int shards, int entities, ShardMoves moves) {}
}
