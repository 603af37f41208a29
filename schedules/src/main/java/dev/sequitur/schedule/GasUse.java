package dev.sequitur.schedule;

/**
 * Units of gas that a run uses, by what is run.
 *
 * @param action a transfer or a notification inside the queue
 * @param call a private transaction; a public one that does not name more
 */
public record GasUse(long action, long call) {
  /** What fits most. */
  public static final GasUse DEFAULT = new GasUse(10, 100);

  public GasUse {
    if (action < 0 || call < 0) {
      throw new IllegalArgumentException("Gas is not negative.");
    }
  }

  /**
   * What one run of {@code target} uses at most; of a repetition, what each run of its action uses.
   */
  public long of(Target target) {
    return switch (target) {
      case Target.PrivateCall ignored -> call;
      case Target.PublicCall publicly -> Math.max(call, publicly.gas());
      case Target.InQueue ignored -> action;
    };
  }
}
