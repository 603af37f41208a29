package dev.sequitur.protocol.schedule;

/**
 * Units of gas that a run uses, by what is run.
 *
 * @param action a transfer or a notification inside the queue
 * @param call a private transaction
 */
public record GasUse(long action, long call) {
  /** What fits most. */
  public static final GasUse DEFAULT = new GasUse(10, 100);

  public GasUse {
    if (action < 0 || call < 0) {
      throw new IllegalArgumentException("Gas is not negative.");
    }
  }

  /** What one run of {@code target} uses; of a repetition, what each run of its action uses. */
  public long of(Target target) {
    return switch (target) {
      case Target.Call ignored -> call;
      case Target.InQueue ignored -> action;
    };
  }
}
