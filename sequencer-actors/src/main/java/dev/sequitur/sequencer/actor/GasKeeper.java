package dev.sequitur.sequencer.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.PostStop;
import akka.actor.typed.SupervisorStrategy;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import dev.sequitur.persistence.serialization.ProtocolSerializable;
import dev.sequitur.protocol.funding.Funding;
import dev.sequitur.protocol.funding.Funding.GasReport;
import dev.sequitur.protocol.funding.Funding.GasReport.Status;
import dev.sequitur.protocol.funding.Funding.KeyUse;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.ledger.GasTransfer;
import dev.sequitur.protocol.ledger.Signer;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.machine.Host;
import dev.sequitur.protocol.port.GasMoney;
import dev.sequitur.sequencer.setup.NodeKeyNames;
import dev.sequitur.sequencer.setup.NodeSetup;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Runs the node's {@link Funding}: one for the whole node, in one of its JVMs. Remembers nothing
 * across a restart.
 */
public final class GasKeeper extends AbstractBehavior<GasKeeper.Command> {
  private static final Duration TICK = Duration.ofSeconds(1);

  /** What the keeper is told. */
  public sealed interface Command extends ProtocolSerializable {}

  /** A key of the node pays for gas. */
  public record Used(KeyUse use) implements Command {}

  public record GetAccount(LedgerAddress key, ActorRef<Account> replyTo) implements Command {}

  /** What is known of a key, and of the node as a whole. */
  public record Account(Funding.OfKey key) implements ProtocolSerializable {}

  private record Fed(Funding.Input input) implements Command {}

  private record Looked(GasMoney.Accounts accounts) implements Command {}

  private record Failed(Throwable cause, Funding.Input input) implements Command {}

  private final NodeSetup.Rules rules;
  private final NodeStanding standing;
  private final InstantSource clock;
  private final Executor computing;
  private final GasMoney money;
  private final Signer payer;
  private final LedgerAddress address;
  private final Funding funding;
  private final LedgerReach reach = new LedgerReach("The base ledger");
  private final Host<Funding.Input, Funding.State, Void, Funding.Effect> host;

  public static Behavior<Command> create(
      NodeSetup setup, NodeStanding standing, GasMoney money, Executor computing) {
    Behavior<Command> keeper =
        Behaviors.setup(
            context ->
                Behaviors.withTimers(
                    timers -> {
                      timers.startTimerWithFixedDelay(new Fed(new Funding.Input.Tick()), TICK);
                      return new GasKeeper(context, setup, standing, money, computing);
                    }));
    return Behaviors.supervise(keeper)
        .onFailure(
            SupervisorStrategy.restartWithBackoff(
                Duration.ofMillis(500), Duration.ofSeconds(10), 0.2));
  }

  private GasKeeper(
      ActorContext<Command> context,
      NodeSetup setup,
      NodeStanding standing,
      GasMoney money,
      Executor computing) {
    super(context);
    this.rules = setup.rules();
    this.standing = standing;
    this.clock = setup.clock();
    this.computing = computing;
    this.money = money;
    this.payer = setup.ports().keys().signer(NodeKeyNames.funding());
    this.address = setup.ports().signatures().address(payer.verifier());
    this.funding = new Funding(rules.funding(), address, rules.gas());
    var machine = funding.machine();
    this.host = new Host<>(machine, machine.initial());
    if (rules.funding().fromAccount()) {
      context.getLog().info("The account that pays for gas is {}", address);
    }
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onAnyMessage(this::onCommand)
        .onSignal(PostStop.class, stopped -> onStopped())
        .build();
  }

  private Behavior<Command> onCommand(Command command) {
    return switch (command) {
      case Used(var use) -> on(new Funding.Input.Used(use));
      case Fed(var input) -> on(input);
      case Looked(var accounts) -> onLooked(accounts);
      case Failed failed -> onFailed(failed);
      case GetAccount query -> onGetAccount(query);
    };
  }

  private Behavior<Command> onLooked(GasMoney.Accounts accounts) {
    if (reach.reached()) {
      getContext().getLog().info("The accounts that pay for gas can be read again");
    }
    return on(new Funding.Input.Seen(accounts));
  }

  private Behavior<Command> onFailed(Failed failed) {
    reach.failed(failed.cause(), clock.instant()).ifPresent(getContext().getLog()::warn);
    return on(failed.input());
  }

  private Behavior<Command> onGetAccount(GetAccount query) {
    var state = host.state();
    query.replyTo().tell(new Account(funding.of(state, query.key())));
    return this;
  }

  /** The next one may be in another JVM, and finds out for itself. */
  private Behavior<Command> onStopped() {
    standing.gas(GasReport.NONE);
    return this;
  }

  private Behavior<Command> on(Funding.Input input) {
    host.fold(List.of(input), clock.instant()).effects().forEach(this::perform);
    return this;
  }

  private void perform(Funding.Effect effect) {
    switch (effect) {
      case Funding.Effect.Look(var keys, var once) -> look(keys, once);
      case Funding.Effect.Pay(var transfer) -> pay(transfer);
      case Funding.Effect.CountTopUp ignored -> standing.metrics().toppedUp();
      case Funding.Effect.Tell(var report) -> tell(report);
    }
  }

  private void look(List<LedgerAddress> keys, List<LedgerAddress> once) {
    var whose =
        rules.funding().fromAccount() ? Optional.of(address) : Optional.<LedgerAddress>empty();
    getContext()
        .pipeToSelf(
            money.accounts(whose, keys, once, rules.confirmations()),
            (accounts, failure) ->
                failure == null
                    ? new Looked(accounts)
                    : new Failed(failure, new Funding.Input.NotSeen()));
  }

  private void pay(GasTransfer transfer) {
    var answered =
        CompletableFuture.supplyAsync(() -> money.transfer(transfer, payer), computing)
            .thenCompose(outcome -> outcome);
    getContext()
        .pipeToSelf(
            answered,
            (outcome, failure) ->
                failure == null
                    ? new Fed(answered(outcome))
                    : new Failed(failure, new Funding.Input.NotAnswered()));
  }

  private Funding.Input answered(SubmitOutcome outcome) {
    if (outcome instanceof SubmitOutcome.Invalid invalid) {
      standing.warnSeldom(
          "The chain does not take a transfer from the funding account: " + invalid.reason());
    }
    return new Funding.Input.Answered(outcome);
  }

  private void tell(GasReport report) {
    var before = standing.gas().status();
    standing.gas(report);
    if (report.status() != before) {
      if (report.status() == Status.ENOUGH) {
        getContext().getLog().info("There is enough money for gas again");
      } else {
        getContext().getLog().warn(report.sentence());
      }
    }
  }
}
