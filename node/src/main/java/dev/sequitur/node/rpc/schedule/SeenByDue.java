package dev.sequitur.node.rpc.schedule;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.method.Call;
import dev.sequitur.node.rpc.method.NodeContext;
import dev.sequitur.schedule.queue.DuePlace;
import dev.sequitur.scheduler.DuePage;
import dev.sequitur.scheduler.DuePage.Placed;
import dev.sequitur.scheduler.DueQuery;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.ScheduleQuery;
import dev.sequitur.scheduler.ScheduleState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A page in the order of due times of those schedules of an owner that its caller may see. Where a
 * page of the queue ends in that order tells of others' schedules, and of how many there are before
 * a time (CLR-4). So all that the caller sees are read by their ids ({@link SeenPage}), and put in
 * order here; for that the list is of an owner, who has an index. Confined to one call.
 */
final class SeenByDue {
  /** So many are held for one page. */
  private static final int MOST = 10_000;

  private final Call call;
  private final NodeContext context;
  private final QueueName queue;
  private final DueQuery query;
  private final List<Placed> found = new ArrayList<>();

  private SeenByDue(Call call, NodeContext context, QueueName queue, DueQuery query) {
    this.call = call;
    this.context = context;
    this.queue = queue;
    this.query = query;
  }

  /**
   * @return fails with {@link RpcFailure} if the caller sees too many of them to put them in order
   * @throws RpcFailure if it is not the list of an owner
   */
  static CompletionStage<DuePage> of(
      Call call, NodeContext context, QueueName queue, DueQuery query) {
    if (query.which().owner().isEmpty()) {
      throw new RpcFailure(
          ErrorCode.QUERY_TOO_BROAD,
          "Whoever may not see all schedules of a queue has the order of due times for one owner:"
              + " name it, or ask in the order of ids.");
    }
    return new SeenByDue(call, context, queue, query)
        .read(query.which().withLimit(ScheduleQuery.MOST));
  }

  private CompletionStage<DuePage> read(ScheduleQuery next) {
    return SeenPage.of(call, context, queue, next)
        .thenCompose(
            page -> {
              page.schedules().stream()
                  .filter(view -> view.state() != ScheduleState.SETTLED)
                  .map(
                      view ->
                          new Placed(
                              DuePlace.of(view.schedule(), context.scheduler().setup()), view))
                  .forEach(found::add);
              if (found.size() > MOST) {
                throw new RpcFailure(
                    ErrorCode.QUERY_TOO_BROAD,
                    "More than "
                        + MOST
                        + " schedules are meant, too many to put them in the order of their due"
                        + " times: name a label or a shorter time, or ask in the order of ids.");
              }
              return page.next()
                  .map(last -> read(next.after(last)))
                  .orElseGet(() -> completedFuture(page()));
            });
  }

  private DuePage page() {
    var all =
        found.stream()
            .filter(placed -> query.after().map(placed.place()::compareTo).orElse(1) > 0)
            .sorted(Comparator.comparing(Placed::place))
            .toList();
    int most = Math.min(all.size(), query.which().limit());
    var next =
        most < all.size() ? Optional.of(all.get(most - 1).place()) : Optional.<DuePlace>empty();
    return new DuePage(all.subList(0, most), next, found.size());
  }
}
