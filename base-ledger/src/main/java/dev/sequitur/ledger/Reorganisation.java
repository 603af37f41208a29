package dev.sequitur.ledger;

/**
 * A reorganisation to rehearse: the newest blocks are replaced by as many others. Their
 * transactions come in another order, as far as nonces allow; some are left for later blocks. What
 * was first may then be last, so that some revert which did not before.
 *
 * @param depth blocks to replace, from 1 to the ledger's finality depth
 * @param seed of the new order
 * @param shareReverted of the transactions that revert with INJECTED, 0 to 1
 * @param shareLost of the transactions that leave block and pool, 0 to 1: whoever wants them must
 *     submit them again
 */
public record Reorganisation(int depth, long seed, double shareReverted, double shareLost) {
  public Reorganisation {
    if (depth < 1) {
      throw new IllegalArgumentException("A reorganisation replaces at least one block.");
    }
    requireShare(shareReverted);
    requireShare(shareLost);
  }

  private static void requireShare(double share) {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException("A share is between 0 and 1, not " + share + ".");
    }
  }
}
