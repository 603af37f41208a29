package dev.sequitur.laboratory.simulate;

import dev.sequitur.simulation.RunPlan;

/**
 * Which networks are simulated.
 *
 * @param first seed
 * @param seeds how many, one network each; at least 1
 * @param transactions in each network
 * @param jvms the most that a node has
 * @param changes whether groups get other keys and thresholds meanwhile
 * @param restores whether nodes are set back to older copies of their records meanwhile
 */
public record SeedSeries(
    long first,
    long seeds,
    int transactions,
    Sizes sizes,
    int jvms,
    boolean changes,
    boolean restores) {
  /** Nodes in a network, both ends included; the seed chooses. */
  public record Sizes(int least, int most) {
    @Override
    public String toString() {
      return least == most ? Integer.toString(least) : least + ".." + most;
    }
  }

  RunPlan plan(long index) {
    return new RunPlan(
        first + index, transactions, sizes.least(), sizes.most(), jvms, changes, restores);
  }

  /** The command line that runs one of them again. */
  String replay(long seed) {
    return "./sequitur simulate --seed "
        + seed
        + " --nodes "
        + sizes
        + " --transactions "
        + transactions
        + (jvms > 1 ? " --jvms " + jvms : "")
        + (changes ? " --changes" : "")
        + (restores ? " --restores" : "")
        + " --trace";
  }
}
