package dev.sequitur.node.rpc.schedule;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.sequitur.node.rpc.method.Call;
import dev.sequitur.scheduler.DuePage;
import dev.sequitur.scheduler.DuePage.Placed;
import dev.sequitur.scheduler.DueQuery;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.SchedulerNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * A page in the order of due times that is full or the last one, from as many pages of the queue as
 * it takes: each is a question of its own, between two of the queue's writes. It goes on as long as
 * the caller waits, and through a queue of a million. For who may see all. Confined to one call.
 */
final class FullByDue {
  /** Each looks at 10,000. */
  private static final int MOST_PAGES = 100;

  private final Call call;
  private final SchedulerNode scheduler;
  private final QueueName queue;
  private final int limit;
  private final List<Placed> found = new ArrayList<>();
  private int looked;

  private FullByDue(Call call, SchedulerNode scheduler, QueueName queue, int limit) {
    this.call = call;
    this.scheduler = scheduler;
    this.queue = queue;
    this.limit = limit;
  }

  static CompletionStage<DuePage> of(
      Call call, SchedulerNode scheduler, QueueName queue, DueQuery query) {
    return new FullByDue(call, scheduler, queue, query.which().limit()).read(query, MOST_PAGES);
  }

  private CompletionStage<DuePage> read(DueQuery query, int left) {
    call.mustBeAwaited();
    return scheduler
        .schedulesByDue(queue, query)
        .thenCompose(
            page -> {
              found.addAll(page.schedules());
              looked += page.looked();
              boolean isWhole = page.next().isEmpty() || found.size() == limit || left == 1;
              return isWhole
                  ? completedFuture(new DuePage(found, page.next(), looked))
                  : read(query.after(page.next().orElseThrow(), limit - found.size()), left - 1);
            });
  }
}
