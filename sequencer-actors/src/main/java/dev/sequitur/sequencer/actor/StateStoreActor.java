package dev.sequitur.sequencer.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import akka.cluster.sharding.typed.javadsl.EntityTypeKey;
import akka.pattern.StatusReply;
import akka.persistence.typed.javadsl.Effect;
import dev.sequitur.cluster.AskedAgain;
import dev.sequitur.persistence.serialization.ProtocolSerializable;
import dev.sequitur.protocol.distribution.Erased;
import dev.sequitur.protocol.distribution.Lacking;
import dev.sequitur.protocol.distribution.LedgerComparison;
import dev.sequitur.protocol.distribution.StateStore;
import dev.sequitur.protocol.distribution.StateStoreEvent;
import dev.sequitur.protocol.distribution.StateStoreState;
import dev.sequitur.protocol.errand.StateStoreErrands;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.indexing.BlockDelivery.ToStateStore;
import dev.sequitur.protocol.indexing.BlockNotice;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.PreparedTransactionDistribution;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.sender.SenderEffect;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * The private states of one contract on this node; where the domain assembles, since that is where
 * the states are ({@link StateStoreErrands}). States and owed distributions survive a restart.
 */
public final class StateStoreActor
    extends LoadedEntity<
        StateStoreActor.Command,
        StateStore.Input,
        StateStoreState,
        StateStoreEvent,
        StateStore.Effect> {
  public static final EntityTypeKey<Command> KEY =
      EntityTypeKey.create(Command.class, "state-store");

  /** What the state store is told. */
  public sealed interface Command extends ProtocolSerializable {}

  /** What {@link StateStoreErrands} answer to. */
  sealed interface Errand extends Command {}

  public record Deliver(List<Received<? extends Message.ForStateStore>> messages)
      implements Errand {}

  /**
   * From this node's submitter; may come again.
   *
   * @param replyTo told when it is durable
   */
  public record Distribute(List<Dispatch> dispatches, ActorRef<SubmitterActor.Command> replyTo)
      implements Errand {}

  /**
   * From this node's sender; may come again.
   *
   * @param replyTo told when it is durable
   */
  public record DistributePrepared(
      Received<PreparedTransactionDistribution> prepared, ActorRef<SenderActor.Command> replyTo)
      implements Errand {}

  /**
   * @param after the block before it that has states of the contract, if it may be unacknowledged
   * @param replyTo told when it is durable
   */
  public record BlockIndexed(
      BlockNotice notice, BlockHeight after, ActorRef<LedgerIndexer.Ack> replyTo)
      implements Command {}

  public record Assemble(SenderEffect.Assemble work, ActorRef<SenderActor.Command> replyTo)
      implements Errand {}

  public record Validate(List<PrivateTransaction> transactions, ActorRef<Validated> replyTo)
      implements Errand {}

  /**
   * @param objections what is wrong with each, in order; what the states that are known to be on
   *     their way would make right is not
   */
  public record Validated(List<Optional<Domain.Objection>> objections)
      implements ProtocolSerializable {}

  public record Call(
      Identity from, String function, Bytes inputs, ActorRef<StatusReply<Bytes>> replyTo)
      implements Errand {}

  /** Asks how states stand. */
  public record Stand(List<StateId> states, ActorRef<Stood> replyTo) implements Errand {}

  /** Those of the states asked for that are not spent. */
  public record Stood(List<StateId> confirmed, List<StateId> unconfirmed)
      implements ProtocolSerializable {
    static Stood of(StateStoreState.Standing standing) {
      return new Stood(List.copyOf(standing.confirmed()), List.copyOf(standing.unconfirmed()));
    }

    public StateStoreState.Standing standing() {
      return new StateStoreState.Standing(Set.copyOf(confirmed), Set.copyOf(unconfirmed));
    }
  }

  /** Asks which contents are lacking. */
  public record Lack(ActorRef<Lacked> replyTo) implements Errand {}

  public record Lacked(Optional<Lacking> lacking) implements ProtocolSerializable {}

  /** Asks what is unspent here of some states, to be compared with the ledger (DST-9). */
  public record Hold(List<StateId> states, ActorRef<Held> replyTo) implements Errand {}

  /**
   * Asks for a part of all that is unspent here.
   *
   * @param part from 0
   */
  public record HoldPart(int part, ActorRef<Held> replyTo) implements Errand {}

  /**
   * @param height the newest block that the store has applied
   * @param all how many states it holds unspent
   */
  public record Held(BlockHeight height, List<StateId> unspent, long all)
      implements ProtocolSerializable {
    static Held of(LedgerComparison.Holding holding) {
      return new Held(holding.height(), List.copyOf(holding.unspent()), holding.all());
    }

    public LedgerComparison.Holding holding() {
      return new LedgerComparison.Holding(height, Set.copyOf(unspent), all);
    }
  }

  /**
   * It is not what the ledger shows since this block (DST-9).
   *
   * @param replyTo told when that is durable
   */
  public record Differs(BlockHeight since, ActorRef<Corrected> replyTo) implements Errand {}

  /**
   * To be made what the ledger shows (DST-11).
   *
   * @param replyTo told when it is durable
   */
  public record Correct(StateStore.Correction correction, ActorRef<Corrected> replyTo)
      implements Errand {}

  /**
   * @param done false if the store has read on, and the ledger has to be read further first
   */
  public record Corrected(boolean done) implements ProtocolSerializable {}

  /**
   * A caller has contents erased (ROM-7).
   *
   * @param replyTo told when that is durable, or why not
   */
  public record Erase(List<StateId> states, ActorRef<Taken> replyTo) implements Errand {}

  public record Taken(Erased.Answer answer) implements ProtocolSerializable {}

  /**
   * Asks what callers have had erased.
   *
   * @param after the last place of the page before; empty to begin
   */
  public record GetErasures(Optional<Erased.Place> after, int limit, ActorRef<Erasures> replyTo)
      implements Errand {}

  public record Erasures(Erased.Page page) implements ProtocolSerializable {}

  /** Asks whether anything may be done upon what it holds (DST-10). */
  public record GetStopped(ActorRef<Stopped> replyTo) implements Errand {}

  /**
   * @param why a sentence, if nothing may
   */
  public record Stopped(Optional<String> why) implements ProtocolSerializable {}

  /** How far this node has read the base ledger. */
  public record BlockSeen(BlockNotice notice) implements Errand {}

  public record Stop() implements Command {}

  /** Wakes it if it has work. */
  public record Wake() implements Command {}

  private record Tick() implements Command {}

  /** What it began its life with is here. */
  private record Found(StateStore.Input.ContentsFound contents) implements Command {}

  /** The answer to what it has had done. */
  private record Told(StateStore.Input answer) implements Command {}

  private record Demanded(Erase call, Set<StateId> kept) implements Command {}

  private record Turn(Supplier<Effect<StateStoreEvent, StateStoreState>> then) implements Command {}

  private final StateStoreErrands errands;

  public static Behavior<Command> create(
      NodeServices services,
      ContractAddress contract,
      ActorRef<ClusterSharding.ShardCommand> shard) {
    return Place.behavior(
        services, contract, shard, place -> new StateStoreActor(place, rulesAt(place)).behavior());
  }

  private static StateStore rulesAt(Place<Command> place) {
    var services = place.services();
    var selection = services.groups().selection(place.contract());
    return StateStore.of(
        selection,
        services.domain(selection.group()),
        services.self(),
        services.setup().rules().sequencer());
  }

  private StateStoreActor(Place<Command> place, StateStore rules) {
    super(
        KEY,
        place,
        new Signals<>(new Tick(), new Wake(), new Stop()),
        rules.machine(),
        new Snapshots<>(SequencerSnapshots.stateStore(), 2_000),
        Turn::new);
    this.errands =
        new StateStoreErrands(
            services,
            rules,
            services.groups().selection(contract),
            services.domain(services.group(contract)),
            new Edge());
    place.followBlocks(BlockSeen::new);
  }

  private final class Edge implements StateStoreErrands.Edge {
    private final ActorRef<Command> self = context.getSelf();

    @Override
    public StateStoreState state() {
      return StateStoreActor.this.state();
    }

    @Override
    public void found(StateStore.Input.ContentsFound contents) {
      self.tell(new Found(contents));
    }

    @Override
    public void told(StateStore.Input answer) {
      self.tell(new Told(answer));
    }

    @Override
    public CompletionStage<Set<StateId>> underWay() {
      return AskedAgain.<SubmitterActor.Command, SubmitterActor.Unconfirmed>ask(
              services.entities().submitter(contract),
              replyTo -> new SubmitterActor.GetUnconfirmed(contract, replyTo))
          .thenApply(SubmitterActor.Unconfirmed::outputs);
    }

    @Override
    public void resume(List<TransactionId> transactions) {
      var sender = services.entities().sender(contract);
      var nobody = context.getSystem().<Boolean>ignoreRef();
      transactions.forEach(id -> sender.tell(new SenderActor.Resume(id, nobody)));
    }

    @Override
    public void failed(Throwable cause) {
      StateStoreActor.this.failed("Reading contents of states", cause);
    }
  }

  @Override
  Effect<StateStoreEvent, StateStoreState> on(Command command) {
    return switch (command) {
      case Found(var contents) -> begin(contents);
      case Turn(var then) -> then.get();
      case Told(var answer) -> onceLoaded(() -> feed(List.of(answer), () -> {}));
      case Demanded(Erase(var states, var replyTo), var kept) ->
          onceLoaded(
              () -> take(errands.erase(states, kept, answer -> replyTo.tell(new Taken(answer)))));
      case BlockIndexed block -> onceLoaded(() -> onBlock(block));
      case Errand errand -> onceLoaded(() -> onErrand(errand));
      case Tick() -> onTick();
      case Wake() -> onWake();
      case Stop() -> onStop();
    };
  }

  @Override
  CompletionStage<Void> alongside(List<StateStore.Effect> effects) {
    return errands.keep(effects);
  }

  private Effect<StateStoreEvent, StateStoreState> take(StateStoreErrands.Work work) {
    return take(work.inputs(), work.whenDurable());
  }

  private Effect<StateStoreEvent, StateStoreState> onBlock(BlockIndexed block) {
    var done = new LedgerIndexer.Ack(block.notice().height(), ToStateStore.to(contract));
    return errands
        .block(block.notice(), block.after())
        .map(input -> feed(List.of(input), () -> block.replyTo().tell(done)))
        .orElseGet(() -> Effect().none());
  }

  private Effect<StateStoreEvent, StateStoreState> onErrand(Errand command) {
    return switch (command) {
      case Deliver(var messages) -> take(errands.deliver(messages));
      case Distribute(var dispatches, var replyTo) ->
          take(
              errands.distribute(
                  dispatches,
                  stored -> replyTo.tell(new SubmitterActor.OutputsStored(stored.transactions()))));
      case DistributePrepared(var prepared, var replyTo) ->
          take(
              errands.distributePrepared(
                  prepared, done -> replyTo.tell(new SenderActor.PreparedDistributed(done))));
      case Assemble(var work, var replyTo) ->
          done(
              () ->
                  errands.assemble(
                      work, finished -> replyTo.tell(new SenderActor.AssemblyFinished(finished))));
      case BlockSeen(var notice) -> done(() -> errands.blockSeen(notice));
      case Validate(var transactions, var replyTo) ->
          done(() -> replyTo.tell(new Validated(errands.validate(transactions))));
      case Call call -> done(() -> answer(call));
      case Lack(var replyTo) -> done(() -> replyTo.tell(new Lacked(errands.lacking())));
      case Hold(var states, var replyTo) ->
          done(() -> replyTo.tell(Held.of(errands.holding(states))));
      case HoldPart(var part, var replyTo) ->
          done(() -> replyTo.tell(Held.of(errands.holding(part))));
      case Differs(var since, var replyTo) ->
          take(errands.differs(since, () -> replyTo.tell(new Corrected(true))));
      case Correct(var correction, var replyTo) ->
          take(errands.correct(correction, done -> replyTo.tell(new Corrected(done))));
      case Erase call -> done(() -> lookUp(call));
      case GetErasures(var after, var limit, var replyTo) ->
          done(() -> replyTo.tell(new Erasures(errands.erasures(after, limit))));
      case GetStopped(var replyTo) -> done(() -> replyTo.tell(new Stopped(errands.stopped())));
      case Stand(var states, var replyTo) ->
          done(() -> replyTo.tell(Stood.of(errands.standing(states))));
    };
  }

  private Effect<StateStoreEvent, StateStoreState> done(Runnable errand) {
    errand.run();
    return Effect().none();
  }

  /** Where that fails, the caller asks again. */
  private void lookUp(Erase call) {
    var self = context.getSelf();
    var unused =
        errands.kept(call.states()).thenAccept(kept -> self.tell(new Demanded(call, kept)));
  }

  private void answer(Call call) {
    errands
        .call(call.from(), call.function(), call.inputs())
        .whenComplete(
            (answer, refusal) ->
                call.replyTo()
                    .tell(
                        refusal == null
                            ? StatusReply.success(answer)
                            : StatusReply.error(refusal.getMessage())));
  }

  /** Blocks and looks at it go on for ever, and are no work. */
  @Override
  boolean isWork(Command command) {
    return switch (command) {
      case BlockSeen ignored -> false;
      case GetStopped ignored -> false;
      case Errand ignored -> true;
      case BlockIndexed ignored -> true;
      case Stop ignored -> true;
      case Wake ignored -> true;
      case Tick ignored -> true;
      case Found ignored -> true;
      case Told ignored -> true;
      case Demanded ignored -> true;
      case Turn ignored -> true;
    };
  }

  @Override
  boolean isIdle() {
    // Where it differs from the ledger its JVM tells so, for as long as it does.
    return isLoaded() && state().isIdle() && state().differs().isEmpty();
  }

  @Override
  void left() {
    // The JVM that has it next tells of it there.
    services.standing().lacking().tell(contract, Optional.empty());
    services.standing().lacking().tellParted(contract, Optional.empty());
  }

  @Override
  void perform(List<StateStore.Effect> effects, Runnable whenDurable) {
    errands.run(effects);
    services.standing().lacking().tell(contract, errands.lacking());
    services.standing().lacking().tellParted(contract, state().differs());
    whenDurable.run();
  }
}
