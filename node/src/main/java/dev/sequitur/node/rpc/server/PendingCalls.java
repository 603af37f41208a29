package dev.sequitur.node.rpc.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.json.Field.Mention;
import dev.sequitur.node.guard.Quotas;
import dev.sequitur.node.guard.Quotas.Begun;
import dev.sequitur.node.rpc.method.Call;
import dev.sequitur.node.rpc.method.RpcMethod;
import dev.sequitur.node.rpc.schedule.ScheduleMethods;
import dev.sequitur.protocol.guard.Principal;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.SchedulerNode;
import dev.sequitur.sequencer.SequencerNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Bounds what each caller has begun and what has not ended. Whether something has ended is asked
 * only when there seems to be no room, of so many at a time. What was begun before this JVM started
 * is not counted. Thread-safe.
 */
final class PendingCalls {
  /** Each costs a look into a store, or a question to a queue. */
  private static final int ASKED_AT_ONCE = 200;

  private final Quotas quotas;
  private final SequencerNode node;
  private final SchedulerNode scheduler;
  private final Duration patience;

  /**
   * @param patience within which a call is answered
   */
  PendingCalls(Quotas quotas, SequencerNode node, SchedulerNode scheduler, Duration patience) {
    this.quotas = quotas;
    this.node = node;
    this.scheduler = scheduler;
    this.patience = patience;
  }

  /**
   * Carries a call out if there is room for what it begins.
   *
   * @return fails with {@link Quotas.Exceeded} if there is none
   */
  CompletionStage<JsonNode> carryOut(
      RpcMethod method, Call call, Supplier<CompletionStage<JsonNode>> answer) {
    var who = call.exchange().caller();
    int count = method.begins().map(begins -> begins.most().applyAsInt(call)).orElse(0);
    if (count == 0 || quotas.pendingLeft(who).isEmpty()) {
      return answer.get();
    }
    return room(who, count)
        .thenCompose(
            reserved -> {
              CompletionStage<JsonNode> answered;
              try {
                answered = answer.get();
              } catch (RuntimeException e) {
                answered = CompletableFuture.failedFuture(e);
              }
              // What is not answered in time must not keep its room for ever.
              return answered
                  .toCompletableFuture()
                  .copy()
                  .orTimeout(patience.toNanos(), TimeUnit.NANOSECONDS)
                  .whenComplete(
                      (result, thrown) ->
                          quotas.began(
                              who,
                              count,
                              result == null ? List.of() : begun(method, call, result)));
            });
  }

  private CompletionStage<Void> room(Principal who, int count) {
    if (quotas.reserve(who, count)) {
      return CompletableFuture.completedFuture(null);
    }
    return Answers.all(quotas.oldest(who, ASKED_AT_ONCE).stream().map(this::ended).toList())
        .thenAccept(
            all -> {
              quotas.ended(who, all.stream().flatMap(ended -> ended).toList());
              if (!quotas.reserve(who, count)) {
                throw quotas.exceededPending(who, count);
              }
            });
  }

  /** Itself if it has ended; of what cannot be asked now that is not known. */
  private CompletionStage<Stream<Begun>> ended(Begun begun) {
    var ended =
        switch (begun) {
          case Begun.Sent(var id) -> node.store().receipt(id).thenApply(found -> found.isPresent());
          case Begun.Scheduled(var queue, var id) ->
              scheduler
                  .schedule(queue, id)
                  .thenApply(known -> known.view().map(view -> view.ended()).orElse(true));
        };
    return ended.handle((is, failure) -> failure == null && is ? Stream.of(begun) : Stream.of());
  }

  /** What a call has begun, by its result. */
  static List<Begun> begun(RpcMethod method, Call call, JsonNode result) {
    if (method.begins().isEmpty()) {
      return List.of();
    }
    var ids = Audited.ids(result);
    return switch (method.begins().get().kind()) {
      case TRANSACTIONS ->
          ids.stream().<Begun>map(id -> new Begun.Sent(TransactionId.parse(id))).toList();
      case SCHEDULES -> scheduled(queue(call), ids.stream());
    };
  }

  private static List<Begun> scheduled(QueueName queue, Stream<String> ids) {
    return ids.flatMap(
            id -> {
              try {
                return Stream.<Begun>of(new Begun.Scheduled(queue, ScheduleMethods.scheduleId(id)));
              } catch (IllegalArgumentException e) {
                // The id of something else in the same answer.
                return Stream.<Begun>empty();
              }
            })
        .toList();
  }

  private static QueueName queue(Call call) {
    var named = new ArrayList<String>();
    call.tell(
        (mention, name) -> {
          if (mention == Mention.QUEUE) {
            named.add(name);
          }
        });
    return new QueueName(named.get(0));
  }
}
