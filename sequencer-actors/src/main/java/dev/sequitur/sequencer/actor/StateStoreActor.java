package dev.sequitur.sequencer.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.TimerScheduler;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import akka.cluster.sharding.typed.javadsl.EntityTypeKey;
import akka.pattern.StatusReply;
import akka.persistence.typed.PersistenceId;
import akka.persistence.typed.RecoveryCompleted;
import akka.persistence.typed.SnapshotAdapter;
import akka.persistence.typed.javadsl.CommandHandler;
import akka.persistence.typed.javadsl.Effect;
import akka.persistence.typed.javadsl.EventHandler;
import akka.persistence.typed.javadsl.EventSourcedBehavior;
import akka.persistence.typed.javadsl.RetentionCriteria;
import akka.persistence.typed.javadsl.SignalHandler;
import dev.sequitur.cluster.serialization.ProtocolSerializable;
import dev.sequitur.protocol.distribution.SpendableStates;
import dev.sequitur.protocol.distribution.StateStore;
import dev.sequitur.protocol.distribution.StateStoreEvent;
import dev.sequitur.protocol.distribution.StateStoreState;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.PreparedTransactionDistribution;
import dev.sequitur.protocol.message.StateDistribution;
import dev.sequitur.protocol.message.StateDistributionAcknowledgement;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.sender.SenderEffect;
import dev.sequitur.protocol.sender.SenderInput;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.StateLocks;
import dev.sequitur.sequencer.runtime.NodeServices;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/**
 * The private states of one contract on this node; where the domain assembles, since that is where
 * the states are. States and owed distributions survive a restart.
 */
public final class StateStoreActor
    extends EventSourcedBehavior<StateStoreActor.Command, StateStoreEvent, StateStoreState> {
  public static final EntityTypeKey<Command> KEY =
      EntityTypeKey.create(Command.class, "state-store");

  private static final int MOST_WAITING = 16;

  /** Contents that do not come within so many blocks are not meant for this node. */
  private static final int CONTENT_BLOCKS = 3;

  /** What the state store is told. */
  public sealed interface Command extends ProtocolSerializable {}

  public record Deliver(List<Received<? extends Message.OfContract>> messages) implements Command {}

  /** From this node's submitter; may come again. */
  public record Distribute(List<Dispatch> dispatches, Optional<ActorRef<Distributing>> replyTo)
      implements Command {
    /** For one who needs no answer. */
    public Distribute(List<Dispatch> dispatches) {
      this(dispatches, Optional.empty());
    }
  }

  /** The outputs of these are durable here, as is who has to get them. */
  public record Distributing(List<TransactionId> transactions) implements ProtocolSerializable {}

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
      implements Command {}

  public record Validate(List<PrivateTransaction> transactions, ActorRef<Validated> replyTo)
      implements Command {}

  /**
   * @param problems the first with each, if it has one, in order
   */
  public record Validated(List<Optional<String>> problems) implements ProtocolSerializable {}

  public record Call(
      Identity from, String function, Bytes inputs, ActorRef<StatusReply<Bytes>> replyTo)
      implements Command {}

  /** How far this node has read the base ledger. */
  public record BlockSeen(BlockNotice notice) implements Command {}

  public record Stop() implements Command {}

  /** Wakes it if it has work. */
  public record Wake() implements Command {}

  private record Tick() implements Command {}

  private static final Runnable NOTHING = () -> {};

  private final ActorContext<Command> context;
  private final TimerScheduler<Command> timers;
  private final NodeServices services;
  private final ContractAddress contract;
  private final ActorRef<ClusterSharding.ShardCommand> shard;
  private final StateStore rules;
  private final IdleWatch idle;
  private final Deque<Assemble> waiting = new ArrayDeque<>();
  private StateStoreState state;
  private BlockHeight indexed = BlockHeight.ZERO;
  private BlockHeight newestWithStates = BlockHeight.ZERO;
  private boolean started;

  public static Behavior<Command> create(
      NodeServices services,
      ContractAddress contract,
      ActorRef<ClusterSharding.ShardCommand> shard) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> new StateStoreActor(context, timers, services, contract, shard)));
  }

  private StateStoreActor(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      NodeServices services,
      ContractAddress contract,
      ActorRef<ClusterSharding.ShardCommand> shard) {
    super(PersistenceId.of(KEY.name(), contract.value()));
    this.context = context;
    this.timers = timers;
    this.services = services;
    this.contract = contract;
    this.shard = shard;
    this.rules = new StateStore(services.self(), contract, services.setup().rules().sequencer());
    this.idle = new IdleWatch(services.setup().rules().idleAfter(), services.now());
    services
        .feed()
        .tell(
            new BlockFeed.Subscribe(
                contract,
                context.messageAdapter(BlockNotice.class, BlockSeen::new),
                context.getSelf()));
  }

  @Override
  public StateStoreState emptyState() {
    return StateStoreState.initial();
  }

  @Override
  public EventHandler<StateStoreState, StateStoreEvent> eventHandler() {
    return rules::evolve;
  }

  @Override
  public SignalHandler<StateStoreState> signalHandler() {
    return newSignalHandlerBuilder()
        .onSignal(
            RecoveryCompleted.instance(),
            recovered -> {
              state = recovered;
              timers.startTimerWithFixedDelay(new Tick(), services.setup().rules().tick());
              context.getSelf().tell(new Wake());
            })
        .build();
  }

  @Override
  public SnapshotAdapter<StateStoreState> snapshotAdapter() {
    return SequencerSnapshots.stateStore();
  }

  @Override
  public RetentionCriteria retentionCriteria() {
    return RetentionCriteria.snapshotEvery(2_000, 2).withDeleteEventsOnSnapshot();
  }

  @Override
  public CommandHandler<Command, StateStoreEvent, StateStoreState> commandHandler() {
    return newCommandHandlerBuilder().forAnyState().onAnyCommand(this::onCommand);
  }

  private Effect<StateStoreEvent, StateStoreState> onCommand(Command command) {
    // Blocks go on for ever, and are no work.
    if (!(command instanceof Tick || command instanceof BlockSeen)) {
      idle.touch(services.now());
    }
    if (command instanceof Assemble assemble) {
      onAssemble(assemble);
      return Effect().none();
    } else if (command instanceof BlockSeen seen) {
      onBlockSeen(seen.notice());
      return Effect().none();
    } else if (command instanceof Deliver deliver) {
      return feed(inputs(deliver), NOTHING);
    } else if (command instanceof Distribute distribute) {
      return feed(
          List.of(new StateStore.Input.Distribute(distribute.dispatches())),
          () -> distribute.replyTo().ifPresent(to -> to.tell(distributing(distribute))));
    } else if (command instanceof DistributePrepared distribute) {
      return feed(
          List.of(new StateStore.Input.DistributePrepared(distribute.prepared().message())),
          () ->
              distribute
                  .replyTo()
                  .tell(new SenderActor.PreparedDistributed(distribute.prepared())));
    } else if (command instanceof BlockIndexed block) {
      if (block.after().compareTo(state.height()) > 0) {
        // The one before it was lost with another incarnation: both come again, in order.
        return Effect().none();
      }
      var notice = block.notice();
      return feed(
          List.of(
              new StateStore.Input.BlockIndexed(notice.height(), notice.spent(), notice.created())),
          () ->
              block
                  .replyTo()
                  .tell(new LedgerIndexer.Ack(notice.height(), "state-store-" + contract)));
    } else if (command instanceof Validate validate) {
      validate(validate);
      return Effect().none();
    } else if (command instanceof Call call) {
      call(call);
      return Effect().none();
    } else if (command instanceof Tick) {
      if (idle.isOver(state.isIdle(), services.now())) {
        shard.tell(new ClusterSharding.Passivate<>(context.getSelf()));
      }
      return feed(List.of(new StateStore.Input.Tick()), NOTHING);
    } else if (command instanceof Stop) {
      if (!state.isIdle()) {
        // It came after the wish to leave memory: whoever is started next takes it up.
        services.entities().stateStore(contract).tell(new Wake());
      }
      return Effect().stop();
    }
    return feed(List.of(), NOTHING);
  }

  private static Distributing distributing(Distribute distribute) {
    return new Distributing(
        distribute.dispatches().stream().map(each -> each.prepared().transaction()).toList());
  }

  @SuppressWarnings("unchecked") // The class of the message is the type argument.
  private List<StateStore.Input> inputs(Deliver deliver) {
    var inputs = new ArrayList<StateStore.Input>();
    for (var received : deliver.messages()) {
      if (received.message() instanceof StateDistribution) {
        inputs.add(new StateStore.Input.Given(genuineOnly((Received<StateDistribution>) received)));
      } else if (received.message() instanceof StateDistributionAcknowledgement acknowledgement) {
        inputs.add(new StateStore.Input.Acknowledged(acknowledgement));
      }
    }
    return inputs;
  }

  /** An id on the ledger with another content than it stands for would hide the true one. */
  private Received<StateDistribution> genuineOnly(Received<StateDistribution> received) {
    var group = services.group(contract);
    var domain = services.domain(group);
    var message = received.message();
    var genuine =
        message.items().stream().filter(item -> domain.isGenuine(group, item.state())).toList();
    if (genuine.size() == message.items().size()) {
      return received;
    }
    services.counters().add("sequitur_messages_dropped_false_state_total", 1);
    return new Received<>(
        received.from(),
        received.id(),
        new StateDistribution(message.distributionId(), message.contract(), genuine));
  }

  private Effect<StateStoreEvent, StateStoreState> feed(
      List<StateStore.Input> inputs, Runnable whenDurable) {
    var folded = new Folded<StateStoreState, StateStoreEvent, Void>(state);
    var now = services.now();
    if (!started) {
      started = true;
      folded.add(rules.decide(folded.state(), new StateStore.Input.Started(), now));
    }
    for (var input : inputs) {
      folded.add(rules.decide(folded.state(), input, now));
    }
    state = folded.state();
    if (folded.events().isEmpty()) {
      leave(folded, whenDurable);
      return Effect().none();
    }
    return Effect().persist(folded.events()).thenRun(stored -> leave(folded, whenDurable));
  }

  private void leave(Folded<StateStoreState, StateStoreEvent, Void> folded, Runnable whenDurable) {
    services.outbox().send(folded.messages());
    keepContents(folded.events());
    assembleWhatWaits();
    whenDurable.run();
  }

  /** Spent states leave this actor's memory; receipts and audits may still ask for them. */
  private void keepContents(List<StateStoreEvent> events) {
    var contents =
        events.stream()
            .filter(StateStoreEvent.StatesStored.class::isInstance)
            .map(StateStoreEvent.StatesStored.class::cast)
            .flatMap(stored -> stored.items().stream())
            .map(StateDistribution.Item::state)
            .toList();
    if (!contents.isEmpty()) {
      var unused = services.setup().ports().store().putStates(contents);
    }
  }

  /**
   * Tells how far the node has read. What the block did to the states comes by {@link BlockIndexed}
   * alone, since only there a gap shows.
   */
  private void onBlockSeen(BlockNotice notice) {
    if (notice.height().compareTo(indexed) > 0) {
      indexed = notice.height();
      if (!notice.spent().isEmpty() || !notice.created().isEmpty()) {
        newestWithStates = notice.height();
      }
    }
    assembleWhatWaits();
  }

  /** An assembly upon less than the coordinator has seen would spend what is spent already. */
  private void onAssemble(Assemble assemble) {
    if (waiting.isEmpty() && isReady(assemble)) {
      assemble(assemble);
    } else {
      if (waiting.size() == MOST_WAITING) {
        // Its coordinator has given up on it long ago.
        waiting.removeFirst();
      }
      waiting.addLast(assemble);
    }
  }

  private boolean isReady(Assemble assemble) {
    return indexed.compareTo(assemble.work().blockHeight()) >= 0
        && state.height().compareTo(newestWithStates) >= 0
        && !state.awaitsContentSince(indexed.value() - CONTENT_BLOCKS);
  }

  private void assembleWhatWaits() {
    while (!waiting.isEmpty() && isReady(waiting.getFirst())) {
      assemble(waiting.removeFirst());
    }
  }

  /** One after another, each upon what those before it have used (A25). */
  private void assemble(Assemble assemble) {
    var group = services.group(contract);
    var domain = services.domain(group);
    var spendable = new SpendableStates(state, assemble.work().locks());
    var results = new LinkedHashMap<TransactionId, Domain.Assembly>();
    for (var transaction : assemble.work().transactions()) {
      var result = assemble(domain, transaction, spendable);
      if (result instanceof Domain.Assembly.Assembled assembled) {
        spendable.use(assembled.postAssembly());
      }
      results.put(transaction.id(), result);
    }
    assemble
        .replyTo()
        .tell(
            new SenderActor.AssemblyFinished(
                new SenderInput.AssemblyFinished(
                    assemble.work().request(), assemble.work().inReplyTo(), results)));
  }

  /** A fault of the domain must not take this actor, and every other transaction, with it. */
  private Domain.Assembly assemble(
      Domain domain, PrivateTransaction transaction, SpendableStates spendable) {
    try {
      var keys = services.setup().ports().keys();
      return domain.assemble(services.group(contract), transaction, spendable, keys);
    } catch (RuntimeException e) {
      // Its message may hold private data (A24).
      context
          .getLog()
          .error("Domain {} cannot assemble {}: {}", domain.name(), transaction.id(), e.getClass());
      return new Domain.Assembly.Failed(
          "Domain " + domain.name() + " has a fault: see the log of this node.");
    }
  }

  private void validate(Validate validate) {
    var group = services.group(contract);
    var domain = services.domain(group);
    var spendable = new SpendableStates(state, StateLocks.NONE);
    validate
        .replyTo()
        .tell(
            new Validated(
                validate.transactions().stream()
                    .map(transaction -> domain.validate(group, transaction, spendable))
                    .toList()));
  }

  private void call(Call call) {
    var group = services.group(contract);
    try {
      var spendable = new SpendableStates(state, StateLocks.NONE);
      call.replyTo()
          .tell(
              StatusReply.success(
                  services
                      .domain(group)
                      .call(group, call.from(), call.function(), call.inputs(), spendable)));
    } catch (IllegalArgumentException e) {
      call.replyTo().tell(StatusReply.error(e.getMessage()));
    }
  }
}
