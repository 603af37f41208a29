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
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

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

  private final NodeServices services;
  private final GasMoney money;
  private final Signer payer;
  private final LedgerAddress address;
  private final Funding funding;
  private final LedgerReach reach = new LedgerReach("The base ledger");
  private final Host<Funding.Input, Funding.State, Void, Funding.Effect> host;

  public static Behavior<Command> create(NodeServices services, GasMoney money) {
    Behavior<Command> keeper =
        Behaviors.setup(
            context ->
                Behaviors.withTimers(
                    timers -> {
                      timers.startTimerWithFixedDelay(new Fed(new Funding.Input.Tick()), TICK);
                      return new GasKeeper(context, services, money);
                    }));
    return Behaviors.supervise(keeper)
        .onFailure(
            SupervisorStrategy.restartWithBackoff(
                Duration.ofMillis(500), Duration.ofSeconds(10), 0.2));
  }

  private GasKeeper(ActorContext<Command> context, NodeServices services, GasMoney money) {
    super(context);
    this.services = services;
    this.money = money;
    this.payer = services.keys().signer(NodeKeyNames.funding());
    this.address = services.signatures().address(payer.verifier());
    var rules = services.setup().rules();
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
    reach.failed(failed.cause(), services.now()).ifPresent(getContext().getLog()::warn);
    return on(failed.input());
  }

  private Behavior<Command> onGetAccount(GetAccount query) {
    var state = host.state();
    query.replyTo().tell(new Account(funding.of(state, query.key())));
    return this;
  }

  /** The next one may be in another JVM, and finds out for itself. */
  private Behavior<Command> onStopped() {
    services.gas(GasReport.NONE);
    return this;
  }

  private Behavior<Command> on(Funding.Input input) {
    host.fold(List.of(input), services.now()).effects().forEach(this::perform);
    return this;
  }

  private void perform(Funding.Effect effect) {
    switch (effect) {
      case Funding.Effect.Look(var keys, var once) -> look(keys, once);
      case Funding.Effect.Pay(var transfer) -> pay(transfer);
      case Funding.Effect.CountTopUp ignored -> services.metrics().toppedUp();
      case Funding.Effect.Tell(var report) -> tell(report);
    }
  }

  private void look(List<LedgerAddress> keys, List<LedgerAddress> once) {
    var rules = services.setup().rules();
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
        CompletableFuture.supplyAsync(() -> money.transfer(transfer, payer), services.computing())
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
      services.transferRefused(invalid.reason());
    }
    return new Funding.Input.Answered(outcome);
  }

  private void tell(GasReport report) {
    var before = services.gas().status();
    services.gas(report);
    if (report.status() != before) {
      if (report.status() == Status.ENOUGH) {
        getContext().getLog().info("There is enough money for gas again");
      } else {
        getContext().getLog().warn(report.sentence());
      }
    }
  }
}
