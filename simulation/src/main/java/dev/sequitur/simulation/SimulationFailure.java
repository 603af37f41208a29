package dev.sequitur.simulation;

/** Something happened that must never happen; says with which seed, and what came before. */
final class SimulationFailure extends AssertionError {
  private static final long serialVersionUID = 1;

  SimulationFailure(String what, Throwable cause) {
    super(what, cause);
  }
}
