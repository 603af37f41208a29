package dev.sequitur.sequencer.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.AskPattern;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.actor.typed.javadsl.TimerScheduler;
import dev.sequitur.persistence.serialization.ProtocolSerializable;
import dev.sequitur.protocol.distribution.ComparisonProgress;
import dev.sequitur.protocol.errand.ChangingErrands;
import dev.sequitur.protocol.founding.Changing;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.machine.Outgoing;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.ChangeStore.AgreedChange;
import dev.sequitur.protocol.port.ChangeStore.Phase;
import dev.sequitur.protocol.transaction.Signature;
import dev.sequitur.sequencer.setup.CommitteeNews;
import dev.sequitur.sequencer.setup.NodeKeyNames;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks again and again at the changes of committees that the operator has agreed to: one for the
 * whole node, in one of its JVMs. Remembers nothing across a restart: what is known of a change is
 * in the node store.
 */
public final class ChangeKeeper extends AbstractBehavior<ChangeKeeper.Command> {
  private static final Logger LOG = LoggerFactory.getLogger(ChangeKeeper.class);

  /** Between two looks. */
  static final Duration PACE = Duration.ofSeconds(1);

  private static final Duration ASK = Duration.ofSeconds(10);

  /** What the keeper is told. */
  public sealed interface Command extends ProtocolSerializable {}

  private record Look() implements Command {}

  private record Looked(Optional<Throwable> failure) implements Command {}

  /** Groups that it has asked to be rebuilt. */
  private final Set<ContractAddress> asked = ConcurrentHashMap.newKeySet();

  private final TimerScheduler<Command> timers;
  private final NodeServices services;
  private final ChangingErrands errands;

  /**
   * @param comparer makes a group what the ledger shows
   */
  public static Behavior<Command> create(
      NodeServices services, ActorRef<LedgerComparer.Command> comparer) {
    return Restarting.afterFailures(
        Behaviors.setup(
            context ->
                Behaviors.withTimers(
                    timers -> new ChangeKeeper(context, timers, services, comparer))));
  }

  /** What agrees to changes, and takes what others say of them: the same in each JVM. */
  public static ChangingErrands errands(NodeServices services) {
    return errands(
        services,
        contract ->
            CompletableFuture.failedFuture(new IllegalStateException("Only one JVM does.")));
  }

  private static ChangingErrands errands(
      NodeServices services, Function<ContractAddress, CompletionStage<Boolean>> rebuilding) {
    return new ChangingErrands(
        services,
        new Changing(
            Founder.rules(services),
            services.setup().rules().selection().rangeSize(),
            services.ledger().tellsGenesis()),
        new ChangingErrands.Setup(
            services.setup().rules().chainId(),
            services.setup().rules().gas(),
            NodeKeyNames::changer),
        services.store(),
        new Edge(services, rebuilding));
  }

  private ChangeKeeper(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      NodeServices services,
      ActorRef<LedgerComparer.Command> comparer) {
    super(context);
    this.timers = timers;
    this.services = services;
    var system = context.getSystem();
    this.errands = errands(services, contract -> rebuilt(system, comparer, contract));
    context.getSelf().tell(new Look());
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder().onAnyMessage(this::onCommand).build();
  }

  private Behavior<Command> onCommand(Command command) {
    switch (command) {
      case Look() ->
          getContext()
              .pipeToSelf(
                  errands.look(), (done, failure) -> new Looked(Optional.ofNullable(failure)));
      case Looked(var failure) -> {
        failure.ifPresent(
            why ->
                services
                    .standing()
                    .warnSeldom(
                        "Changes of committees cannot be read, and are tried again: "
                            + Answers.cause(why).getMessage()));
        timers.startSingleTimer(new Look(), PACE);
      }
    }
    return this;
  }

  /** It is asked for once in a life, and again if it has failed. */
  private CompletionStage<Boolean> rebuilt(
      ActorSystem<?> system, ActorRef<LedgerComparer.Command> comparer, ContractAddress contract) {
    boolean first = asked.add(contract);
    return AskPattern.<LedgerComparer.Command, LedgerComparer.Progress>ask(
            comparer,
            replyTo ->
                first
                    ? new LedgerComparer.Compare(contract, true, replyTo)
                    : new LedgerComparer.GetProgress(contract, replyTo),
            ASK,
            system.scheduler())
        .thenApply(told -> isRebuilt(contract, told.progress()));
  }

  private boolean isRebuilt(ContractAddress contract, Optional<ComparisonProgress> progress) {
    var status = progress.map(ComparisonProgress::status).orElse(ComparisonProgress.Status.FAILED);
    return switch (status) {
      case RUNNING -> false;
      case SAME, REBUILT -> {
        asked.remove(contract);
        yield true;
      }
      case DIFFERENT, FAILED -> {
        asked.remove(contract);
        yield false;
      }
    };
  }

  private record Edge(
      NodeServices services, Function<ContractAddress, CompletionStage<Boolean>> rebuilding)
      implements ChangingErrands.Edge {
    @Override
    public CompletionStage<Optional<PrivacyGroup>> group(ContractAddress contract) {
      return services.load(contract);
    }

    /** In the JVM that reads the ledger; others find it in the store when they need it. */
    @Override
    public CompletionStage<Void> enter(PrivacyGroup group) {
      return LedgerIndexer.keep(services, group, services.height())
          .thenAccept(
              kept ->
                  services.groups().take(kept.orLater(services.groups().find(kept.contract()))));
    }

    @Override
    public CompletionStage<Boolean> rebuild(ContractAddress contract) {
      return rebuilding.apply(contract);
    }

    @Override
    public void send(List<Outgoing> messages) {
      services.outbox().send(messages);
    }

    @Override
    public void say(String sentence) {
      LOG.info(sentence);
    }

    @Override
    public void record(AgreedChange change) {
      var own =
          change.signatures().stream()
              .map(Signature::party)
              .filter(party -> party.node().equals(services.self()))
              .distinct()
              .toList();
      var what = change.phase() == Phase.OVER ? CommitteeNews.What.OVER : CommitteeNews.What.SIGNED;
      services
          .standing()
          .committees()
          .tell(
              new CommitteeNews.News(
                  change.contract(),
                  change.change().number(),
                  what,
                  own,
                  Optional.empty(),
                  change.note()));
    }

    @Override
    public void warnSeldom(String sentence) {
      services.standing().warnSeldom(sentence);
    }
  }
}
