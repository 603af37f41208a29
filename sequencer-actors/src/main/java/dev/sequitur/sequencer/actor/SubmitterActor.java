package dev.sequitur.sequencer.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import akka.cluster.sharding.typed.javadsl.EntityTypeKey;
import akka.persistence.typed.javadsl.CommandHandler;
import akka.persistence.typed.javadsl.Effect;
import dev.sequitur.persistence.serialization.ProtocolSerializable;
import dev.sequitur.protocol.coordinator.CoordinatorInput;
import dev.sequitur.protocol.errand.SubmitterErrands;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.indexing.BlockDelivery.ToSubmitter;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.TransactionRevertedAcknowledgement;
import dev.sequitur.protocol.submitter.GasPaid;
import dev.sequitur.protocol.submitter.Submitter;
import dev.sequitur.protocol.submitter.SubmitterEffect;
import dev.sequitur.protocol.submitter.SubmitterEvent;
import dev.sequitur.protocol.submitter.SubmitterInput;
import dev.sequitur.protocol.submitter.SubmitterSetup;
import dev.sequitur.protocol.submitter.SubmitterState;
import dev.sequitur.sequencer.setup.NodeKeyNames;
import java.util.ArrayList;
import java.util.List;

/**
 * The submitter of one signing key, which is that of one contract on this node. What was dispatched
 * to it, under which nonce and price, and whom it still has to tell survive a restart.
 */
public final class SubmitterActor
    extends MachineEntity<
        SubmitterActor.Command, SubmitterInput, SubmitterState, SubmitterEvent, SubmitterEffect> {
  public static final EntityTypeKey<Command> KEY = EntityTypeKey.create(Command.class, "submitter");

  /** What the submitter is told. */
  public sealed interface Command extends ProtocolSerializable {}

  /** From a coordinator of this node, in order; may come again. */
  public record DispatchAll(List<Dispatch> dispatches) implements Command {}

  public record GetUnconfirmed(ContractAddress contract, ActorRef<Unconfirmed> replyTo)
      implements Command {}

  public record Unconfirmed(List<Dispatch> dispatches) implements ProtocolSerializable {}

  public record GetPaid(ActorRef<Paid> replyTo) implements Command {}

  /** What the key has paid for gas since its first transaction. */
  public record Paid(GasPaid paid) implements ProtocolSerializable {}

  public record Deliver(List<Received<? extends Message.ForSubmitter>> messages)
      implements Command {}

  /**
   * @param own receipts of this signer
   * @param replyTo told when it is durable
   */
  public record BlockIndexed(
      BlockHeight height, List<LedgerReceipt> own, ActorRef<LedgerIndexer.Ack> replyTo)
      implements Command {}

  /** From the state store: what these make is stored, and owed to those on the lists. */
  public record OutputsStored(List<IntentKey> transactions) implements Command {}

  public record Stop() implements Command {}

  /** Wakes it if it has work. */
  public record Wake() implements Command {}

  private record Tick() implements Command {}

  private record Fed(SubmitterInput input) implements Command {}

  private final SubmitterErrands errands;

  public static Behavior<Command> create(
      NodeServices services,
      ContractAddress contract,
      ActorRef<ClusterSharding.ShardCommand> shard) {
    return Place.behavior(
        services, contract, shard, place -> new SubmitterActor(place, rulesAt(services)));
  }

  private static Submitter rulesAt(NodeServices services) {
    return new Submitter(
        new SubmitterSetup(
            services.self(),
            services.groups()::find,
            services.setup().rules().sequencer(),
            services.setup().rules().gas()));
  }

  private SubmitterActor(Place<Command> place, Submitter rules) {
    super(
        KEY,
        place,
        new Signals<>(new Tick(), new Wake(), new Stop()),
        rules.machine(),
        new Snapshots<>(SequencerSnapshots.submitter(), 2_000));
    this.errands = errandsAt(place);
  }

  @Override
  CommandHandler<Command, SubmitterEvent, SubmitterState> handler() {
    var commands = newCommandHandlerBuilder();
    commands
        .forAnyState()
        .onCommand(
            DispatchAll.class,
            dispatch -> feed(List.of(new SubmitterInput.DispatchReceived(dispatch.dispatches()))))
        .onCommand(
            OutputsStored.class,
            stored -> feed(List.of(new SubmitterInput.OutputsStored(stored.transactions()))))
        .onCommand(Fed.class, fed -> feed(List.of(fed.input())))
        .onCommand(BlockIndexed.class, this::onBlock)
        .onCommand(Deliver.class, deliver -> feed(inputs(deliver)))
        .onCommand(GetPaid.class, this::onGetPaid)
        .onCommand(GetUnconfirmed.class, this::onGetUnconfirmed);
    return commands.build();
  }

  private Effect<SubmitterEvent, SubmitterState> onBlock(BlockIndexed block) {
    var done = new LedgerIndexer.Ack(block.height(), ToSubmitter.to(contract));
    return feed(
        List.of(new SubmitterInput.BlockIndexed(block.height(), block.own())),
        () -> block.replyTo().tell(done));
  }

  private Effect<SubmitterEvent, SubmitterState> onGetUnconfirmed(GetUnconfirmed query) {
    query.replyTo().tell(new Unconfirmed(state().unconfirmed(query.contract())));
    return Effect().none();
  }

  private Effect<SubmitterEvent, SubmitterState> onGetPaid(GetPaid query) {
    query.replyTo().tell(new Paid(state().paid()));
    return Effect().none();
  }

  private static List<SubmitterInput> inputs(Deliver deliver) {
    var inputs = new ArrayList<SubmitterInput>();
    for (var received : deliver.messages()) {
      switch (received.message()) {
        case TransactionRevertedAcknowledgement message ->
            inputs.add(new SubmitterInput.Acknowledged(received.with(message)));
      }
    }
    return inputs;
  }

  @Override
  boolean isIdle() {
    return state().isIdle();
  }

  @Override
  void perform(List<SubmitterEffect> effects, Runnable whenDurable) {
    effects.forEach(errands::run);
    whenDurable.run();
  }

  private static SubmitterErrands errandsAt(Place<Command> place) {
    var services = place.services();
    var contract = place.contract();
    var self = place.context().getSelf();
    return new SubmitterErrands(
        services,
        NodeKeyNames.submitter(contract),
        new SubmitterErrands.Edge() {
          @Override
          public void answer(SubmitterInput input) {
            self.tell(new Fed(input));
          }

          @Override
          public void tellCoordinator(ContractAddress of, CoordinatorInput.Local told) {
            services.entities().coordinator(of).tell(new CoordinatorActor.Told(told));
          }

          @Override
          public void distribute(List<Dispatch> dispatches) {
            services
                .entities()
                .stateStore(contract)
                .tell(new StateStoreActor.Distribute(dispatches, self));
          }
        });
  }
}
