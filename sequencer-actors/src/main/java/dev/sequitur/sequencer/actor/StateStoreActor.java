package dev.sequitur.sequencer.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import akka.cluster.sharding.typed.javadsl.EntityTypeKey;
import akka.pattern.StatusReply;
import akka.persistence.typed.javadsl.CommandHandler;
import akka.persistence.typed.javadsl.Effect;
import dev.sequitur.persistence.serialization.ProtocolSerializable;
import dev.sequitur.protocol.distribution.StateStore;
import dev.sequitur.protocol.distribution.StateStoreEvent;
import dev.sequitur.protocol.distribution.StateStoreState;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.indexing.BlockDelivery.ToStateStore;
import dev.sequitur.protocol.indexing.BlockNotice;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.PreparedTransactionDistribution;
import dev.sequitur.protocol.message.StateDistribution;
import dev.sequitur.protocol.message.StateDistributionAcknowledgement;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.sender.SenderEffect;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The private states of one contract on this node; where the domain assembles, since that is where
 * the states are ({@link DomainWork}). States and owed distributions survive a restart.
 */
public final class StateStoreActor
    extends MachineEntity<
        StateStoreActor.Command,
        StateStore.Input,
        StateStoreState,
        StateStoreEvent,
        StateStore.Counted> {
  public static final EntityTypeKey<Command> KEY =
      EntityTypeKey.create(Command.class, "state-store");

  /** What the state store is told. */
  public sealed interface Command extends ProtocolSerializable {}

  /** What {@link DomainWork} answers to. */
  sealed interface ForDomain extends Command {}

  public record Deliver(List<Received<? extends Message.ForStateStore>> messages)
      implements Command {}

  /**
   * From this node's submitter; may come again.
   *
   * @param replyTo told when it is durable
   */
  public record Distribute(List<Dispatch> dispatches, ActorRef<SubmitterActor.Command> replyTo)
      implements Command {}

  /**
   * From this node's sender; may come again.
   *
   * @param replyTo told when it is durable
   */
  public record DistributePrepared(
      Received<PreparedTransactionDistribution> prepared, ActorRef<SenderActor.Command> replyTo)
      implements Command {}

  /**
   * @param after the block before it that has states of the contract, if it may be unacknowledged
   * @param replyTo told when it is durable
   */
  public record BlockIndexed(
      BlockNotice notice, BlockHeight after, ActorRef<LedgerIndexer.Ack> replyTo)
      implements Command {}

  public record Assemble(SenderEffect.Assemble work, ActorRef<SenderActor.Command> replyTo)
      implements ForDomain {}

  public record Validate(List<PrivateTransaction> transactions, ActorRef<Validated> replyTo)
      implements ForDomain {}

  /**
   * @param objections what is wrong with each, in order; what the states that are known to be on
   *     their way would make right is not
   */
  public record Validated(List<Optional<Domain.Objection>> objections)
      implements ProtocolSerializable {}

  public record Call(
      Identity from, String function, Bytes inputs, ActorRef<StatusReply<Bytes>> replyTo)
      implements ForDomain {}

  /** How far this node has read the base ledger. */
  public record BlockSeen(BlockNotice notice) implements ForDomain {}

  public record Stop() implements Command {}

  /** Wakes it if it has work. */
  public record Wake() implements Command {}

  private record Tick() implements Command {}

  /** The contents of what these give are in the node store. */
  private record Archived(List<StateStore.Input> inputs, Runnable whenDurable) implements Command {}

  private record NotArchived(Throwable failure) implements Command {}

  private final StateStore rules;
  private final DomainWork work;

  public static Behavior<Command> create(
      NodeServices services,
      ContractAddress contract,
      ActorRef<ClusterSharding.ShardCommand> shard) {
    return Place.behavior(
        services, contract, shard, place -> new StateStoreActor(place, rulesAt(place)));
  }

  private static StateStore rulesAt(Place<Command> place) {
    var services = place.services();
    var group = services.group(place.contract());
    var domain = services.domain(group);
    return new StateStore(
        services.self(),
        group.contract(),
        state -> isGenuine(domain, group, state),
        services.setup().rules().sequencer());
  }

  /**
   * The content is another node's: what it does to the domain must not take the state store with
   * it.
   */
  private static boolean isGenuine(Domain domain, PrivacyGroup group, PrivateState state) {
    try {
      return domain.isGenuine(group, state);
    } catch (RuntimeException e) {
      return false;
    }
  }

  private StateStoreActor(Place<Command> place, StateStore rules) {
    super(
        KEY,
        place,
        new Signals<>(new Tick(), new Wake(), new Stop()),
        rules.machine(),
        new Snapshots<>(SequencerSnapshots.stateStore(), 2_000));
    this.rules = rules;
    this.work = new DomainWork(services, contract, context.getLog());
    place.followBlocks(BlockSeen::new);
  }

  @Override
  CommandHandler<Command, StateStoreEvent, StateStoreState> handler() {
    return newCommandHandlerBuilder()
        .forAnyState()
        .onCommand(Deliver.class, deliver -> archive(inputs(deliver), NOTHING))
        .onCommand(Distribute.class, this::onDistribute)
        .onCommand(DistributePrepared.class, this::onDistributePrepared)
        .onCommand(Archived.class, archived -> feed(archived.inputs(), archived.whenDurable()))
        .onCommand(NotArchived.class, this::onNotArchived)
        .onCommand(BlockIndexed.class, this::onBlock)
        .onCommand(ForDomain.class, this::onWork)
        .build();
  }

  private Effect<StateStoreEvent, StateStoreState> onDistribute(Distribute distribute) {
    return archive(
        List.of(new StateStore.Input.Distribute(distribute.dispatches())),
        () -> distribute.replyTo().tell(stored(distribute)));
  }

  private Effect<StateStoreEvent, StateStoreState> onDistributePrepared(
      DistributePrepared distribute) {
    var done = new SenderActor.PreparedDistributed(forThisNode(distribute.prepared()));
    return archive(
        List.of(new StateStore.Input.DistributePrepared(distribute.prepared().message())),
        () -> distribute.replyTo().tell(done));
  }

  /** Its sender stores it with its outputs; they are its coordinator's word. */
  private Received<PreparedTransactionDistribution> forThisNode(
      Received<PreparedTransactionDistribution> prepared) {
    var message = prepared.message();
    return new Received<>(
        prepared.from(),
        prepared.id(),
        new PreparedTransactionDistribution(
            message.distributionId(),
            message.contract(),
            message.delegationId(),
            message.prepared(),
            message.outputs().stream().filter(rules::mayHold).toList()));
  }

  /** Nobody is told that it is stored, so whoever gave it gives it again. */
  private Effect<StateStoreEvent, StateStoreState> onNotArchived(NotArchived failed) {
    context.getLog().warn("Contents of states could not be stored.", failed.failure());
    return Effect().none();
  }

  private Effect<StateStoreEvent, StateStoreState> onBlock(BlockIndexed block) {
    if (!rules.follows(state(), block.after())) {
      // The one before it was lost with another incarnation: both come again, in order.
      return Effect().none();
    }
    var notice = block.notice();
    var done = new LedgerIndexer.Ack(notice.height(), ToStateStore.to(contract));
    return feed(List.of(notice.forStateStore()), () -> block.replyTo().tell(done));
  }

  private Effect<StateStoreEvent, StateStoreState> onWork(ForDomain command) {
    work.on(command, state());
    return Effect().none();
  }

  /** Blocks go on for ever, and are no work. */
  @Override
  boolean isWork(Command command) {
    return !(command instanceof BlockSeen);
  }

  private static SubmitterActor.OutputsStored stored(Distribute distribute) {
    return new SubmitterActor.OutputsStored(
        distribute.dispatches().stream().map(dispatch -> dispatch.prepared().intent()).toList());
  }

  private List<StateStore.Input> inputs(Deliver deliver) {
    var inputs = new ArrayList<StateStore.Input>();
    for (var received : deliver.messages()) {
      inputs.add(
          switch (received.message()) {
            case StateDistribution given -> new StateStore.Input.Given(received.with(given));
            case StateDistributionAcknowledgement acknowledged ->
                new StateStore.Input.Acknowledged(received.with(acknowledged));
          });
    }
    return inputs;
  }

  /**
   * Contents go to the node store first: spent states leave this actor's memory, and receipts and
   * audits may still ask for them.
   */
  private Effect<StateStoreEvent, StateStoreState> archive(
      List<StateStore.Input> inputs, Runnable whenDurable) {
    var contents =
        inputs.stream().flatMap(input -> rules.contentsToStore(state(), input).stream()).toList();
    if (contents.isEmpty()) {
      return feed(inputs, whenDurable);
    }
    context.pipeToSelf(
        services.setup().ports().store().putStates(contents),
        (done, failure) ->
            failure == null ? new Archived(inputs, whenDurable) : new NotArchived(failure));
    return Effect().none();
  }

  @Override
  boolean isIdle() {
    return state().isIdle();
  }

  @Override
  void perform(List<StateStore.Counted> effects, Runnable whenDurable) {
    effects.forEach(services.metrics()::count);
    work.stateChanged(state());
    whenDurable.run();
  }
}
