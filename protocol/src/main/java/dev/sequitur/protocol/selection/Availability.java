package dev.sequitur.protocol.selection;

import dev.sequitur.protocol.id.HeartbeatSequence;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.trie.HashTrie;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.pcollections.PMap;
import org.pcollections.PSet;

/**
 * What a node knows of the availability of others. Two kinds of knowledge, never mixed up: that a
 * node lives, by a message within the threshold (AVL-2), and that it is unavailable, by a
 * delegation handshake that timed out (AVL-1). What a third node says of one is neither: it is a
 * reason to find out. Availability is a node's: all its identities come and go together.
 *
 * @param heard the last sign of life of each
 * @param unavailable until when each is presumed unavailable
 * @param vouchedFor presumed unavailable once, tried again since on another's word, and not heard
 */
public record Availability(
    PMap<NodeName, Heard> heard, PMap<NodeName, Instant> unavailable, PSet<NodeName> vouchedFor) {
  public static final Availability UNKNOWN =
      new Availability(HashTrie.empty(), HashTrie.empty(), HashTrie.emptySet());

  /**
   * @param at by this node's clock
   * @param heartbeat empty if the sign was no coordinator heartbeat
   */
  public record Heard(Instant at, Optional<HeartbeatSequence> heartbeat) {}

  /** A sign of life also ends the presumption that the node is unavailable. */
  public Availability heard(NodeName node, Instant now, Optional<HeartbeatSequence> heartbeat) {
    return new Availability(
        heard.plus(node, new Heard(now, heartbeat)),
        unavailable.minus(node),
        vouchedFor.minus(node));
  }

  /**
   * A handshake timed out.
   *
   * @param lasts how long to presume so without a sign of life
   */
  public Availability lost(NodeName node, Instant now, Duration lasts) {
    return new Availability(heard.minus(node), unavailable.plus(node, now.plus(lasts)), vouchedFor);
  }

  /** When no one is left to choose, everybody is worth another try. */
  public Availability forgetUnavailable() {
    return new Availability(heard, HashTrie.empty(), vouchedFor);
  }

  /** Another says that it lives: worth another try, and no sign of life. */
  public Availability vouched(NodeName node) {
    return new Availability(heard, unavailable.minus(node), vouchedFor.plus(node));
  }

  public boolean presumedAvailable(NodeName node, Instant now) {
    var until = unavailable.get(node);
    return until == null || !now.isBefore(until);
  }

  /** Whether there was a sign of life within {@code threshold}. */
  public boolean lives(NodeName node, Instant now, Duration threshold) {
    var sign = heard.get(node);
    return sign != null && !sign.at().plus(threshold).isBefore(now);
  }

  /** The best member of {@code ranking} before {@code self} that is known to live. */
  public Optional<NodeName> betterAlive(
      Ranking ranking, NodeName self, Instant now, Duration threshold) {
    return ranking
        .preferred(node -> node.equals(self) || lives(node, now, threshold))
        .filter(node -> !node.equals(self));
  }
}
