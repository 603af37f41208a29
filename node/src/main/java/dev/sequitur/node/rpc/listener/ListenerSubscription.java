package dev.sequitur.node.rpc.listener;

import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.TimerScheduler;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.RpcSettings;
import dev.sequitur.node.rpc.json.JsonText;
import dev.sequitur.node.rpc.method.ReceiptFilters;
import dev.sequitur.node.rpc.method.TransactionShapes;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.Listener;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * One subscription: reads receipts from where its listener stands, keeps one batch on its way, and
 * goes on once that is acknowledged and the acknowledgement is stored. Survives nothing: the
 * listener, which the store keeps, is where the next subscription begins, so that what was pushed
 * but not acknowledged comes again.
 *
 * <p>Waiting for {@link Start}, then looking, delivering, saving, and looking again.
 */
public final class ListenerSubscription {
  private static final Duration LONGEST_RETRY = Duration.ofMinutes(1);

  /** What it is told. */
  public sealed interface Command {}

  /** The caller knows the subscription's id: pushes may begin. */
  public enum Start implements Command {
    INSTANCE
  }

  /** The caller has taken the batch that is on its way. */
  public enum Acknowledge implements Command {
    INSTANCE
  }

  /** The caller wants the batch that is on its way again. */
  public enum Refuse implements Command {
    INSTANCE
  }

  /** The caller or its connection is gone. */
  public enum Stop implements Command {
    INSTANCE
  }

  /** The listener serves somebody else or nobody now: the caller is told why. */
  public record End(RpcFailure reason) implements Command {}

  private enum Again implements Command {
    INSTANCE
  }

  private enum Saved implements Command {
    INSTANCE
  }

  private enum Failed implements Command {
    INSTANCE
  }

  private record Loaded(List<NumberedReceipt> page) implements Command {}

  /**
   * What a subscription works with.
   *
   * @param id as the caller knows it
   */
  public record Setup(
      String id, Listener listener, NodeStore store, RpcSettings settings, Outlet outlet) {}

  /** The connection as a subscription sees it. Must not block. */
  public interface Outlet {
    /** Sends one JSON-RPC notification. */
    void push(ObjectNode notification);

    /** The subscription has ended of itself; called once, at most. */
    void ended();
  }

  private final Setup setup;
  private final ReceiptFilters properties;
  private final ActorContext<Command> context;
  private final TimerScheduler<Command> timers;
  private long position;
  private long batches;
  private int failures;

  private ListenerSubscription(
      Setup setup, ActorContext<Command> context, TimerScheduler<Command> timers) {
    this.setup = setup;
    this.properties = ReceiptFilters.of(setup.listener());
    this.context = context;
    this.timers = timers;
    this.position = Math.max(setup.listener().acknowledged(), properties.sequenceAbove());
  }

  /** Pushes nothing before {@link Start}. */
  public static Behavior<Command> create(Setup setup) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> new ListenerSubscription(setup, context, timers).waiting()));
  }

  private Behavior<Command> waiting() {
    return Behaviors.receive(Command.class)
        .onMessageEquals(Start.INSTANCE, this::onLook)
        .onMessageEquals(Stop.INSTANCE, Behaviors::stopped)
        .onMessage(End.class, this::onEnd)
        .onAnyMessage(ignored -> Behaviors.same())
        .build();
  }

  /** Waits for a page, or for the time to ask again. */
  private Behavior<Command> looking() {
    return Behaviors.receive(Command.class)
        .onMessage(Loaded.class, this::onLoaded)
        .onMessageEquals(Failed.INSTANCE, this::onFailed)
        .onMessageEquals(Again.INSTANCE, this::onLook)
        .onMessageEquals(Stop.INSTANCE, Behaviors::stopped)
        .onMessage(End.class, this::onEnd)
        .onAnyMessage(ignored -> Behaviors.same())
        .build();
  }

  /** A batch is on its way; what it skipped and what it holds ends at {@code last}. */
  private Behavior<Command> delivering(List<NumberedReceipt> batch, long last) {
    return Behaviors.receive(Command.class)
        .onMessageEquals(Acknowledge.INSTANCE, () -> onTaken(last))
        .onMessageEquals(Refuse.INSTANCE, () -> onRefused(batch, last))
        .onMessageEquals(Stop.INSTANCE, Behaviors::stopped)
        .onMessage(End.class, this::onEnd)
        .onAnyMessage(ignored -> Behaviors.same())
        .build();
  }

  /** The batch was refused; it comes again when the pause is over. */
  private Behavior<Command> pausing(List<NumberedReceipt> batch, long last) {
    return Behaviors.receive(Command.class)
        .onMessageEquals(Again.INSTANCE, () -> deliver(batch, last))
        .onMessageEquals(Stop.INSTANCE, Behaviors::stopped)
        .onMessage(End.class, this::onEnd)
        .onAnyMessage(ignored -> Behaviors.same())
        .build();
  }

  /** The acknowledgement up to {@code last} is being stored. */
  private Behavior<Command> saving(long last) {
    return Behaviors.receive(Command.class)
        .onMessageEquals(Saved.INSTANCE, () -> onSaved(last))
        .onMessageEquals(Failed.INSTANCE, this::onFailed)
        .onMessageEquals(Again.INSTANCE, () -> save(last))
        .onMessageEquals(Stop.INSTANCE, Behaviors::stopped)
        .onMessage(End.class, this::onEnd)
        .onAnyMessage(ignored -> Behaviors.same())
        .build();
  }

  private Behavior<Command> onLook() {
    pipe(page(), Loaded::new);
    return looking();
  }

  /** Of a listener that was stopped, on whichever JVM, there is nothing to tell. */
  private CompletionStage<List<NumberedReceipt>> page() {
    return setup
        .store()
        .listener(setup.listener().name())
        .thenCompose(
            found ->
                found.filter(listener -> listener.stopped().isEmpty()).isPresent()
                    ? setup.store().receipts(position, setup.settings().limits().receiptBatch())
                    : CompletableFuture.completedFuture(List.of()));
  }

  private Behavior<Command> onLoaded(Loaded loaded) {
    failures = 0;
    if (loaded.page().isEmpty()) {
      timers.startSingleTimer(Again.INSTANCE, setup.settings().timeouts().receiptPoll());
      return Behaviors.same();
    }
    long last = loaded.page().get(loaded.page().size() - 1).sequence();
    var wanted = loaded.page().stream().filter(properties::wants).toList();
    // Nothing to acknowledge: what the filters left out is remembered as taken.
    return wanted.isEmpty() ? save(last) : deliver(wanted, last);
  }

  private Behavior<Command> deliver(List<NumberedReceipt> batch, long last) {
    var result = JsonText.object().put("batchId", ++batches);
    result.set("receipts", TransactionShapes.RECEIPT.list().write(batch));
    push("result", result);
    return delivering(batch, last);
  }

  private Behavior<Command> onTaken(long last) {
    failures = 0;
    return save(last);
  }

  private Behavior<Command> onRefused(List<NumberedReceipt> batch, long last) {
    timers.startSingleTimer(Again.INSTANCE, pause());
    return pausing(batch, last);
  }

  private Behavior<Command> save(long last) {
    pipe(setup.store().acknowledge(setup.listener().name(), last), nothing -> Saved.INSTANCE);
    return saving(last);
  }

  private Behavior<Command> onSaved(long last) {
    failures = 0;
    position = last;
    return onLook();
  }

  private Behavior<Command> onFailed() {
    timers.startSingleTimer(Again.INSTANCE, pause());
    return Behaviors.same();
  }

  private Behavior<Command> onEnd(End end) {
    push("error", JsonText.error(end.reason()));
    setup.outlet().ended();
    return Behaviors.stopped();
  }

  private void push(String field, ObjectNode content) {
    var params = JsonText.object().put("subscription", setup.id());
    params.set(field, content);
    var notification = JsonText.object().put("jsonrpc", "2.0").put("method", "ptx_subscription");
    notification.set("params", params);
    setup.outlet().push(notification);
  }

  /** Doubles with each failure or refusal in a row, up to a minute. */
  private Duration pause() {
    var first = setup.settings().timeouts().receiptRetry();
    var pause = first.multipliedBy(1L << Math.min(failures++, 16));
    return pause.compareTo(LONGEST_RETRY) > 0 ? LONGEST_RETRY : pause;
  }

  /** Not pipeToSelf: it hands each callback to another thread. */
  private <T> void pipe(CompletionStage<T> stage, Function<T, Command> success) {
    var self = context.getSelf();
    stage.whenComplete(
        (value, failure) -> self.tell(failure == null ? success.apply(value) : Failed.INSTANCE));
  }
}
