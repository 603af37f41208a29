package dev.sequitur.protocol.schedule.chainexecution;

import dev.sequitur.protocol.schedule.DueKey;
import dev.sequitur.protocol.schedule.FamilyKind;
import dev.sequitur.protocol.schedule.ScheduleId;
import dev.sequitur.protocol.schedule.Service;
import dev.sequitur.protocol.schedule.chainexecution.ChainExecutionEvent.Failure;
import dev.sequitur.protocol.schedule.chainexecution.Reading.Point;
import dev.sequitur.protocol.schedule.family.Family;
import dev.sequitur.protocol.schedule.family.FamilyQuery;
import dev.sequitur.protocol.schedule.family.QueueView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the queue knows that a round of the provider needs.
 *
 * @param horizon executions requested for up to this time, seconds since 1970
 * @param atMost so many of them
 */
public record ToDo(long horizon, int atMost) implements FamilyQuery<ToDo.Known> {
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
      List<Dispatch> dispatches) {
    public Known {
      waiting = List.copyOf(waiting);
      dispatches = List.copyOf(dispatches);
    }
  }

  /** An execution that may be due. */
  public record Waiting(
      ScheduleId id, ChainExecutionTerms terms, ChainPlan plan, Failure failure) {}

  @Override
  public FamilyKind family() {
    return FamilyKind.CHAIN_EXECUTION;
  }

  @Override
  public Known answer(Family family, QueueView view) {
    var state = ChainExecutionState.of(view.state());
    int looks = Math.addExact(atMost, state.ends().size());
    var waiting = new ArrayList<Waiting>();
    for (var schedule :
        view.waitingIn(DueKey.from(0), DueKey.from(Math.addExact(horizon, 1)), looks)) {
      var terms = ChainExecutions.terms(schedule.proposal());
      var plan = state.plan(terms);
      if (plan.isPresent() && !state.ends().containsKey(schedule.id())) {
        waiting.add(new Waiting(schedule.id(), terms, plan.get(), state.failure(schedule.id())));
      }
    }
    return new Known(
        view.service(),
        state.contract(),
        state.read(),
        state.settled(),
        state.paused(),
        state.trouble(),
        waiting,
        List.copyOf(state.dispatches().values()));
  }
}
