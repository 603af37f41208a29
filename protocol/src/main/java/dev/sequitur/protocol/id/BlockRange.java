package dev.sequitur.protocol.id;

/** The index of a range of consecutive blocks with one ranking of coordinators. */
public record BlockRange(long index) implements Comparable<BlockRange> {
  @Override
  public int compareTo(BlockRange other) {
    return Long.compare(index, other.index);
  }

  /**
   * Its first block (SEL-4).
   *
   * @param rangeSize blocks in a range, at least 1
   */
  public BlockHeight first(long rangeSize) {
    return new BlockHeight(index * rangeSize);
  }

  public boolean isBefore(BlockRange other) {
    return index < other.index;
  }

  @Override
  public String toString() {
    return Long.toString(index);
  }
}
