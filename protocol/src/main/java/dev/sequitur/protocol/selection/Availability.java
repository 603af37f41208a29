package dev.sequitur.protocol.selection;

import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.id.HeartbeatSequence;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.trie.HashTrie;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import org.pcollections.PMap;
import org.pcollections.PSet;

/**
 * What a node knows of the availability of others. Two kinds of knowledge, never mixed up: that a
 * node lives, by a message within the threshold (AVL-2), and that it is unavailable, by a
 * delegation that it did not take (AVL-1, AVL-7). What a third node says of one is neither: it is a
 * reason to find out. Availability is a node's: all its identities come and go together.
 *
 * @param heard the last sign of life of each
 * @param unavailable those that are presumed unavailable
 * @param vouchedFor presumed unavailable once, tried again since on another's word, and not heard
 */
public record Availability(
    PMap<NodeName, Heard> heard, PMap<NodeName, Away> unavailable, PSet<NodeName> vouchedFor) {
  public static final Availability UNKNOWN =
      new Availability(HashTrie.empty(), HashTrie.empty(), HashTrie.emptySet());

  /**
   * @param at by this node's clock
   * @param heartbeat empty if the sign was no coordinator heartbeat
   */
  public record Heard(Instant at, Optional<HeartbeatSequence> heartbeat) {}

  /**
   * Somebody is passed over.
   *
   * @param until it is not asked again earlier
   * @param vain how often it was asked in vain, in a row
   * @param answers it lives, and does not act: no sign of life ends that
   */
  public record Away(Instant until, int vain, boolean answers) {}

  /** A sign of life also ends the presumption that the node is unavailable, if it was silent. */
  public Availability heard(NodeName node, Instant now, Optional<HeartbeatSequence> heartbeat) {
    var known = new Heard(now, heartbeat);
    return answersInVain(node)
        ? new Availability(heard.plus(node, known), unavailable, vouchedFor)
        : new Availability(
            heard.plus(node, known), unavailable.minus(node), vouchedFor.minus(node));
  }

  /** It has taken a delegation. */
  public Availability acts(NodeName node) {
    return new Availability(heard, unavailable.minus(node), vouchedFor.minus(node));
  }

  /**
   * A handshake timed out.
   *
   * @param lasts how long not to ask it again without a sign of life
   */
  public Availability lost(NodeName node, Instant now, Duration lasts) {
    return new Availability(
        heard.minus(node),
        unavailable.plus(node, new Away(now.plus(lasts), vain(node) + 1, false)),
        vouchedFor);
  }

  /** It answers, and is behind, refuses all or cannot submit: it is asked less and less often. */
  public Availability unable(NodeName node, Instant now, Backoff again) {
    int vain = vain(node) + 1;
    var until = now.plus(again.wait(vain, node.hashCode()));
    return new Availability(heard, unavailable.plus(node, new Away(until, vain, true)), vouchedFor);
  }

  /** It is being asked again, and not by another command before {@code until}. */
  public Availability askedAgain(NodeName node, Instant until) {
    var away = unavailable.get(node);
    return new Availability(
        heard, unavailable.plus(node, new Away(until, away.vain(), away.answers())), vouchedFor);
  }

  private int vain(NodeName node) {
    var away = unavailable.get(node);
    return away == null ? 0 : away.vain();
  }

  private boolean answersInVain(NodeName node) {
    var away = unavailable.get(node);
    return away != null && away.answers();
  }

  /** Another says that it lives: worth another try, and no sign of life. */
  public Availability vouched(NodeName node) {
    return new Availability(heard, unavailable.minus(node), vouchedFor.plus(node));
  }

  public boolean presumedAvailable(NodeName node) {
    return !unavailable.containsKey(node);
  }

  /** Presumed unavailable for long enough to be asked once more. */
  public boolean isDueAgain(NodeName node, Instant now) {
    var away = unavailable.get(node);
    return away != null && !now.isBefore(away.until());
  }

  /**
   * Whether this node has found out for itself that nothing can be delegated to it: another's word
   * that it lives changes nothing (AVL-7).
   */
  public boolean isKnownUnable(NodeName node) {
    var away = unavailable.get(node);
    return away != null && (away.answers() || vouchedFor.contains(node));
  }

  /** Whether there was a sign of life within {@code threshold}. */
  public boolean lives(NodeName node, Instant now, Duration threshold) {
    var sign = heard.get(node);
    return sign != null && !sign.at().plus(threshold).isBefore(now);
  }

  /**
   * The best member of {@code ranking} before {@code self} that is known to live.
   *
   * @param passedOver whom the senders concerned have found unable to act (AVL-7)
   */
  public Optional<NodeName> betterAlive(
      Ranking ranking,
      NodeName self,
      Collection<NodeName> passedOver,
      Instant now,
      Duration threshold) {
    return ranking
        .preferred(
            node ->
                node.equals(self) || (lives(node, now, threshold) && !passedOver.contains(node)))
        .filter(node -> !node.equals(self));
  }
}
