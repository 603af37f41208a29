package dev.sequitur.schedule.chainexecution;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.chainexecution.ChainExecutionEvent.Failure;
import dev.sequitur.schedule.chainexecution.ChainExecutionEvent.Landing;
import dev.sequitur.schedule.chainexecution.Reading.Point;
import dev.sequitur.schedule.chainexecution.Reading.Seen;
import dev.sequitur.schedule.family.Family;
import dev.sequitur.schedule.family.FamilyState;
import java.util.List;
import java.util.Optional;
import org.pcollections.TreePMap;

/**
 * What the provider knows beyond the schedules, all of it durable.
 *
 * @param read how far the contract's logs were read; empty before the first time
 * @param settled the newest final block; nothing up to it comes back
 * @param paused whether the contract is
 * @param trouble what keeps all executions waiting, a sentence; empty if nothing does
 * @param plans by number
 * @param fresh executions whose request is not final, with its block
 * @param ends of executions that are not final
 * @param failures of executions that were sent in vain, or cannot be sent
 * @param dispatches by nonce, until their block is final
 */
@Copyable
public record ChainExecutionState(
    Optional<ServedContract> contract,
    Optional<Point> read,
    Optional<Point> settled,
    boolean paused,
    String trouble,
    TreePMap<Long, ChainPlan> plans,
    TreePMap<ScheduleId, Long> fresh,
    TreePMap<ScheduleId, Seen> ends,
    TreePMap<ScheduleId, Failure> failures,
    TreePMap<Long, ProviderDispatch> dispatches)
    implements FamilyState, ChainExecutionStateBuilder.With {
  static final ChainExecutionState INITIAL =
      new ChainExecutionState(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          false,
          "",
          TreePMap.empty(),
          TreePMap.empty(),
          TreePMap.empty(),
          TreePMap.empty(),
          TreePMap.empty());

  static ChainExecutionState of(FamilyState state) {
    return Family.own(ChainExecutionState.class, state);
  }

  Optional<ChainPlan> plan(ChainExecutionTerms terms) {
    return Optional.ofNullable(plans.get(terms.plan()));
  }

  Failure failure(ScheduleId execution) {
    return failures.getOrDefault(execution, Failure.NONE);
  }

  /** The one that waits for its block, or else the newest. */
  Optional<ProviderDispatch> dispatch(ScheduleId execution) {
    return dispatches.descendingMap().values().stream()
        .filter(dispatch -> dispatch.execution().equals(execution))
        .reduce((newer, older) -> !newer.isWaiting() && older.isWaiting() ? older : newer);
  }

  ChainExecutionState on(ChainExecutionEvent event) {
    return switch (event) {
      case ChainExecutionEvent.Served(var served) -> withContract(Optional.of(served));
      case ChainExecutionEvent.Read progress -> onRead(progress);
      case ChainExecutionEvent.Dispatched(var sent) -> onDispatched(sent);
      case ChainExecutionEvent.Landed(var landings) -> onLanded(landings);
      case ChainExecutionEvent.Failed(var failed) -> withFailures(failures.plusAll(failed));
      case ChainExecutionEvent.Conditions(var isPaused, var what) ->
          withPaused(isPaused).withTrouble(what);
    };
  }

  /** What is final is kept no longer; its outcome, which comes with it, takes it from the rest. */
  private ChainExecutionState onRead(ChainExecutionEvent.Read progress) {
    var kept = progress.back() ? back() : this;
    long last = progress.settled().map(Point::number).orElse(-1L);
    var requests = kept.fresh();
    for (var entry : progress.requested().entrySet()) {
      requests = requests.plus(entry.getKey(), entry.getValue());
    }
    for (var entry : requests.entrySet()) {
      requests = entry.getValue() <= last ? requests.minus(entry.getKey()) : requests;
    }
    var seen = kept.ends();
    for (var end : progress.ends()) {
      seen = seen.plus(end.id(), end);
    }
    var sent = kept.dispatches();
    for (var dispatch : sent.values()) {
      boolean done = dispatch.landed().filter(block -> block <= last).isPresent();
      sent = done ? sent.minus(dispatch.nonce()) : sent;
    }
    return kept.with()
        .read(Optional.of(progress.to()))
        .settled(progress.settled())
        .plans(kept.plans().plusAll(progress.plans()))
        .fresh(requests)
        .ends(seen)
        .dispatches(sent)
        .build();
  }

  /** As it was when the newest final block was read. */
  private ChainExecutionState back() {
    var sent = dispatches;
    for (var dispatch : dispatches.values()) {
      sent = sent.plus(dispatch.nonce(), dispatch.back());
    }
    return with().fresh(TreePMap.empty()).ends(TreePMap.empty()).dispatches(sent).build();
  }

  private ChainExecutionState onDispatched(List<ProviderDispatch> sent) {
    var all = dispatches;
    for (var dispatch : sent) {
      all = all.plus(dispatch.nonce(), dispatch);
    }
    return withDispatches(all);
  }

  private ChainExecutionState onLanded(List<Landing> landings) {
    var all = dispatches;
    for (var landing : landings) {
      var dispatch = all.get(landing.nonce());
      if (dispatch != null) {
        all =
            landing.block().isPresent()
                ? all.plus(landing.nonce(), dispatch.landedIn(landing.block().get()))
                : all.minus(landing.nonce());
      }
    }
    return withDispatches(all);
  }

  /** It has its outcome. */
  ChainExecutionState without(ScheduleId execution) {
    return with()
        .fresh(fresh.minus(execution))
        .ends(ends.minus(execution))
        .failures(failures.minus(execution))
        .build();
  }
}
