package dev.sequitur.protocol.sender;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.NodeName;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Whom the contract's transactions go to now, and what holds them back.
 *
 * @param coordinator of the newest delegation
 * @param notBefore a rejection asked to wait. As all that one node has said, it holds for asking
 *     that node, and nobody else
 * @param waitsForHeight the coordinator says that it is in a later range: wait until this node is
 *     too
 * @param rejections in a row
 * @param rejectedSince when the first of them came
 * @param rejectedLast when the last of them came
 * @param heldOffSince when dispatched transactions of an earlier range began to hold back (SWO-2)
 * @param rangeSince when this node came into its block range
 */
@Copyable
public record CoordinatorChoice(
    Optional<NodeName> coordinator,
    Instant notBefore,
    Optional<BlockHeight> waitsForHeight,
    int rejections,
    Optional<Instant> rejectedSince,
    Optional<Instant> rejectedLast,
    Optional<Instant> heldOffSince,
    Instant rangeSince)
    implements CoordinatorChoiceBuilder.With {
  static final CoordinatorChoice NONE =
      new CoordinatorChoice(
          Optional.empty(),
          Instant.MIN,
          Optional.empty(),
          0,
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Instant.MIN);

  CoordinatorChoice of(NodeName chosen) {
    var same = coordinator.equals(Optional.of(chosen)) ? this : forgotten();
    return same.with().coordinator(Optional.of(chosen)).heldOffSince(Optional.empty()).build();
  }

  CoordinatorChoice backOff(Instant now, Instant until, Optional<BlockHeight> height) {
    return with()
        .notBefore(until)
        .waitsForHeight(height)
        .rejections(rejections + 1)
        .rejectedSince(rejectedSince.or(() -> Optional.of(now)))
        .rejectedLast(Optional.of(now))
        .build();
  }

  /** Nothing that a coordinator has said holds back any more. */
  CoordinatorChoice accepted() {
    return with()
        .notBefore(Instant.MIN)
        .waitsForHeight(Optional.empty())
        .rejections(0)
        .rejectedSince(Optional.empty())
        .rejectedLast(Optional.empty())
        .build();
  }

  /** Whether nothing but rejections has come of the coordinator for so long. */
  boolean isRejectedFor(Duration time, Instant now) {
    return rejectedSince.filter(since -> !since.plus(time).isAfter(now)).isPresent();
  }

  CoordinatorChoice heldOff(Instant since) {
    return withHeldOffSince(Optional.of(since));
  }

  CoordinatorChoice notHeldOff() {
    return withHeldOffSince(Optional.empty());
  }

  /** With what it has said. */
  CoordinatorChoice forgotten() {
    return accepted().withCoordinator(Optional.empty());
  }

  CoordinatorChoice inRangeSince(Instant when) {
    return with()
        .rangeSince(when)
        .rejectedSince(Optional.empty())
        .rejectedLast(Optional.empty())
        .build();
  }
}
