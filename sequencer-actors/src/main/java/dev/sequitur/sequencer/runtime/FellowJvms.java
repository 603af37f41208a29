package dev.sequitur.sequencer.runtime;

import akka.Done;
import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.PostStop;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.actor.typed.javadsl.TimerScheduler;
import akka.cluster.ClusterEvent.ClusterShuttingDown$;
import akka.cluster.ClusterEvent.CurrentClusterState;
import akka.cluster.ClusterEvent.MemberEvent;
import akka.cluster.ClusterEvent.MemberRemoved;
import akka.cluster.ClusterEvent.MemberUp;
import akka.cluster.Member;
import akka.cluster.MemberStatus;
import akka.cluster.UniqueAddress;
import akka.cluster.typed.Cluster;
import akka.cluster.typed.GetCurrentState;
import akka.cluster.typed.Subscribe;
import dev.sequitur.persistence.store.JvmName;
import dev.sequitur.persistence.store.LeftOutException;
import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeWriters;
import dev.sequitur.protocol.port.NodeWriters.ClusterView;
import dev.sequitur.protocol.sender.Handover;
import dev.sequitur.sequencer.actor.IntentHandover;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The JVMs of this node as its cluster has them, from before this one joins: once it is a member,
 * it lets itself in among those that may write to the node store; and from each other one that is
 * removed it takes over, at once or as soon as it was let in itself. One in each JVM.
 */
final class FellowJvms extends AbstractBehavior<FellowJvms.Command> {
  private static final Backoff PAUSES = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(30));

  /** In between the pauses grow; together nearly a minute. */
  private static final int MOST_ENTRIES = 9;

  /** What it is told. */
  sealed interface Command {}

  /** Answered once nothing that happens in the cluster is missed. */
  record AwaitListening(ActorRef<Done> replyTo) implements Command {}

  /**
   * Who goes on in the place of those that are lost.
   *
   * @param handover tells senders what was found
   * @param takeUpGroups takes up what is stored of groups that are not made
   */
  record Inform(
      ActorRef<IntentHandover.Command> handover, Supplier<CompletionStage<Void>> takeUpGroups)
      implements Command {}

  private record Changed(MemberEvent event) implements Command {}

  /** After this, whoever is removed is so only because this JVM leaves. */
  private record Leaving() implements Command {}

  private record Enter(int attempt, Duration pause) implements Command {}

  private record Seen(CurrentClusterState cluster) implements Command {}

  private record Entered(Enter attempt, boolean mayWrite) implements Command {}

  private record NotEntered(Enter attempt, Throwable cause) implements Command {}

  private record TakeOver(JvmName jvm, Duration pause) implements Command {}

  /**
   * @param senders of public transactions
   */
  private record TakenOver(JvmName jvm, Set<ContractAddress> contracts, Set<Identity> senders)
      implements Command {}

  private record GroupsNotTakenUp(JvmName jvm, Throwable cause) implements Command {}

  private record GroupsTakenUp() implements Command {}

  private record NotTakenOver(TakeOver attempt, Throwable cause) implements Command {}

  private final NodeStore store;
  private final NodeWriters writers;
  private final CompletableFuture<Done> entered;
  private final TimerScheduler<Command> timers;
  private final UniqueAddress self;
  private final ActorRef<CurrentClusterState> seen;

  /** Until this JVM is let in. */
  private final Set<String> met = new HashSet<>();

  private final Set<JvmName> lost = new LinkedHashSet<>();
  private Enter entering = new Enter(1, PAUSES.initial());
  private Optional<Boolean> begun = Optional.empty();
  private boolean mayWrite;
  private boolean leaving;
  private Optional<Inform> successor = Optional.empty();

  /**
   * @param entered completed when this JVM may write; fails with a sentence if it may not
   */
  static Behavior<Command> create(
      NodeStore store, NodeWriters writers, CompletableFuture<Done> entered) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> new FellowJvms(context, timers, store, writers, entered)));
  }

  private FellowJvms(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      NodeStore store,
      NodeWriters writers,
      CompletableFuture<Done> entered) {
    super(context);
    this.store = store;
    this.writers = writers;
    this.entered = entered;
    this.timers = timers;
    this.seen = context.messageAdapter(CurrentClusterState.class, Seen::new);
    var cluster = Cluster.get(context.getSystem());
    this.self = cluster.selfMember().uniqueAddress();
    var changes = context.messageAdapter(MemberEvent.class, Changed::new);
    cluster.subscriptions().tell(Subscribe.create(changes, MemberEvent.class));
    var end = context.messageAdapter(ClusterShuttingDown$.class, any -> new Leaving());
    cluster.subscriptions().tell(Subscribe.create(end, ClusterShuttingDown$.class));
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onAnyMessage(this::onCommand)
        .onSignal(PostStop.class, this::onStop)
        .build();
  }

  private Behavior<Command> onCommand(Command command) {
    return switch (command) {
      case AwaitListening question -> onAwaitListening(question);
      case Inform inform -> onInform(inform);
      case Changed(var event) -> onChanged(event);
      case Leaving() -> onLeaving();
      case Enter attempt -> onEnter(attempt);
      case Seen(var cluster) -> onSeen(cluster);
      case Entered answer -> onEntered(answer);
      case NotEntered failed -> onNotEntered(failed);
      case TakeOver attempt -> onTakeOver(attempt);
      case TakenOver done -> onTakenOver(done);
      case NotTakenOver failed -> onNotTakenOver(failed);
      case GroupsTakenUp() -> this;
      case GroupsNotTakenUp failed -> onGroupsNotTakenUp(failed);
    };
  }

  private Behavior<Command> onAwaitListening(AwaitListening question) {
    question.replyTo().tell(Done.getInstance());
    return this;
  }

  private Behavior<Command> onInform(Inform inform) {
    successor = Optional.of(inform);
    return this;
  }

  private Behavior<Command> onLeaving() {
    leaving = true;
    return this;
  }

  private Behavior<Command> onChanged(MemberEvent event) {
    var member = event.member();
    if (event instanceof MemberRemoved removed) {
      onRemoved(removed);
      return this;
    }
    if (!mayWrite) {
      met.add(name(member));
    }
    if (isSelf(member)) {
      onOwnChange(event);
    }
    return this;
  }

  private void onOwnChange(MemberEvent event) {
    var status = event.member().status();
    leaving =
        status.equals(MemberStatus.leaving())
            || status.equals(MemberStatus.exiting())
            || status.equals(MemberStatus.down());
    if (event instanceof MemberUp) {
      getContext().getSelf().tell(entering);
    }
  }

  /**
   * A JVM that leaves the cluster sees all others removed, in whatever state they are; it must not
   * take over from them.
   */
  private void onRemoved(MemberRemoved removed) {
    var before = removed.previousStatus();
    boolean wasLeaving =
        before.equals(MemberStatus.down()) || before.equals(MemberStatus.exiting());
    leaving |= isSelf(removed.member());
    if (wasLeaving && !leaving) {
      lost.add(JvmName.of(removed.member().uniqueAddress()));
      takeOverFromLost();
    }
  }

  private void takeOverFromLost() {
    if (mayWrite) {
      lost.forEach(jvm -> getContext().getSelf().tell(new TakeOver(jvm, PAUSES.initial())));
      lost.clear();
    }
  }

  /** The events of one change come one after another; what is asked for has all of it. */
  private Behavior<Command> onEnter(Enter attempt) {
    entering = attempt;
    Cluster.get(getContext().getSystem()).subscriptions().tell(new GetCurrentState(seen));
    return this;
  }

  private Behavior<Command> onSeen(CurrentClusterState cluster) {
    var present = new ArrayList<Member>();
    cluster.getMembers().forEach(present::add);
    begun = Optional.of(begun.orElseGet(() -> isOldest(present)));
    var names = present.stream().map(FellowJvms::name).collect(Collectors.toSet());
    met.addAll(names);
    var attempt = entering;
    getContext()
        .pipeToSelf(
            writers.enter(new ClusterView(begun.get(), met, names)),
            (let, failure) ->
                failure == null ? new Entered(attempt, let) : new NotEntered(attempt, failure));
    return this;
  }

  /** Who joins is younger than all who were there. */
  private boolean isOldest(List<Member> present) {
    var own = present.stream().filter(this::isSelf).findFirst();
    return own.isPresent() && present.stream().noneMatch(other -> other.isOlderThan(own.get()));
  }

  private Behavior<Command> onEntered(Entered answer) {
    if (!answer.mayWrite()) {
      return again(
          answer.attempt(),
          new IllegalStateException(
              "None of the JVMs that it has joined may write to the node's database any more:"
                  + " another JVM has begun anew without them. Start it again."));
    }
    mayWrite = true;
    met.clear();
    entered.complete(Done.getInstance());
    takeOverFromLost();
    return this;
  }

  private Behavior<Command> onNotEntered(NotEntered failed) {
    if (isLeftOut(failed.cause())) {
      entered.completeExceptionally(failed.cause());
      return this;
    }
    return again(failed.attempt(), failed.cause());
  }

  private static boolean isLeftOut(Throwable failure) {
    return failure instanceof LeftOutException
        || (failure.getCause() != null && isLeftOut(failure.getCause()));
  }

  /** The database is slow or away, or those that were here before have not entered themselves. */
  private Behavior<Command> again(Enter attempt, Throwable cause) {
    if (attempt.attempt() == MOST_ENTRIES) {
      entered.completeExceptionally(cause);
    } else {
      var next = new Enter(attempt.attempt() + 1, PAUSES.longer(attempt.pause()));
      timers.startSingleTimer(next, attempt.pause());
    }
    return this;
  }

  private Behavior<Command> onTakeOver(TakeOver attempt) {
    getContext()
        .pipeToSelf(
            writers
                .end(attempt.jvm().toString())
                .thenCompose(ended -> store.contractsWithPending())
                .thenCompose(
                    contracts ->
                        store
                            .sendersWithPublicPending()
                            .thenApply(
                                senders -> new TakenOver(attempt.jvm(), contracts, senders))),
            (done, failure) -> failure == null ? done : new NotTakenOver(attempt, failure));
    return this;
  }

  /** Whoever is to be informed later looks for unfinished work itself then. */
  private Behavior<Command> onTakenOver(TakenOver done) {
    getContext()
        .getLog()
        .info("Took over from {}; {} contracts have work", done.jvm(), done.contracts().size());
    successor.ifPresent(to -> handOver(done, to));
    return this;
  }

  private void handOver(TakenOver done, Inform to) {
    to.handover().tell(new IntentHandover.Told(new Handover.Input.InDoubt(done.contracts())));
    to.handover().tell(new IntentHandover.Told(new Handover.Input.PublicsAccepted(done.senders())));
    getContext()
        .pipeToSelf(
            to.takeUpGroups().get(),
            (taken, failure) ->
                failure == null ? new GroupsTakenUp() : new GroupsNotTakenUp(done.jvm(), failure));
  }

  private Behavior<Command> onGroupsNotTakenUp(GroupsNotTakenUp failed) {
    getContext()
        .getLog()
        .warn(
            "Cannot take up the groups that {} was making; the next start does",
            failed.jvm(),
            failed.cause());
    return this;
  }

  /** The database is slow or away. */
  private Behavior<Command> onNotTakenOver(NotTakenOver failed) {
    var attempt = failed.attempt();
    getContext()
        .getLog()
        .warn(
            "Cannot take over from {} now, trying again in {}",
            attempt.jvm(),
            attempt.pause(),
            failed.cause());
    var next = new TakeOver(attempt.jvm(), PAUSES.longer(attempt.pause()));
    timers.startSingleTimer(attempt.jvm(), next, attempt.pause());
    return this;
  }

  private Behavior<Command> onStop(PostStop signal) {
    entered.completeExceptionally(
        new IllegalStateException(
            "It ended before it was let in by the other JVMs of its node: look into its log."));
    return this;
  }

  private boolean isSelf(Member member) {
    return member.uniqueAddress().equals(self);
  }

  private static String name(Member member) {
    return JvmName.of(member.uniqueAddress()).toString();
  }
}
