package dev.sequitur.protocol.sender;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.NodeName;
import java.time.Instant;
import java.util.Optional;

/**
 * Whom the contract's transactions go to now, and what holds them back.
 *
 * @param coordinator of the newest delegation
 * @param notBefore a rejection asked to wait
 * @param waitsForHeight the coordinator is in a later range: wait until this node is too
 * @param rejections in a row
 * @param heldOffSince when dispatched transactions of an earlier range began to hold back (A11)
 * @param rangeSince when this node came into its block range
 */
public record Choice(
    Optional<NodeName> coordinator,
    Instant notBefore,
    Optional<BlockHeight> waitsForHeight,
    int rejections,
    Optional<Instant> heldOffSince,
    Instant rangeSince) {
  static final Choice NONE =
      new Choice(Optional.empty(), Instant.MIN, Optional.empty(), 0, Optional.empty(), Instant.MIN);

  Choice of(NodeName chosen) {
    return new Choice(
        Optional.of(chosen), notBefore, waitsForHeight, rejections, Optional.empty(), rangeSince);
  }

  Choice backOff(Instant until, Optional<BlockHeight> height) {
    return new Choice(coordinator, until, height, rejections + 1, heldOffSince, rangeSince);
  }

  Choice accepted() {
    return new Choice(coordinator, Instant.MIN, Optional.empty(), 0, heldOffSince, rangeSince);
  }

  Choice heldOff(Instant since) {
    return new Choice(
        coordinator, notBefore, waitsForHeight, rejections, Optional.of(since), rangeSince);
  }

  Choice notHeldOff() {
    return new Choice(
        coordinator, notBefore, waitsForHeight, rejections, Optional.empty(), rangeSince);
  }

  Choice heightReached() {
    return new Choice(
        coordinator, notBefore, Optional.empty(), rejections, heldOffSince, rangeSince);
  }

  Choice forgotten() {
    return new Choice(
        Optional.empty(), notBefore, waitsForHeight, rejections, heldOffSince, rangeSince);
  }

  Choice inRangeSince(Instant when) {
    return new Choice(coordinator, notBefore, waitsForHeight, rejections, heldOffSince, when);
  }
}
