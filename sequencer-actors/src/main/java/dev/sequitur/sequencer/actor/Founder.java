package dev.sequitur.sequencer.actor;

import akka.Done;
import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.actor.typed.javadsl.TimerScheduler;
import akka.pattern.StatusReply;
import dev.sequitur.domain.GroupConfiguration;
import dev.sequitur.protocol.errand.FoundingErrands;
import dev.sequitur.protocol.errand.JoiningErrands;
import dev.sequitur.protocol.founding.Founding;
import dev.sequitur.protocol.founding.FoundingEffect;
import dev.sequitur.protocol.founding.FoundingEffect.Outcome;
import dev.sequitur.protocol.founding.FoundingInput;
import dev.sequitur.protocol.founding.FoundingSetup;
import dev.sequitur.protocol.founding.FoundingState;
import dev.sequitur.protocol.founding.GroupRules;
import dev.sequitur.protocol.founding.Joining;
import dev.sequitur.protocol.founding.Questions;
import dev.sequitur.protocol.founding.Withdrawals;
import dev.sequitur.protocol.funding.GasReport.Status;
import dev.sequitur.protocol.group.GroupRequest;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.machine.Host;
import dev.sequitur.protocol.machine.Outgoing;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.sequencer.setup.NodeKeyNames;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the {@link Founding} of this node's groups and their {@link Withdrawals}; one in each JVM.
 * Begins each of its lives with what the node store has.
 */
public final class Founder extends AbstractBehavior<Founder.Command> {
  private static final Logger LOG = LoggerFactory.getLogger(Founder.class);

  /** What it is told, within its JVM. */
  public sealed interface Command {}

  /** A caller wants a group. */
  public record Make(GroupRequest request, ActorRef<Outcome> replyTo) implements Command {}

  /** A caller wants to know the key of an identity. */
  public record Resolve(Identity identity, ActorRef<Outcome> replyTo) implements Command {}

  /** So many transactions that make groups are about to be accepted. */
  public record Reserve(long more, ActorRef<Outcome> replyTo) implements Command {}

  /** Transactions that make groups may have been accepted. */
  public record Accepted() implements Command {}

  /** Answered with a sentence if this JVM sees to the transaction. */
  public record GetWaitsFor(TransactionId transaction, ActorRef<WaitsFor> replyTo)
      implements Command {}

  /** What a transaction that makes a group waits for. */
  public record WaitsFor(Optional<String> sentence) {}

  /** What is stored and not made is taken up: answered once that is read. */
  public record TakeUp(ActorRef<StatusReply<Done>> replyTo) implements Command {}

  /**
   * From a node that was asked.
   *
   * @param passedOn whether another JVM has passed it on: then it goes no further
   */
  public record Answer(Envelope envelope, boolean passedOn) implements Command {}

  private record TakeUpAgain() implements Command {}

  private record NotTakenUp(Throwable why) implements Command {}

  private record Told(FoundingInput input) implements Command {}

  private record Ended(StoredGroup group) implements Command {}

  private record Tick() implements Command {}

  private final TimerScheduler<Command> timers;
  private final NodeServices services;
  private final Consumer<Envelope> elsewhere;
  private final FoundingErrands errands;
  private final Host<FoundingInput, FoundingState, Void, FoundingEffect> founding;
  private final Host<Withdrawals.Input, Withdrawals.State, Void, Withdrawals.Effect> withdrawals;

  /**
   * @param elsewhere is given what may answer another JVM of this node
   */
  public static Behavior<Command> create(NodeServices services, Consumer<Envelope> elsewhere) {
    return Restarting.afterFailures(
        Behaviors.setup(
            context ->
                Behaviors.withTimers(
                    timers -> {
                      timers.startTimerWithFixedDelay(new Tick(), Questions.RESEND);
                      return new Founder(context, timers, services, elsewhere);
                    })));
  }

  /** Which groups this node takes from its callers. */
  public static GroupRules rules(NodeServices services) {
    return new GroupRules(
        services.self(),
        services.setup().domains(),
        () -> services.setup().ports().transport().peers(),
        NodeKeyNames::isTakenBy,
        services.keys());
  }

  /** What the making of groups goes by in a new life. */
  public static FoundingSetup setup(NodeServices services) {
    return new FoundingSetup(
        services.self() + "-question-" + UUID.randomUUID() + "-",
        rules(services),
        services.setup().rules().gas(),
        verifier -> isKey(services, verifier),
        GroupConfiguration::quorum);
  }

  /** Answers the nodes that make groups with this one. */
  public static JoiningErrands joining(NodeServices services) {
    return new JoiningErrands(
        services.store(),
        new Joining(rules(services)),
        services::now,
        new JoiningErrands.Edge() {
          @Override
          public void send(Outgoing answer) {
            services.outbox().send(List.of(answer));
          }

          @Override
          public void warn(String sentence, Throwable why) {
            LOG.warn(sentence, why);
          }
        });
  }

  private static boolean isKey(NodeServices services, Verifier verifier) {
    try {
      services.signatures().address(verifier);
      return true;
    } catch (IllegalArgumentException notOnTheCurve) {
      return false;
    }
  }

  private Founder(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      NodeServices services,
      Consumer<Envelope> elsewhere) {
    super(context);
    this.timers = timers;
    this.services = services;
    this.elsewhere = elsewhere;
    this.errands =
        new FoundingErrands(
            services,
            services.store(),
            NodeKeyNames::deployer,
            new Edge(services, context.getSelf()));
    var setup = setup(services);
    var making = new Founding(setup).machine();
    this.founding = new Host<>(making, making.initial());
    var withdrawing = new Withdrawals(setup.incarnation() + "withdrawal-").machine();
    this.withdrawals = new Host<>(withdrawing, withdrawing.initial());
    takeUpPatiently();
    context.getSelf().tell(new Accepted());
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder().onAnyMessage(this::onCommand).build();
  }

  private Behavior<Command> onCommand(Command command) {
    switch (command) {
      case Make(var request, var replyTo) -> {
        if (founding.state().isFull(1)) {
          on(standing());
        }
        on(errands.make(request, new TransactionId(UUID.randomUUID()), replyTo::tell));
      }
      case Resolve(var identity, var replyTo) -> on(errands.resolve(identity, replyTo::tell));
      case Reserve(var more, var replyTo) -> {
        if (founding.state().isFull(more)) {
          on(standing());
        }
        on(errands.reserve(more, replyTo::tell));
      }
      case Accepted() -> on(new FoundingInput.Accepted());
      case GetWaitsFor(var transaction, var replyTo) ->
          replyTo.tell(new WaitsFor(Founding.waitsFor(founding.state(), transaction)));
      case TakeUp(var replyTo) -> takeUp(replyTo);
      case TakeUpAgain() -> takeUpPatiently();
      case NotTakenUp(var why) -> onNotTakenUp(why);
      case Answer(var envelope, var passedOn) -> onAnswer(envelope, passedOn);
      case Told(var input) -> on(input);
      case Ended(var group) -> onWithdrawals(new Withdrawals.Input.Ended(group));
      case Tick() -> onTick();
    }
    return this;
  }

  private void takeUp(ActorRef<StatusReply<Done>> replyTo) {
    var unused =
        errands
            .takeUp()
            .whenComplete(
                (done, failure) ->
                    replyTo.tell(failure == null ? StatusReply.ack() : StatusReply.error(failure)));
  }

  /** No life may go without it: nobody else takes up what a call has asked for. */
  private void takeUpPatiently() {
    var self = getContext().getSelf();
    var unused =
        errands
            .takeUp()
            .whenComplete(
                (done, failure) -> {
                  if (failure != null) {
                    self.tell(new NotTakenUp(failure));
                  }
                });
  }

  private void onNotTakenUp(Throwable why) {
    LOG.warn(
        "Cannot read which groups are stored and not made; it is tried again in {} seconds",
        Founding.PAUSE.toSeconds(),
        why);
    timers.startSingleTimer(new TakeUpAgain(), Founding.PAUSE);
  }

  private void onTick() {
    if (!founding.state().makings().isEmpty()) {
      on(standing());
    }
    on(founding.machine().tick());
    onWithdrawals(withdrawals.machine().tick());
  }

  private FoundingInput standing() {
    return new FoundingInput.Standing(
        founding.state().makings().keySet().stream()
            .filter(services.groups()::stands)
            .collect(Collectors.toSet()));
  }

  private void onAnswer(Envelope envelope, boolean passedOn) {
    var from = envelope.from();
    var id = Founding.questionOf(envelope.payload()).orElseThrow();
    if (founding.state().questions().awaits(from, id)) {
      on(new FoundingInput.Answered(from, envelope.payload()));
    } else if (withdrawals.state().questions().awaits(from, id)) {
      onWithdrawals(new Withdrawals.Input.Acknowledged(from, id));
    } else if (!passedOn) {
      elsewhere.accept(envelope);
    }
  }

  private void on(FoundingInput input) {
    var folded = founding.fold(List.of(input), services.now());
    services.outbox().send(folded.messages());
    folded.effects().forEach(errands::run);
  }

  private void onWithdrawals(Withdrawals.Input input) {
    var folded = withdrawals.fold(List.of(input), services.now());
    services.outbox().send(folded.messages());
    folded.effects().forEach(errands::run);
  }

  /** Reaches the machines, which live and die together with this. */
  private record Edge(NodeServices services, ActorRef<Command> self)
      implements FoundingErrands.Edge {
    @Override
    public void answer(FoundingInput input) {
      self.tell(new Told(input));
    }

    @Override
    public void withdraw(StoredGroup ended) {
      self.tell(new Ended(ended));
    }

    @Override
    public boolean isFunded() {
      return services.setup().rules().funding().fromAccount()
          && services.standing().gas().status() != Status.WAITS_FOR_GAS_MONEY;
    }

    @Override
    public void warnSeldom(String sentence) {
      services.standing().warnSeldom(sentence);
    }

    @Override
    public void warn(String sentence) {
      LOG.warn(sentence);
    }

    @Override
    public void warn(String sentence, Throwable why) {
      LOG.warn(sentence, why);
    }

    @Override
    public void say(String sentence) {
      LOG.info(sentence);
    }
  }
}
