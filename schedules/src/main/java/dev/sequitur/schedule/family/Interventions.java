package dev.sequitur.schedule.family;

import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.family.Intervention.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What was done to a schedule that is still there, and what of it holds.
 *
 * @param paused whether nothing of it is to begin
 * @param byHand whether its present occurrence was started by somebody, and not by time
 * @param failures how many of its runs in a row have failed, if it is to be paused for that
 * @param newest up to {@link #MOST}, oldest first
 */
public record Interventions(
    boolean paused, boolean byHand, int failures, List<Intervention> newest) {
  /** Of one schedule; what is older is forgotten. */
  public static final int MOST = 10;

  public static final Interventions NONE = new Interventions(false, false, 0, List.of());

  public Interventions {
    newest = List.copyOf(newest);
  }

  Interventions plus(Intervention done) {
    var all = new ArrayList<>(newest);
    all.add(done);
    var kind = done.kind();
    return new Interventions(
        kind == Kind.PAUSE || (paused && kind != Kind.RESUME),
        byHand || kind == Kind.RUN_NOW,
        kind == Kind.RESUME || kind == Kind.CHANGE ? 0 : failures,
        all.subList(Math.max(0, all.size() - MOST), all.size()));
  }

  /** When the present occurrence has its outcome. */
  public Interventions settled() {
    return byHand ? new Interventions(paused, false, failures, newest) : this;
  }

  /**
   * The same, and how it ended.
   *
   * @param pauseAfter as {@link Terms#pauseAfter}
   */
  Interventions settled(Outcome outcome, int pauseAfter) {
    int count =
        switch (outcome) {
          case FAILED -> failures + 1;
          case RUN -> 0;
          case MISSED, EXPIRED, CANCELLED, REFUNDED -> failures;
        };
    return pauseAfter == 0 || count == failures
        ? settled()
        : new Interventions(paused, false, count, newest);
  }

  /** The newest of a kind, as far as it is remembered. */
  public Optional<Intervention> last(Kind kind) {
    return newest.reversed().stream().filter(each -> each.kind() == kind).findFirst();
  }
}
