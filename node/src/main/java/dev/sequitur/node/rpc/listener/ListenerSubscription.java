package dev.sequitur.node.rpc.listener;

import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.TimerScheduler;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.json.JsonText;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.RpcSettings;
import dev.sequitur.node.rpc.method.ListenerFeed;
import dev.sequitur.node.rpc.method.ListenerFeed.Page;
import dev.sequitur.node.rpc.method.ListenerFeed.Row;
import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.port.HeldBack;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.Listener;
import dev.sequitur.protocol.port.NodeStore.ListenerKind;
import dev.sequitur.protocol.port.NodeStore.Taken;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One subscription: reads what its listener is told of from where the listener stands, keeps one
 * batch on its way, and goes on once that is acknowledged and the acknowledgement is stored.
 * Survives nothing: the listener, which the store keeps, is where the next subscription begins, so
 * that what was pushed but not acknowledged comes again.
 *
 * <p>Where several subscriptions serve one listener, one has its turn at a time, and begins where
 * the listener stands then. Its turn ends with each batch that is taken, and with one that is
 * refused or not taken for long; the others rest meanwhile. Who rests may answer late: then it may
 * have a turn again, and that is all.
 *
 * <p>Waiting for {@link Start}, resting until {@link Turn}, then looking, delivering, saving, and
 * looking again.
 */
public final class ListenerSubscription {
  private static final Duration LONGEST_RETRY = Duration.ofMinutes(1);

  /** A batch that is not taken for so long goes to the next, if there is one. */
  static final Duration LONGEST_TURN = Duration.ofSeconds(30);

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

  /** The listener serves somebody else or nobody now: the caller is told why. */
  public record End(RpcFailure reason) implements Command {}

  /** What it tells itself. */
  private sealed interface Own extends Command {}

  private enum Again implements Own {
    INSTANCE
  }

  /** The batch that is on its way has not been taken. */
  private enum Overdue implements Own {
    INSTANCE
  }

  /** What has been gathered waits no longer for more. */
  private enum Due implements Own {
    INSTANCE
  }

  private enum Saved implements Own {
    INSTANCE
  }

  private record Failed(Throwable cause) implements Own {}

  /** There is no such listener any more, or another one under its name. */
  private enum Gone implements Own {
    INSTANCE
  }

  /**
   * @param from where it was read from
   * @param page empty if the listener is stopped
   */
  private record Loaded(long from, Optional<Page> page) implements Own {}

  /**
   * What a subscription works with.
   *
   * @param id as the caller knows it
   * @param feed what the listener is told of
   */
  public record Setup(
      String id,
      ListenerKind kind,
      Listener listener,
      ListenerFeed feed,
      NodeStore store,
      RpcSettings.Timeouts timeouts,
      Outlet outlet) {}

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
  private final ActorContext<Command> context;
  private final TimerScheduler<Command> timers;

  /** What is to go into the next batch; not more than the feed has in one. */
  private final List<Row> gathered = new ArrayList<>();

  /** Up to here the listener has acknowledged all, and it is stored. */
  private long taken;

  /** Up to here it has been read; what was wanted of it since {@code taken} is gathered. */
  private long readTo;

  /** What was read since {@code taken} and has to be told later; rising. */
  private final List<HeldBack.Row> heldBack = new ArrayList<>();

  /** What was held back, and is gathered or not to be told any more. */
  private final List<Long> done = new ArrayList<>();

  /** Whether a page has been asked for and has not come. */
  private boolean asking;

  private boolean due;

  private boolean hasTurn;

  /** Whether its turn has begun and the listener has not been looked at since. */
  private boolean isNew = true;

  /** Whether its turn ends once what was read is stored as taken. */
  private boolean endsTurn;

  /** Whether the last batch was refused. */
  private boolean refused;

  private long batches;

  /** Of failures and refusals in a row. */
  private final Backoff pauses;

  private Duration pause;

  private ListenerSubscription(
      Setup setup, ActorContext<Command> context, TimerScheduler<Command> timers) {
    this.setup = setup;
    this.context = context;
    this.timers = timers;
    this.taken = setup.listener().acknowledged();
    this.readTo = taken;
    this.pauses = pauses(setup.timeouts().receiptRetry());
    this.pause = pauses.initial();
  }

  private static Backoff pauses(Duration first) {
    return new Backoff(first.compareTo(LONGEST_RETRY) < 0 ? first : LONGEST_RETRY, LONGEST_RETRY);
  }

  /** Pushes nothing before {@link Start}. */
  public static Behavior<Command> create(Setup setup) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> new ListenerSubscription(setup, context, timers).waiting()));
  }

  private Behavior<Command> waiting() {
    return Behaviors.receiveMessage(
        command ->
            switch (command) {
              case Turn.INSTANCE -> onEarlyTurn();
              case Start.INSTANCE -> hasTurn ? onLook() : resting();
              case Stop.INSTANCE -> Behaviors.stopped();
              case End(var reason) -> onEnd(reason);
              case Acknowledge.INSTANCE, Refuse.INSTANCE -> Behaviors.same();
              case Own ignored -> Behaviors.same();
            });
  }

  /** Another serves the listener. */
  private Behavior<Command> resting() {
    return Behaviors.receiveMessage(
        command ->
            switch (command) {
              case Turn.INSTANCE -> onLook();
              case Acknowledge.INSTANCE, Refuse.INSTANCE -> onLateAnswer();
              case Stop.INSTANCE -> Behaviors.stopped();
              case End(var reason) -> onEnd(reason);
              case Start.INSTANCE -> Behaviors.same();
              case Own ignored -> Behaviors.same();
            });
  }

  /** Waits for a page, for the time to ask again, or for what is gathered to be due. */
  private Behavior<Command> looking() {
    return working(
        own ->
            switch (own) {
              case Loaded loaded -> onLoaded(loaded);
              case Failed(var cause) -> onNotLoaded(cause);
              case Gone.INSTANCE -> onGone();
              case Again.INSTANCE -> onLook();
              case Due.INSTANCE -> onDue();
              case Overdue.INSTANCE, Saved.INSTANCE -> Behaviors.same();
            });
  }

  /** A batch is on its way: all that is gathered. */
  private Behavior<Command> delivering() {
    return Behaviors.receiveMessage(
        command ->
            switch (command) {
              case Acknowledge.INSTANCE -> onTaken();
              case Refuse.INSTANCE -> onRefused();
              case Overdue.INSTANCE -> onOverdue();
              case Stop.INSTANCE -> Behaviors.stopped();
              case End(var reason) -> onEnd(reason);
              case Start.INSTANCE, Turn.INSTANCE -> Behaviors.same();
              case Own ignored -> Behaviors.same();
            });
  }

  /** The batch was refused; it comes again when the pause is over. */
  private Behavior<Command> pausing() {
    return working(
        own ->
            switch (own) {
              case Again.INSTANCE -> onPaused();
              case Due.INSTANCE, Overdue.INSTANCE, Saved.INSTANCE, Gone.INSTANCE ->
                  Behaviors.same();
              case Loaded ignored -> Behaviors.same();
              case Failed ignored -> Behaviors.same();
            });
  }

  /** That all has been taken which was read is being stored. */
  private Behavior<Command> saving() {
    return working(
        own ->
            switch (own) {
              case Saved.INSTANCE -> onSaved();
              case Failed(var cause) -> onFailed(cause);
              case Gone.INSTANCE -> onGone();
              case Again.INSTANCE -> save();
              case Due.INSTANCE, Overdue.INSTANCE -> Behaviors.same();
              case Loaded ignored -> Behaviors.same();
            });
  }

  /** A state in which nothing that others tell it counts but its end. */
  private Behavior<Command> working(Function<Own, Behavior<Command>> state) {
    return Behaviors.receiveMessage(
        command ->
            switch (command) {
              case Own own -> state.apply(own);
              case Stop.INSTANCE -> Behaviors.stopped();
              case End(var reason) -> onEnd(reason);
              case Start.INSTANCE, Turn.INSTANCE, Acknowledge.INSTANCE, Refuse.INSTANCE ->
                  Behaviors.same();
            });
  }

  private Behavior<Command> onEarlyTurn() {
    hasTurn = true;
    return Behaviors.same();
  }

  private Behavior<Command> onLook() {
    asking = true;
    pipe(whileThere(this::page));
    return looking();
  }

  /**
   * Of a listener that was deleted, on whichever JVM, nothing is told or taken: one of the same
   * name may have been made since, which is another's.
   */
  private CompletionStage<Command> whileThere(Function<Listener, CompletionStage<Command>> then) {
    return setup
        .store()
        .listener(setup.kind(), setup.listener().name())
        .thenCompose(
            found ->
                found
                    .filter(this::isServed)
                    .map(then)
                    .orElseGet(() -> CompletableFuture.completedFuture(Gone.INSTANCE)));
  }

  private boolean isServed(Listener listener) {
    return listener.created().equals(setup.listener().created())
        && listener.properties().equals(setup.listener().properties());
  }

  /** Of a listener that was stopped, on whichever JVM, there is nothing to tell. */
  private CompletionStage<Command> page(Listener listener) {
    long from = isNew ? listener.acknowledged() : readTo;
    return listener.stopped().isEmpty()
        ? setup
            .feed()
            .rows()
            .after(from, later(listener), setup.feed().batch() - gathered.size())
            .thenApply(page -> new Loaded(from, Optional.of(page)))
        : CompletableFuture.completedFuture(new Loaded(from, Optional.empty()));
  }

  /** As it will be once all that was read is stored as taken. */
  private HeldBack later(Listener listener) {
    return listener.taken(new Taken(readTo, heldBack, done)).heldBack();
  }

  private Behavior<Command> onLoaded(Loaded loaded) {
    asking = false;
    if (!refused) {
      pause = pauses.initial();
    }
    if (isNew) {
      isNew = false;
      taken = loaded.from();
      readTo = taken;
    }
    if (loaded.page().isEmpty()) {
      return onStopped();
    }
    var page = loaded.page().get();
    boolean more = page.readTo() > readTo;
    if (gathered.isEmpty() && !page.rows().isEmpty() && !setup.feed().patience().isZero()) {
      timers.startSingleTimer(Due.INSTANCE, setup.feed().patience());
    }
    gathered.addAll(page.rows());
    heldBack.addAll(page.heldBack());
    done.addAll(page.done());
    readTo = page.readTo();
    if (due || gathered.size() >= setup.feed().batch()) {
      return deliver();
    } else if (!gathered.isEmpty()) {
      return setup.feed().patience().isZero() ? deliver() : more ? onLook() : pollLater();
    }
    // Nothing to acknowledge: what the listener does not want is remembered as taken.
    return more || !done.isEmpty() ? save() : pollLater();
  }

  /** What was gathered is read again, once it is started. */
  private Behavior<Command> onStopped() {
    timers.cancel(Due.INSTANCE);
    due = false;
    forget();
    readTo = taken;
    return pollLater();
  }

  private Behavior<Command> pollLater() {
    timers.startSingleTimer(Again.INSTANCE, setup.timeouts().receiptPoll());
    return Behaviors.same();
  }

  private Behavior<Command> onDue() {
    due = true;
    return asking ? Behaviors.same() : deliver();
  }

  private Behavior<Command> onNotLoaded(Throwable cause) {
    asking = false;
    return due ? deliver() : onFailed(cause);
  }

  private Behavior<Command> deliver() {
    timers.cancel(Due.INSTANCE);
    timers.cancel(Again.INSTANCE);
    due = false;
    var result = JsonText.object();
    result.set("batchId", setup.feed().naming().name(++batches, List.copyOf(gathered)));
    var rows = result.putArray(setup.feed().field());
    gathered.forEach(row -> rows.add(row.json()));
    push(pushed -> pushed.set("result", result));
    timers.startSingleTimer(Overdue.INSTANCE, LONGEST_TURN);
    return delivering();
  }

  private Behavior<Command> onTaken() {
    timers.cancel(Overdue.INSTANCE);
    pause = pauses.initial();
    refused = false;
    gathered.clear();
    return saveTaken();
  }

  /** Whoever does not take it keeps it from nobody else. */
  private Behavior<Command> onOverdue() {
    if (setup.outlet().keepsLateTurn()) {
      timers.startSingleTimer(Overdue.INSTANCE, LONGEST_TURN);
      return Behaviors.same();
    }
    return rest();
  }

  /** Another has that batch, and may have taken it: so this counts for none. */
  private Behavior<Command> onLateAnswer() {
    setup.outlet().answeredLate();
    return Behaviors.same();
  }

  private Behavior<Command> onPaused() {
    return setup.outlet().keepsTurn() ? deliver() : rest();
  }

  /** Another goes on from where the listener stands. */
  private Behavior<Command> rest() {
    forget();
    isNew = true;
    return resting();
  }

  private void forget() {
    gathered.clear();
    heldBack.clear();
    done.clear();
  }

  private Behavior<Command> onRefused() {
    timers.cancel(Overdue.INSTANCE);
    refused = true;
    timers.startSingleTimer(Again.INSTANCE, nextPause());
    return pausing();
  }

  private Behavior<Command> saveTaken() {
    endsTurn = true;
    return save();
  }

  private Behavior<Command> save() {
    var all = new Taken(readTo, heldBack, done);
    pipe(
        whileThere(
            listener ->
                setup
                    .store()
                    .acknowledge(setup.kind(), listener.name(), all)
                    .thenApply(stored -> Saved.INSTANCE)));
    return saving();
  }

  private Behavior<Command> onSaved() {
    pause = pauses.initial();
    taken = readTo;
    forget();
    boolean ends = endsTurn;
    endsTurn = false;
    return !ends || setup.outlet().keepsTurn() ? onLook() : rest();
  }

  /** What fails for ever would keep the listener silent for ever: the operator learns why. */
  private Behavior<Command> onFailed(Throwable cause) {
    var wait = nextPause();
    context
        .getLog()
        .warn(
            "The {} '{}' is told nothing now; it is tried again in {} ms",
            setup.kind().noun(),
            setup.listener().name(),
            wait.toMillis(),
            cause);
    timers.startSingleTimer(Again.INSTANCE, wait);
    return Behaviors.same();
  }

  private Behavior<Command> onGone() {
    return onEnd(ServedListeners.gone(setup.kind(), setup.listener().name()));
  }

  /** Clients that know of no errors here find a result without rows. */
  private Behavior<Command> onEnd(RpcFailure reason) {
    var nothing = JsonText.object();
    nothing.putArray(setup.feed().field());
    push(
        pushed -> {
          pushed.set("error", reason.error());
          pushed.set("result", nothing);
        });
    setup.outlet().ended();
    return Behaviors.stopped();
  }

  private void push(Consumer<ObjectNode> content) {
    var params = JsonText.object().put("subscription", setup.id());
    content.accept(params);
    var notification =
        JsonText.object().put("jsonrpc", "2.0").put("method", setup.feed().notification());
    notification.set("params", params);
    setup.outlet().push(notification);
  }

  /** Longer each time, up to a minute. */
  private Duration nextPause() {
    var next = pause;
    pause = pauses.longer(next);
    return next;
  }

  /** Not pipeToSelf: it hands each callback to another thread. */
  private void pipe(CompletionStage<Command> stage) {
    var self = context.getSelf();
    stage.whenComplete(
        (outcome, failure) -> self.tell(failure == null ? outcome : new Failed(failure)));
  }
}
