package dev.sequitur.schedule.family;

import dev.sequitur.schedule.family.Intervention.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What was done to a schedule that is still there, and what of it holds.
 *
 * @param paused whether nothing of it is to begin
 * @param byHand whether its present occurrence was started by somebody, and not by time
 * @param newest up to {@link #MOST}, oldest first
 */
public record Interventions(boolean paused, boolean byHand, List<Intervention> newest) {
  /** Of one schedule; what is older is forgotten. */
  public static final int MOST = 10;

  public static final Interventions NONE = new Interventions(false, false, List.of());

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
        all.subList(Math.max(0, all.size() - MOST), all.size()));
  }

  /** When the present occurrence has its outcome. */
  public Interventions settled() {
    return byHand ? new Interventions(paused, false, newest) : this;
  }

  /** The newest of a kind, as far as it is remembered. */
  public Optional<Intervention> last(Kind kind) {
    return newest.reversed().stream().filter(each -> each.kind() == kind).findFirst();
  }
}
