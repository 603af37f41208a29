package dev.sequitur.node.rpc.schedule;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.sequitur.node.rpc.method.Call;
import dev.sequitur.node.rpc.method.NodeContext;
import dev.sequitur.schedule.IdRanges;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.SchedulePage;
import dev.sequitur.scheduler.ScheduleQuery;
import dev.sequitur.scheduler.ScheduleView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A page of those schedules that its caller may see, from as many pages of the queue as it takes,
 * as long as the caller waits and the rows of a query last. Where a page of the queue ends is the
 * id of somebody's schedule, and tells of it (CLR-4). This one ends at one that is seen, or, if too
 * many others were looked at, at the end of a range of ids ({@link IdRanges}). Ranges are looked
 * through as wholes, also the one in which it begins: so nobody finds out by another beginning how
 * many of others' stand before or behind an id. One that is too full for that is gone through in
 * parts: half of the rows are for what stands before the beginning in its range, and the other half
 * lead on. Confined to one call.
 */
final class SeenPage {
  private final Call call;
  private final NodeContext context;
  private final QueueName queue;
  private final ScheduleQuery query;
  private final List<ScheduleView> found = new ArrayList<>();
  private long looked;
  private Optional<ScheduleId> end = Optional.empty();

  private SeenPage(Call call, NodeContext context, QueueName queue, ScheduleQuery query) {
    this.call = call;
    this.context = context;
    this.queue = queue;
    this.query = query;
  }

  /**
   * @param query whose limit is how many may be found
   */
  static CompletionStage<SchedulePage> of(
      Call call, NodeContext context, QueueName queue, ScheduleQuery query) {
    return new SeenPage(call, context, queue, query)
        .read(query.after().map(IdRanges::before).map(query::after).orElse(query));
  }

  private CompletionStage<SchedulePage> read(ScheduleQuery next) {
    call.mustBeAwaited();
    boolean before = next.after().filter(after -> !isWanted(after)).isPresent();
    int left = (int) Math.max(1, (before ? scan() / 2 : scan()) - looked);
    return context
        .scheduler()
        .schedules(queue, next.withLimit(Math.min(ScheduleQuery.MOST, left)).looking(left))
        .thenCompose(
            page ->
                taken(page)
                    .<CompletionStage<SchedulePage>>map(
                        last -> completedFuture(new SchedulePage(found, last.id(), (int) looked)))
                    .orElseGet(() -> read(next.after(following(page.next().orElseThrow())))));
  }

  /** Where the page ends. */
  private record Last(Optional<ScheduleId> id) {}

  /** Empty if more is to be read. */
  private Optional<Last> taken(SchedulePage page) {
    for (var view : page.schedules()) {
      var id = view.schedule().id();
      if (isBehindEnd(id)) {
        return Optional.of(new Last(end));
      }
      if (isWanted(id) && SeenSchedules.sees(call, view.schedule().proposal())) {
        found.add(view);
        if (found.size() == query.limit()) {
          return Optional.of(new Last(Optional.of(id)));
        }
      }
    }
    if (page.next().isEmpty()) {
      return Optional.of(new Last(Optional.empty()));
    }
    var next = page.next().get();
    looked += page.looked();
    if (end.isEmpty() && isHalfUsed()) {
      end = Optional.of(IdRanges.end(following(next)));
    }
    if (isBehindEnd(next) || end.equals(page.next())) {
      return Optional.of(new Last(end));
    }
    return isWanted(next) && looked >= scan() ? Optional.of(within(next)) : Optional.empty();
  }

  /** The range is too full: what was found behind the place is found once more. */
  private Last within(ScheduleId next) {
    var place = IdRanges.within(query.after(), next);
    found.removeIf(view -> view.schedule().id().compareTo(place) > 0);
    return new Last(Optional.of(place));
  }

  /** Half of the rows are enough for what stands before the beginning. */
  private ScheduleId following(ScheduleId next) {
    return isWanted(next) || !isHalfUsed() ? next : query.after().orElseThrow();
  }

  private boolean isHalfUsed() {
    return looked >= scan() / 2;
  }

  private int scan() {
    return context.settings().limits().queryScan();
  }

  private boolean isBehindEnd(ScheduleId id) {
    return end.filter(last -> id.compareTo(last) > 0).isPresent();
  }

  /** What stands before it in its range is looked at, and was in the page before. */
  private boolean isWanted(ScheduleId id) {
    return query.after().filter(after -> id.compareTo(after) <= 0).isEmpty();
  }
}
