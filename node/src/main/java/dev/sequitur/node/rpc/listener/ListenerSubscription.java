package dev.sequitur.node.rpc.listener;

import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.actor.typed.javadsl.TimerScheduler;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.json.JsonText;
import dev.sequitur.node.rpc.RpcSettings;
import dev.sequitur.node.rpc.method.ListenerFeed;
import dev.sequitur.node.rpc.method.ListenerFeed.Row;
import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.listener.Telling;
import dev.sequitur.protocol.listener.TellingEffect;
import dev.sequitur.protocol.listener.TellingInput;
import dev.sequitur.protocol.listener.TellingState;
import dev.sequitur.protocol.machine.Host;
import dev.sequitur.protocol.port.ListenerStore;
import dev.sequitur.protocol.port.ListenerStore.Listener;
import dev.sequitur.protocol.port.ListenerStore.ListenerKind;
import dev.sequitur.protocol.port.ListenerStore.Taken;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Does for one subscription what its {@link Telling} decides: reads, pushes and stores. Survives
 * nothing: the listener, which the store keeps, is where the next subscription begins.
 */
public final class ListenerSubscription extends AbstractBehavior<ListenerSubscription.Command> {
  private static final Duration LONGEST_RETRY = Duration.ofMinutes(1);

  /** What it is told. */
  public sealed interface Command {}

  /** The caller knows the subscription's id: pushes may begin. */
  public enum Start implements Command {
    INSTANCE
  }

  /** Nobody else serves the listener now. */
  public enum Turn implements Command {
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

  /** The listener was deleted: the caller is told so. */
  public enum Deleted implements Command {
    INSTANCE
  }

  /** What it waited for first is due: there is no timer any more. */
  private enum Due implements Command {
    INSTANCE
  }

  /** What it tells itself. */
  private record Told(TellingInput<Row> input) implements Command {}

  /**
   * What a subscription works with.
   *
   * @param id as the caller knows it
   * @param feed what the listener is told of
   * @param nanos goes on evenly, like {@link System#nanoTime}
   */
  public record Setup(
      String id,
      ListenerKind kind,
      Listener listener,
      ListenerFeed feed,
      ListenerStore store,
      RpcSettings.Timeouts timeouts,
      LongSupplier nanos,
      Outlet outlet) {
    private Telling rules() {
      var first = timeouts.receiptRetry();
      return new Telling(
          feed.batch(),
          feed.patience(),
          timeouts.receiptPoll(),
          new Backoff(first.compareTo(LONGEST_RETRY) < 0 ? first : LONGEST_RETRY, LONGEST_RETRY));
    }
  }

  /** The connection as a subscription sees it. Must not block. */
  public interface Outlet {
    /** Sends one JSON-RPC notification. */
    void push(ObjectNode notification);

    /**
     * Its batch was taken or refused: ends its turn, unless nobody else is ready for one.
     *
     * @return whether it is its turn still
     */
    boolean keepsTurn();

    /**
     * Its batch was not answered for long: leaves it to another, unless nobody else is ready.
     *
     * @return whether it is its turn still
     */
    boolean keepsLateTurn();

    /** The caller has answered while it was not its turn. */
    void answeredLate();

    /** The subscription has ended of itself; called once, at most. */
    void ended();
  }

  private final Setup setup;
  private final WakeTimer<Command> timer;
  private final Host<TellingInput<Row>, TellingState<Row>, Void, TellingEffect<Row>> host;

  private ListenerSubscription(
      Setup setup, ActorContext<Command> context, TimerScheduler<Command> timers) {
    super(context);
    this.setup = setup;
    this.timer = new WakeTimer<>(timers, Due.INSTANCE, setup.nanos());
    var machine = setup.rules().<Row>machine();
    this.host = new Host<>(machine, machine.initial());
  }

  /** Pushes nothing before {@link Start}. */
  public static Behavior<Command> create(Setup setup) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(timers -> new ListenerSubscription(setup, context, timers)));
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder().onAnyMessage(this::onCommand).build();
  }

  private Behavior<Command> onCommand(Command command) {
    decide(input(command));
    if (host.state().hasEnded()) {
      return Behaviors.stopped();
    }
    timer.set(host.state().wake());
    return this;
  }

  private TellingInput<Row> input(Command command) {
    return switch (command) {
      case Start.INSTANCE -> new TellingInput.Start<>();
      case Turn.INSTANCE -> new TellingInput.Turn<>();
      case Acknowledge.INSTANCE -> new TellingInput.Acknowledged<>();
      case Refuse.INSTANCE -> new TellingInput.Refused<>();
      case Stop.INSTANCE -> new TellingInput.End<>();
      case Deleted.INSTANCE -> new TellingInput.Gone<>();
      case Told(var input) -> input;
      case Due.INSTANCE -> {
        timer.rang();
        yield new TellingInput.Tick<>();
      }
    };
  }

  private void decide(TellingInput<Row> first) {
    var inputs = new ArrayDeque<TellingInput<Row>>(List.of(first));
    while (!inputs.isEmpty()) {
      host.fold(List.of(inputs.remove()), timer.now())
          .effects()
          .forEach(effect -> run(effect).ifPresent(inputs::add));
    }
  }

  /** Does it, and gives what follows at once. */
  private Optional<TellingInput<Row>> run(TellingEffect<Row> effect) {
    switch (effect) {
      case TellingEffect.Look<Row>(var soFar, var most) ->
          pipe(whileThere(listener -> page(listener, soFar, most)));
      case TellingEffect.Deliver<Row>(var number, var rows) -> deliver(number, rows);
      case TellingEffect.Store<Row>(var taken) ->
          pipe(whileThere(listener -> acknowledged(listener, taken)));
      case TellingEffect.Offer<Row>(var late) -> {
        var outlet = setup.outlet();
        return Optional.of(
            new TellingInput.Offered<>(late ? outlet.keepsLateTurn() : outlet.keepsTurn()));
      }
      case TellingEffect.AnsweredLate<Row>() -> setup.outlet().answeredLate();
      case TellingEffect.Warn<Row>(var cause, var again) -> warn(cause, again);
      case TellingEffect.TellGone<Row>() -> tellGone();
    }
    return Optional.empty();
  }

  /**
   * Of a listener that was deleted, on whichever JVM, nothing is told or taken: one of the same
   * name may have been made since, which is another's.
   */
  private CompletionStage<TellingInput<Row>> whileThere(
      Function<Listener, CompletionStage<TellingInput<Row>>> then) {
    return setup
        .store()
        .find(setup.kind(), setup.listener().name())
        .thenCompose(
            found ->
                found
                    .filter(setup.listener()::isSameAs)
                    .map(then)
                    .orElseGet(() -> CompletableFuture.completedFuture(new TellingInput.Gone<>())));
  }

  /** Of a listener that was stopped, on whichever JVM, there is nothing to tell. */
  private CompletionStage<TellingInput<Row>> page(
      Listener listener, Optional<Taken> soFar, int most) {
    long from = soFar.map(Taken::upTo).orElse(listener.acknowledged());
    if (listener.stopped().isPresent()) {
      return CompletableFuture.completedFuture(new TellingInput.Stopped<>(from));
    }
    var later = soFar.map(listener::taken).orElse(listener).heldBack();
    return setup
        .feed()
        .rows()
        .after(from, later, most)
        .thenApply(page -> new TellingInput.Came<>(from, page.rows(), page.taken()));
  }

  private CompletionStage<TellingInput<Row>> acknowledged(Listener listener, Taken taken) {
    return setup
        .store()
        .acknowledge(setup.kind(), listener, taken)
        .thenApply(there -> there ? new TellingInput.Stored<>() : new TellingInput.Gone<>());
  }

  private void deliver(long number, List<Row> rows) {
    var result = JsonText.object();
    result.set("batchId", setup.feed().naming().name(number, rows));
    var written = result.putArray(setup.feed().field());
    rows.forEach(row -> written.add(row.json()));
    push(pushed -> pushed.set("result", result));
  }

  /** What fails for ever would keep the listener silent for ever: the operator learns why. */
  private void warn(Throwable cause, Duration again) {
    getContext()
        .getLog()
        .warn(
            "The {} '{}' is told nothing now; it is tried again in {} ms",
            setup.kind().noun(),
            setup.listener().name(),
            again.toMillis(),
            cause);
  }

  /** Clients that know of no errors here find a result without rows. */
  private void tellGone() {
    var nothing = JsonText.object();
    nothing.putArray(setup.feed().field());
    push(
        pushed -> {
          pushed.set("error", ServedListeners.gone(setup.kind(), setup.listener().name()).error());
          pushed.set("result", nothing);
        });
    setup.outlet().ended();
  }

  private void push(Consumer<ObjectNode> content) {
    var params = JsonText.object().put("subscription", setup.id());
    content.accept(params);
    var notification =
        JsonText.object().put("jsonrpc", "2.0").put("method", setup.feed().notification());
    notification.set("params", params);
    setup.outlet().push(notification);
  }

  /** Not pipeToSelf: it hands each callback to another thread. */
  private void pipe(CompletionStage<TellingInput<Row>> stage) {
    var self = getContext().getSelf();
    stage.whenComplete(
        (outcome, failure) ->
            self.tell(new Told(failure == null ? outcome : new TellingInput.Failed<>(failure))));
  }
}
