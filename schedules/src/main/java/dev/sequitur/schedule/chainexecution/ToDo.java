package dev.sequitur.schedule.chainexecution;

import dev.sequitur.schedule.DueKey;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Service;
import dev.sequitur.schedule.chainexecution.ChainExecutionEvent.Failure;
import dev.sequitur.schedule.chainexecution.Reading.Point;
import dev.sequitur.schedule.family.Family;
import dev.sequitur.schedule.family.FamilyQuery;
import dev.sequitur.schedule.family.QueueView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What the queue knows that a round of the provider needs.
 *
 * @param horizon executions requested for up to this time, seconds since 1970
 * @param atMost so many of them that may be sent, and so many of the others
 */
public record ToDo(long horizon, int atMost) implements FamilyQuery<ToDo.Known> {
  /** So that one question does not stop the queue for long. */
  static final int MOST_PASSED_OVER = 10_000;

  /**
   * The queue's answer.
   *
   * @param waiting executions that have no end yet, by their requested time
   * @param dispatches by nonce
   */
  public record Known(
      Service service,
      Optional<ServedContract> contract,
      Optional<Point> read,
      Optional<Point> settled,
      boolean paused,
      String trouble,
      List<Waiting> waiting,
      List<ProviderDispatch> dispatches) {
    public Known {
      waiting = List.copyOf(waiting);
      dispatches = List.copyOf(dispatches);
    }
  }

  /** An execution that may be due. */
  public record Waiting(ScheduleId id, ChainExecutionTerms terms, ChainPlan plan, Failure failure) {
    /**
     * Whether a block that is still to come may execute it, and it is not put off.
     *
     * @param newest the time of the newest block that was read
     */
    private boolean mayBeSent(long newest) {
      return failure.notBefore() <= newest
          && plan.never(terms.timestamp()).isEmpty()
          && !plan.isOver(terms.timestamp(), newest + 1);
    }
  }

  @Override
  public FamilyKind family() {
    return FamilyKind.CHAIN_EXECUTION;
  }

  @Override
  public Known answer(Family family, QueueView view) {
    var state = ChainExecutionState.of(view.state());
    int looks = Math.addExact(MOST_PASSED_OVER, Math.addExact(atMost, state.ends().size()));
    long newest = state.read().map(Point::time).orElse(0L);
    var toSend = new ArrayList<Waiting>();
    var others = new ArrayList<Waiting>();
    for (var schedule :
        view.waitingIn(DueKey.from(0), DueKey.from(Math.addExact(horizon, 1)), looks)) {
      var terms = ChainExecutions.terms(schedule.proposal());
      var plan = state.plan(terms);
      if (plan.isPresent() && !state.ends().containsKey(schedule.id())) {
        var each = new Waiting(schedule.id(), terms, plan.get(), state.failure(schedule.id()));
        var among = each.mayBeSent(newest) ? toSend : others;
        if (among.size() < atMost) {
          among.add(each);
        }
      }
      if (toSend.size() == atMost) {
        break;
      }
    }
    var waiting = Stream.concat(toSend.stream(), others.stream());
    return new Known(
        view.service(),
        state.contract(),
        state.read(),
        state.settled(),
        state.paused(),
        state.trouble(),
        waiting.sorted(Comparator.comparingLong(each -> each.terms().timestamp())).toList(),
        List.copyOf(state.dispatches().values()));
  }
}
