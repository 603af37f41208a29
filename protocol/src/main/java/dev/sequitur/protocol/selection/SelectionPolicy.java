package dev.sequitur.protocol.selection;

/**
 * What all members of a contract's committee must agree on.
 *
 * @param rangeSize blocks for which one ranking holds, at least 1
 * @param virtualNodes positions of each member on the ring, at least 1
 */
public record SelectionPolicy(long rangeSize, int virtualNodes) {
  /** Virtual nodes chosen by measured fairness: see docs/decisions. */
  public static final SelectionPolicy DEFAULT = new SelectionPolicy(100, 128);

  public SelectionPolicy {
    if (rangeSize < 1) {
      throw new IllegalArgumentException("A range has at least 1 block, not " + rangeSize + ".");
    }
    if (virtualNodes < 1 || virtualNodes > 10_000) {
      throw new IllegalArgumentException(
          "A member has 1 to 10000 virtual nodes, not " + virtualNodes + ".");
    }
  }
}
