package dev.sequitur.protocol.port;

import dev.sequitur.protocol.port.PublicContracts.Placed;

/**
 * How events of the base ledger are numbered for listeners: by block, and within it by their place,
 * so that a number says where to go on, and the number before a block's first is all that was
 * before it.
 */
public final class EventNumbers {
  private static final int PLACE_BITS = 20;

  /** Of a block; a chain whose blocks hold more gas than 390 million may have more. */
  private static final long MOST_EVENTS = 1L << PLACE_BITS;

  /** Beyond, blocks cannot be numbered; no chain comes so far. */
  private static final long MOST_BLOCKS = Long.MAX_VALUE >> PLACE_BITS;

  private EventNumbers() {}

  public static long of(Placed placed) {
    if (placed.event().index() >= MOST_EVENTS - 1) {
      throw new IllegalStateException(
          "Block %d has more events than can be numbered.".formatted(placed.block().value()));
    }
    return (placed.block().value() << PLACE_BITS) + placed.event().index();
  }

  /** The last one that belongs to a block or one before it; 0 before block 0. */
  public static long lastOf(long block) {
    return Math.max(0, ((Math.min(block, MOST_BLOCKS - 2) + 1) << PLACE_BITS) - 1);
  }

  /** The block in which the next one may be. */
  public static long blockAfter(long number) {
    return number == 0 ? 0 : (number + 1) >> PLACE_BITS;
  }
}
