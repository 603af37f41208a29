package dev.sequitur.sequencer.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.PostStop;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import dev.sequitur.persistence.serialization.ProtocolSerializable;
import dev.sequitur.protocol.errand.FundingErrands;
import dev.sequitur.protocol.funding.Funding;
import dev.sequitur.protocol.funding.FundingState;
import dev.sequitur.protocol.funding.GasReport;
import dev.sequitur.protocol.funding.GasReport.Status;
import dev.sequitur.protocol.funding.KeyUse;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.machine.Host;
import dev.sequitur.protocol.port.GasMoney;
import dev.sequitur.sequencer.setup.NodeKeyNames;
import dev.sequitur.sequencer.setup.NodeSetup;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
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

  private record Failed(Throwable cause, Funding.Input input) implements Command {}

  private final NodeStanding standing;
  private final InstantSource clock;
  private final Funding funding;
  private final FundingErrands errands;
  private final LedgerReach reach = new LedgerReach("The base ledger");
  private final Host<Funding.Input, FundingState, Void, Funding.Effect> host;

  public static Behavior<Command> create(
      NodeSetup setup, NodeStanding standing, GasMoney money, Executor computing) {
    return Restarting.afterFailures(
        Behaviors.setup(
            context ->
                Behaviors.withTimers(
                    timers -> {
                      timers.startTimerWithFixedDelay(new Fed(new Funding.Input.Tick()), TICK);
                      return new GasKeeper(context, setup, standing, money, computing);
                    })));
  }

  private GasKeeper(
      ActorContext<Command> context,
      NodeSetup setup,
      NodeStanding standing,
      GasMoney money,
      Executor computing) {
    super(context);
    this.standing = standing;
    this.clock = setup.clock();
    var rules = setup.rules();
    var payer = setup.ports().keys().signer(NodeKeyNames.funding());
    var address = setup.ports().signatures().address(payer.verifier());
    this.funding = new Funding(rules.funding(), address, rules.gas());
    this.errands =
        new FundingErrands(
            money,
            rules.funding(),
            payer,
            address,
            rules.confirmations(),
            computing,
            Thread::startVirtualThread,
            edge());
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
      case Fed(var input) -> onFed(input);
      case Failed failed -> onFailed(failed);
      case GetAccount query -> onGetAccount(query);
    };
  }

  private Behavior<Command> onFed(Funding.Input input) {
    if (input instanceof Funding.Input.Seen && reach.reached()) {
      getContext().getLog().info("The accounts that pay for gas can be read again");
    }
    return on(input);
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
    host.fold(List.of(input), clock.instant()).effects().forEach(errands::run);
    return this;
  }

  /** What the ledger answers comes from other threads. */
  private FundingErrands.Edge edge() {
    var self = getContext().getSelf();
    return new FundingErrands.Edge() {
      @Override
      public void answer(Funding.Input input) {
        self.tell(new Fed(input));
      }

      @Override
      public void failed(Throwable why, Funding.Input input) {
        self.tell(new Failed(why, input));
      }

      @Override
      public void toppedUp() {
        standing.metrics().toppedUp();
      }

      @Override
      public void tell(GasReport report) {
        GasKeeper.this.tell(report);
      }

      @Override
      public void refused(String reason) {
        standing.warnSeldom(
            "The chain does not take a transfer from the funding account: " + reason);
      }
    };
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
