package dev.sequitur.simulation;

/** Something happened that must never happen; says with which seed, and what came before. */
public final class SimulationFailure extends AssertionError {
  private static final long serialVersionUID = 1;

  private final long seed;
  private final String what;

  SimulationFailure(long seed, String what, String trace, Throwable cause) {
    super("Seed " + seed + " " + what + "\n" + trace, cause);
    this.seed = seed;
    this.what = what;
  }

  public long seed() {
    return seed;
  }

  /** What should have held, when, and that it did not; without the trace. */
  public String what() {
    return what;
  }
}
