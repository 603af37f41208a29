package dev.sequitur.sequencer.actor;

import akka.actor.typed.ActorRef;
import dev.sequitur.persistence.serialization.ProtocolSerializable;
import dev.sequitur.protocol.placement.ShardWeights;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a JVM tells of itself, as an answer to a {@link Question}.
 *
 * @param question its number
 * @param jvm its address in the node's cluster
 * @param joined when it became a member
 * @param shards of each kind of entities, how many entities each has in memory
 * @param awake since when the entity that is sought is in memory, by its kind
 * @param singletons that it has
 * @param received envelopes from other nodes
 * @param sent envelopes to other nodes
 * @param databaseNanos that writes have taken
 * @param done by each shard since the JVM's start, in messages
 * @param passedOn messages of other nodes for contracts that another JVM has
 */
public record JvmReport(
    long question,
    String jvm,
    Instant joined,
    Map<String, Map<Integer, Integer>> shards,
    Map<String, Instant> awake,
    List<String> singletons,
    long received,
    long sent,
    long databaseNanos,
    List<Long> done,
    long passedOn)
    implements ProtocolSerializable {
  public JvmReport {
    shards = Map.copyOf(shards);
    awake = Map.copyOf(awake);
    singletons = List.copyOf(singletons);
    done = List.copyOf(done);
  }

  /**
   * To each JVM of a node: how is it, and does it have this entity in memory?
   *
   * @param number of who asks
   * @param sought the name of an entity, of any kind
   */
  public record Question(long number, Optional<String> sought, ActorRef<JvmReport> replyTo)
      implements ProtocolSerializable {}

  /** To each JVM, from the one that weighs what all have done: by these shards are dealt out. */
  public record Weighed(ShardWeights weights) implements ProtocolSerializable {}
}
