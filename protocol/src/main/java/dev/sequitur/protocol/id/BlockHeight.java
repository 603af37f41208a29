package dev.sequitur.protocol.id;

/** The number of a final block of the base ledger; 0 before the first. */
public record BlockHeight(long value) implements Comparable<BlockHeight> {
  public static final BlockHeight ZERO = new BlockHeight(0);

  public BlockHeight {
    if (value < 0) {
      throw new IllegalArgumentException("A block height is not negative: " + value);
    }
  }

  /**
   * {@code floor(b / n)} (SEL-4).
   *
   * @param rangeSize blocks in a range, at least 1
   */
  public BlockRange range(long rangeSize) {
    return new BlockRange(Math.floorDiv(value, rangeSize));
  }

  @Override
  public int compareTo(BlockHeight other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return Long.toString(value);
  }
}
