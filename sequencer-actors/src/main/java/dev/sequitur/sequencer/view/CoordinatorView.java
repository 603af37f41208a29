package dev.sequitur.sequencer.view;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.BlockRange;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Who coordinates a contract by this node's knowledge.
 *
 * @param ranking all members, most preferred first
 */
public record CoordinatorView(
    ContractAddress contract,
    BlockHeight blockHeight,
    BlockRange range,
    long rangeSize,
    NodeName coordinator,
    List<Ranked> ranking) {

  /**
   * @param distance on the 64-bit ring between the range's point and the member's nearest replica,
   *     unsigned
   * @param reason a sentence: selected, or why not
   * @param awayUntil when one that is not available is tried again
   */
  public record Ranked(
      int rank,
      Identity identity,
      String distance,
      boolean available,
      String reason,
      Optional<Instant> awayUntil) {}
}
