package dev.sequitur.scheduler.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.actor.typed.javadsl.TimerScheduler;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.PrivateTransactions.RefusedIntent;
import dev.sequitur.protocol.port.ScheduledCalls.Ended;
import dev.sequitur.protocol.schedule.Conclusion;
import dev.sequitur.protocol.schedule.Target;
import dev.sequitur.protocol.schedule.queue.QueueEffect.HandOver;
import dev.sequitur.protocol.schedule.queue.QueueInput;
import java.util.Optional;
import java.util.concurrent.CompletionException;

/**
 * Carries out one attempt that answers later, from Started until its outcome is known: hands the
 * call over under its key, waits for its receipt, and tells the queue of both. It stores nothing:
 * what it was doing is in the queue's stream, and after a restart the same call goes out under the
 * same key, so that it runs once however often this actor dies.
 */
final class ScheduleActor extends AbstractBehavior<ScheduleActor.Message> {
  /** What it is told, by itself alone. */
  sealed interface Message {}

  private record Submit() implements Message {}

  private record Submitted(TransactionId transaction) implements Message {}

  private record Refused(String sentence) implements Message {}

  private record Failed() implements Message {}

  private record Look() implements Message {}

  private record Seen(Optional<Ended> ended) implements Message {}

  private static final String TIMER = "next";

  private final QueueServices services;
  private final String idempotencyKey;
  private final HandOver handOver;
  private final ActorRef<QueueActor.Message> queue;
  private final TimerScheduler<Message> timers;
  private TransactionId transaction;
  private int failures;
  private int refusals;

  static Behavior<Message> create(
      QueueServices services,
      String queueName,
      HandOver handOver,
      ActorRef<QueueActor.Message> queue) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> {
                  context.getSelf().tell(new Submit());
                  var key = handOver.key().idempotencyKey(queueName);
                  return new ScheduleActor(context, timers, services, key, handOver, queue);
                }));
  }

  private ScheduleActor(
      ActorContext<Message> context,
      TimerScheduler<Message> timers,
      QueueServices services,
      String idempotencyKey,
      HandOver handOver,
      ActorRef<QueueActor.Message> queue) {
    super(context);
    this.timers = timers;
    this.services = services;
    this.idempotencyKey = idempotencyKey;
    this.handOver = handOver;
    this.queue = queue;
  }

  @Override
  public Receive<Message> createReceive() {
    return newReceiveBuilder().onAnyMessage(this::on).build();
  }

  private Behavior<Message> on(Message message) {
    return switch (message) {
      case Submit() -> onSubmit();
      case Submitted submitted -> onSubmitted(submitted);
      case Refused refused -> onRefused(refused);
      case Failed() -> onFailed();
      case Look() -> onLook();
      case Seen seen -> onSeen(seen);
    };
  }

  private Behavior<Message> onSubmit() {
    return switch (handOver.request()) {
      case Target.PrivateCall call -> submit(call);
      case Target.InQueue ignored ->
          conclude(failed("This node cannot run what the schedule asks for.", false));
    };
  }

  private Behavior<Message> submit(Target.PrivateCall call) {
    getContext()
        .pipeToSelf(
            services.calls().submit(idempotencyKey, call),
            (id, failure) -> failure == null ? new Submitted(id) : failure(failure));
    return this;
  }

  private static Message failure(Throwable failure) {
    var cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause instanceof RefusedIntent refused
        ? new Refused(refused.getMessage())
        : new Failed();
  }

  private Behavior<Message> onSubmitted(Submitted submitted) {
    transaction = submitted.transaction();
    failures = 0;
    queue.tell(
        new QueueActor.Reported(
            new QueueInput.HandedOver(handOver.key(), submitted.transaction())));
    return onLook();
  }

  /**
   * Asked again before it counts: another JVM of this node that is about to end may have handed the
   * same call over a moment ago.
   */
  private Behavior<Message> onRefused(Refused refused) {
    if (++refusals >= services.settings().refusals()) {
      return conclude(failed(refused.sentence(), true));
    }
    later(new Submit(), refusals);
    return this;
  }

  private Behavior<Message> onFailed() {
    failures++;
    later(transaction == null ? new Submit() : new Look(), failures);
    return this;
  }

  private Behavior<Message> onLook() {
    getContext()
        .pipeToSelf(
            services.calls().ended(transaction),
            (ended, failure) -> failure == null ? new Seen(ended) : new Failed());
    return this;
  }

  /**
   * What has reverted may still be confirmed late, so no other attempt may follow: one of them
   * would be one too many.
   */
  private Behavior<Message> onSeen(Seen seen) {
    if (seen.ended().isEmpty()) {
      failures++;
      later(new Look(), failures);
      return this;
    }
    var ended = seen.ended().get();
    return conclude(
        ended.success() ? new Conclusion.Succeeded(gas()) : failed(ended.reason(), false));
  }

  private Conclusion failed(String reason, boolean retryable) {
    return new Conclusion.Failed(gas(), reason, retryable);
  }

  private long gas() {
    return services.rules().setup().gas().call();
  }

  private Behavior<Message> conclude(Conclusion conclusion) {
    queue.tell(
        new QueueActor.Concluded(
            handOver.key(), new QueueInput.Answered(handOver.key(), conclusion)));
    return Behaviors.stopped();
  }

  private void later(Message message, int time) {
    var wait = services.settings().backoff().wait(time, idempotencyKey.hashCode());
    timers.startSingleTimer(TIMER, message, wait);
  }
}
