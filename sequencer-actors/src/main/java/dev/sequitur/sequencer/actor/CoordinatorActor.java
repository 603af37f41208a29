package dev.sequitur.sequencer.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import akka.cluster.sharding.typed.javadsl.EntityTypeKey;
import dev.sequitur.persistence.serialization.ProtocolSerializable;
import dev.sequitur.protocol.coordinator.Coordinator;
import dev.sequitur.protocol.coordinator.CoordinatorEffect;
import dev.sequitur.protocol.coordinator.CoordinatorInput;
import dev.sequitur.protocol.coordinator.CoordinatorSetup;
import dev.sequitur.protocol.coordinator.CoordinatorState;
import dev.sequitur.protocol.errand.CoordinatorErrands;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.indexing.BlockNotice;
import dev.sequitur.protocol.machine.Host;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.sequencer.view.SequencerStatus.CoordinatorReport;
import java.util.List;

/**
 * The coordinator of one contract on this node. Nothing survives a restart: senders delegate again,
 * and the submitter of this node is asked for what is dispatched and unconfirmed.
 */
public final class CoordinatorActor extends AbstractBehavior<CoordinatorActor.Command> {
  public static final EntityTypeKey<Command> KEY =
      EntityTypeKey.create(Command.class, "coordinator");

  /** What the coordinator is told. */
  public sealed interface Command extends ProtocolSerializable {}

  public record Deliver(List<Received<? extends Message.ForCoordinator>> messages)
      implements Command {}

  public record BlockIndexed(BlockNotice notice) implements Command {}

  public record UnconfirmedDispatches(List<Dispatch> dispatches) implements Command {}

  /** From another entity of this node. */
  public record Told(CoordinatorInput.Local input) implements Command {}

  /** Asks for the state as it is; within a JVM. */
  public record GetState(ActorRef<CoordinatorState> replyTo) implements Command {}

  /** Asks for what people are shown. */
  public record GetReport(ActorRef<CoordinatorReport> replyTo) implements Command {}

  public record Stop() implements Command {}

  private record Tick() implements Command {}

  private final Place<Command> place;
  private final NodeServices services;
  private final ContractAddress contract;
  private final IdleWatch idle;
  private final CoordinatorErrands errands;
  private final Host<CoordinatorInput, CoordinatorState, Void, CoordinatorEffect> host;

  public static Behavior<Command> create(
      NodeServices services,
      ContractAddress contract,
      ActorRef<ClusterSharding.ShardCommand> shard) {
    return Place.behavior(services, contract, shard, CoordinatorActor::new);
  }

  private CoordinatorActor(Place<Command> place) {
    super(place.context());
    this.place = place;
    this.services = place.services();
    this.contract = place.contract();
    var coordinator =
        new Coordinator(
            new CoordinatorSetup(
                services.self(),
                services.group(contract),
                services.groups().selection(contract),
                services.setup().rules().sequencer(),
                services.signatures(),
                services.links()));
    var machine = coordinator.machine(services.now(), services.height());
    this.host = new Host<>(machine, machine.initial());
    this.errands = new CoordinatorErrands(services, new Edge());
    this.idle = place.idleWatch();
    place.followBlocks(BlockIndexed::new);
    place.timers().startTimerWithFixedDelay(new Tick(), services.setup().rules().tick());
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder().onAnyMessage(this::onCommand).build();
  }

  private Behavior<Command> onCommand(Command command) {
    return switch (command) {
      case Deliver(var messages) -> on(new CoordinatorInput.FromNode(messages));
      case Tick() -> onTick();
      case BlockIndexed(var notice) -> on(notice.forCoordinator());
      case Told(var input) -> on(input);
      case UnconfirmedDispatches(var dispatches) ->
          on(new CoordinatorInput.UnconfirmedDispatches(dispatches));
      case GetState(var replyTo) -> onGetState(replyTo);
      case GetReport(var replyTo) -> onGetReport(replyTo);
      case Stop() -> Behaviors.stopped();
    };
  }

  private Behavior<Command> onTick() {
    on(host.machine().tick());
    if (idle.isOver(host.state().isIdle(), services.now())) {
      place.leaveMemory();
    }
    return this;
  }

  private Behavior<Command> onGetState(ActorRef<CoordinatorState> replyTo) {
    replyTo.tell(host.state());
    return this;
  }

  private Behavior<Command> onGetReport(ActorRef<CoordinatorReport> replyTo) {
    replyTo.tell(MachineReports.of(host.state()));
    return this;
  }

  private Behavior<Command> on(CoordinatorInput input) {
    var now = services.now();
    if (isWork(input)) {
      idle.touch(now);
    }
    var folded = host.fold(List.of(input), now);
    services.outbox().send(folded.messages());
    errands.run(folded.effects());
    return this;
  }

  /** Blocks come all the time, also for a contract that nobody uses. */
  private static boolean isWork(CoordinatorInput input) {
    return input instanceof CoordinatorInput.BlockIndexed block
        ? block.concernsContract()
        : !(input instanceof CoordinatorInput.Tick);
  }

  private final class Edge implements CoordinatorErrands.Edge {
    /** It does not pass the transport, and belongs to the exchange all the same. */
    @Override
    public void handToSubmitter(List<Dispatch> dispatches) {
      services.setup().trace().sent(dispatches.stream().map(services.outbox()::toSelf).toList());
      services.setup().spans().dispatched(dispatches);
      services.entities().submitter(contract).tell(new SubmitterActor.DispatchAll(dispatches));
    }

    @Override
    public void askForUnconfirmed() {
      var answer =
          getContext()
              .messageAdapter(
                  SubmitterActor.Unconfirmed.class,
                  found -> new UnconfirmedDispatches(found.dispatches()));
      services
          .entities()
          .submitter(contract)
          .tell(new SubmitterActor.GetUnconfirmed(contract, answer));
    }

    @Override
    public void invalid(Identity endorser) {
      getContext()
          .getLog()
          .warn(
              "What {} has answered to a request to endorse in {} is not valid, and counts as no"
                  + " answer: ask who runs that node to look at it.",
              endorser,
              contract);
    }
  }
}
