package dev.sequitur.sequencer.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import akka.cluster.sharding.typed.javadsl.EntityRef;
import akka.cluster.sharding.typed.javadsl.EntityTypeKey;
import akka.persistence.typed.javadsl.Effect;
import dev.sequitur.persistence.serialization.ProtocolSerializable;
import dev.sequitur.protocol.errand.SenderErrands;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.indexing.BlockDelivery.ToSender;
import dev.sequitur.protocol.indexing.BlockNotice;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.PreparedTransactionDistribution;
import dev.sequitur.protocol.sender.Sender;
import dev.sequitur.protocol.sender.SenderEffect;
import dev.sequitur.protocol.sender.SenderEvent;
import dev.sequitur.protocol.sender.SenderInput;
import dev.sequitur.protocol.sender.SenderSetup;
import dev.sequitur.protocol.sender.SenderState;
import dev.sequitur.protocol.sender.TransactionState;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.sequencer.setup.OpenTransactions;
import dev.sequitur.sequencer.view.SequencerStatus.SenderReport;
import dev.sequitur.sequencer.view.TransactionStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The sender of one contract on this node. Failed attempts, parkings and the epoch survive a
 * restart; which intents there are is read from the node store; where they stand is found out anew.
 */
public final class SenderActor
    extends LoadedEntity<SenderActor.Command, SenderInput, SenderState, SenderEvent, SenderEffect> {
  public static final EntityTypeKey<Command> KEY = EntityTypeKey.create(Command.class, "sender");

  /** What the sender is told. */
  public sealed interface Command extends ProtocolSerializable {}

  public record Deliver(List<Received<? extends Message.ForSender>> messages) implements Command {}

  /**
   * Durable intents, in order of acceptance.
   *
   * @param again whether they come again
   * @param replyTo told that they need not come again
   */
  public record IntentsHanded(
      List<PrivateTransaction> transactions,
      long batch,
      boolean again,
      ActorRef<IntentHandover.Taken> replyTo)
      implements Command {}

  /**
   * There may be intents in the node store that it was not told of.
   *
   * @param replyTo told that it will look
   */
  public record Reload(long number, ActorRef<IntentHandover.Taken> replyTo) implements Command {}

  /**
   * @param replyTo told when all that follows from the block is durable
   */
  public record BlockIndexed(BlockNotice notice, ActorRef<LedgerIndexer.Ack> replyTo)
      implements Command {}

  public record HeightReached(BlockNotice notice) implements Command {}

  /** The outputs are with this node's state store, durably. */
  public record PreparedDistributed(Received<PreparedTransactionDistribution> prepared)
      implements Command {}

  public record AssemblyFinished(SenderInput.AssemblyFinished result) implements Command {}

  /**
   * @param replyTo told whether it was parked
   */
  public record Resume(TransactionId transaction, ActorRef<Boolean> replyTo) implements Command {}

  /** Asks for the state as it is; within a JVM. */
  public record GetState(ActorRef<SenderState> replyTo) implements Command {}

  /** Asks for what people are shown. */
  public record GetReport(ActorRef<SenderReport> replyTo) implements Command {}

  /** Asks for what people are shown of one transaction. */
  public record GetTransaction(TransactionId transaction, ActorRef<Found> replyTo)
      implements Command {}

  /**
   * @param status empty if the sender has none of that id that has no receipt yet
   */
  public record Found(Optional<TransactionStatus> status) implements ProtocolSerializable {}

  /** Wakes the sender if it has work. */
  public record Wake() implements Command {}

  public record Stop() implements Command {}

  private record Tick() implements Command {}

  /** The answer to an errand. */
  private record Fed(SenderInput input) implements Command {}

  private record Turn(Supplier<Effect<SenderEvent, SenderState>> then) implements Command {}

  private final Sender sender;
  private final SenderErrands errands;
  private final OpenTransactions.Sender open;

  public static Behavior<Command> create(
      NodeServices services,
      ContractAddress contract,
      ActorRef<ClusterSharding.ShardCommand> shard) {
    return Place.behavior(
        services,
        contract,
        shard,
        place -> {
          var open = services.openTransactions().begin(contract);
          return new SenderActor(place, rulesAt(place, open), open).behavior();
        });
  }

  private static Sender rulesAt(Place<Command> place, OpenTransactions.Sender open) {
    var services = place.services();
    return new Sender(
        new SenderSetup(
            services.self(),
            services.group(place.contract()),
            services.groups().selection(place.contract()),
            services.setup().rules().sequencer(),
            services.links(),
            open::endedRoom));
  }

  private SenderActor(Place<Command> place, Sender sender, OpenTransactions.Sender open) {
    super(
        KEY,
        place,
        new Signals<>(new Tick(), new Wake(), new Stop()),
        sender.machine(place.services()::height),
        new Snapshots<>(SequencerSnapshots.sender(), 1_000),
        Turn::new);
    this.sender = sender;
    this.errands = new SenderErrands(services, contract, new Edge());
    this.open = open;
    place.followHeights(HeightReached::new);
  }

  private final class Edge implements SenderErrands.Edge {
    private final ActorRef<Command> self = context.getSelf();
    private final EntityRef<StateStoreActor.Command> stateStore =
        services.entities().stateStore(contract);

    @Override
    public void answer(SenderInput input) {
      self.tell(new Fed(input));
    }

    @Override
    public void failed(String what, Throwable cause) {
      SenderActor.this.failed(what, cause);
    }

    @Override
    public void assemble(SenderEffect.Assemble work) {
      stateStore.tell(new StateStoreActor.Assemble(work, self));
    }

    @Override
    public void distribute(Received<PreparedTransactionDistribution> prepared) {
      stateStore.tell(new StateStoreActor.DistributePrepared(prepared, self));
    }
  }

  @Override
  Effect<SenderEvent, SenderState> on(Command command) {
    return switch (command) {
      // Of what is not loaded yet it would say that it is unknown (DSP-4).
      case Deliver deliver -> onceLoaded(() -> onDeliver(deliver));
      case Fed(var input) -> onFed(input);
      case PreparedDistributed(var prepared) -> onPreparedDistributed(prepared);
      case AssemblyFinished(var result) -> feed(List.of(result));
      case IntentsHanded handed -> onIntentsHanded(handed);
      case Reload reload -> onReload(reload);
      // What it confirms may be an intent that is still being loaded.
      case BlockIndexed block -> onceLoaded(() -> onBlock(block));
      case HeightReached(var notice) -> onceLoaded(() -> feed(List.of(notice.forSender())));
      // What it parked before a restart is not here before.
      case Resume resume -> onceLoaded(() -> onResume(resume));
      case GetState(var replyTo) -> onGetState(replyTo);
      case GetReport(var replyTo) -> onGetReport(replyTo);
      case GetTransaction query -> onGetTransaction(query);
      case Turn(var then) -> then.get();
      case Tick() -> onTick();
      case Wake() -> onWake();
      case Stop() -> onStop();
    };
  }

  private Effect<SenderEvent, SenderState> onDeliver(Deliver deliver) {
    var inputs = new ArrayList<SenderInput>(deliver.messages().size());
    deliver.messages().forEach(received -> inputs.add(new SenderInput.FromNode(received)));
    return feed(inputs);
  }

  private Effect<SenderEvent, SenderState> onPreparedDistributed(
      Received<PreparedTransactionDistribution> prepared) {
    errands.storePrepared(prepared);
    return Effect().none();
  }

  private Effect<SenderEvent, SenderState> onIntentsHanded(IntentsHanded handed) {
    // They are durable: after a restart they are read from the node store.
    handed.replyTo().tell(new IntentHandover.Taken(handed.batch()));
    return feed(List.of(new SenderInput.IntentsAccepted(handed.transactions(), handed.again())));
  }

  private Effect<SenderEvent, SenderState> onReload(Reload reload) {
    // Whoever takes its place reads the node store as it begins.
    reload.replyTo().tell(new IntentHandover.Taken(reload.number()));
    return feed(List.of(new SenderInput.Reload()));
  }

  private Effect<SenderEvent, SenderState> onFed(SenderInput input) {
    return input instanceof SenderInput.PendingLoaded loaded && loaded.next().isEmpty()
        ? begin(input)
        : feed(List.of(input));
  }

  private Effect<SenderEvent, SenderState> onBlock(BlockIndexed block) {
    var done = new LedgerIndexer.Ack(block.notice().height(), ToSender.to(contract));
    return feed(List.of(block.notice().forSender()), () -> block.replyTo().tell(done));
  }

  private Effect<SenderEvent, SenderState> onResume(Resume resume) {
    var before = state().transactions().get(resume.transaction());
    boolean parked = before != null && before.state() == TransactionState.PARKED;
    resume.replyTo().tell(parked);
    return feed(List.of(new SenderInput.Resume(resume.transaction())));
  }

  private Effect<SenderEvent, SenderState> onGetState(ActorRef<SenderState> replyTo) {
    replyTo.tell(state());
    return Effect().none();
  }

  private Effect<SenderEvent, SenderState> onGetReport(ActorRef<SenderReport> replyTo) {
    replyTo.tell(MachineReports.of(state(), sender.setup(), services.now(), errands.ending()));
    return Effect().none();
  }

  private Effect<SenderEvent, SenderState> onGetTransaction(GetTransaction query) {
    var found =
        MachineReports.of(
            query.transaction(), state(), sender.setup(), services.now(), errands.ending());
    query.replyTo().tell(new Found(found));
    return Effect().none();
  }

  @Override
  boolean isIdle() {
    return isLoaded() && state().isIdle();
  }

  /** Blocks come all the time, also for a contract that nobody uses. */
  @Override
  boolean isWork(Command command) {
    if (command instanceof BlockIndexed block) {
      return !block.notice().confirmed().isEmpty();
    } else if (command instanceof HeightReached reached) {
      return !reached.notice().confirmed().isEmpty();
    }
    return !(command instanceof GetReport
        || command instanceof GetTransaction
        || command instanceof GetState);
  }

  /** Receipts are written elsewhere: durable is also what follows from them. */
  @Override
  void perform(List<SenderEffect> effects, Runnable whenDurable) {
    open.is(state());
    errands.run(effects, whenDurable);
  }

  @Override
  void left() {
    services.openTransactions().left(contract, open);
  }
}
