package dev.sequitur.sequencer.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import akka.cluster.sharding.typed.javadsl.EntityTypeKey;
import akka.persistence.typed.javadsl.Effect;
import dev.sequitur.persistence.serialization.ProtocolSerializable;
import dev.sequitur.protocol.coordinator.CoordinatorInput;
import dev.sequitur.protocol.errand.SubmitterErrands;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.indexing.BlockDelivery.ToPublicSubmitter;
import dev.sequitur.protocol.indexing.BlockDelivery.ToSubmitter;
import dev.sequitur.protocol.ledger.Fees;
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
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.sequencer.setup.NodeKeyNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The submitter of one signing key: that of one contract on this node, or that of an identity whose
 * public transactions it signs. What it was given, under which nonce and price, and whom it still
 * has to tell survive a restart.
 */
public final class SubmitterActor
    extends MachineEntity<
        SubmitterActor.Command, SubmitterInput, SubmitterState, SubmitterEvent, SubmitterEffect> {
  public static final EntityTypeKey<Command> KEY = EntityTypeKey.create(Command.class, "submitter");

  /** One for each identity that sends public transactions, by its name. */
  public static final EntityTypeKey<Command> PUBLIC_KEY =
      EntityTypeKey.create(Command.class, "public-submitter");

  /** What the submitter is told. */
  public sealed interface Command extends ProtocolSerializable {}

  /** From a coordinator of this node, in order; may come again. */
  public record DispatchAll(List<Dispatch> dispatches) implements Command {}

  public record GetUnconfirmed(ContractAddress contract, ActorRef<Unconfirmed> replyTo)
      implements Command {}

  public record Unconfirmed(List<Dispatch> dispatches) implements ProtocolSerializable {
    /** What they would make. */
    Set<StateId> outputs() {
      return Dispatch.outputs(dispatches);
    }
  }

  public record GetPaid(ActorRef<Paid> replyTo) implements Command {}

  /** What the key has paid for gas since its first transaction. */
  public record Paid(GasPaid paid) implements ProtocolSerializable {}

  public record GetPublics(ActorRef<Publics> replyTo) implements Command {}

  /** Public transactions that have a nonce and no end. */
  public record Publics(List<SubmitterState.Underway> underway) implements ProtocolSerializable {}

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

  /**
   * The node store has public transactions of its key, or may have.
   *
   * @param replyTo told that it will look; empty if nobody asks
   */
  public record PublicsWaiting(long number, Optional<ActorRef<IntentHandover.Taken>> replyTo)
      implements Command {}

  /** What its caller wants in place of a public transaction (PUB-8). */
  public record ReplacePublic(
      PublicTransaction by, Optional<Fees> fees, ActorRef<PublicChange> replyTo)
      implements Command {}

  /** Its caller wants it carried out no more (PUB-8). */
  public record CancelPublic(TransactionId transaction, ActorRef<PublicChange> replyTo)
      implements Command {}

  /**
   * Told once the change is durable.
   *
   * @param refusal why nothing was changed; empty if it was
   */
  public record PublicChange(Optional<Submitter.ChangeRefusal> refusal)
      implements ProtocolSerializable {}

  /**
   * The ledger was read again from a fork on, and has used no nonce of the key from there on
   * (CNF-12).
   *
   * @param replyTo told when what follows is durable
   */
  public record NonceFell(long next, ActorRef<PublicChange> replyTo) implements Command {}

  public record Stop() implements Command {}

  /** Wakes it if it has work. */
  public record Wake() implements Command {}

  private record Tick() implements Command {}

  private record Fed(SubmitterInput input) implements Command {}

  private final Submitter rules;
  private final Key signing;
  private final SubmitterErrands errands;

  /** Whose the key is that it signs with. */
  private sealed interface Key {
    /** What the node calls it. */
    String name();

    /** Who acknowledges blocks. */
    String acknowledgedBy();
  }

  private record OfContract(ContractAddress contract) implements Key {
    @Override
    public String name() {
      return NodeKeyNames.submitter(contract);
    }

    @Override
    public String acknowledgedBy() {
      return ToSubmitter.to(contract);
    }
  }

  private record OfSender(Identity from) implements Key {
    @Override
    public String name() {
      return from.name();
    }

    @Override
    public String acknowledgedBy() {
      return ToPublicSubmitter.to(from);
    }
  }

  public static Behavior<Command> create(
      NodeServices services,
      ContractAddress contract,
      ActorRef<ClusterSharding.ShardCommand> shard) {
    return Place.behavior(
        services,
        contract,
        shard,
        place -> {
          var selection = services.groups().selection(contract);
          var rules =
              rulesAt(
                  services,
                  any ->
                      any.equals(contract)
                          ? Optional.of(selection.group())
                          : services.groups().find(any));
          return new SubmitterActor(KEY, place, rules, new OfContract(place.contract())).behavior();
        });
  }

  /**
   * Of public transactions. Looks for some as it begins.
   *
   * @param name of the identity
   */
  public static Behavior<Command> createPublic(
      NodeServices services, String name, ActorRef<ClusterSharding.ShardCommand> shard) {
    var address = services.signatures().address(services.keys().account(name));
    return Place.behavior(
        services,
        name,
        new ContractAddress(address.value()),
        shard,
        place -> {
          place.context().getSelf().tell(new PublicsWaiting(0, Optional.empty()));
          var from = new Identity(name, services.self());
          var rules = rulesAt(services, services.groups()::find);
          return new SubmitterActor(PUBLIC_KEY, place, rules, new OfSender(from)).behavior();
        });
  }

  private static Submitter rulesAt(
      NodeServices services, Function<ContractAddress, Optional<PrivacyGroup>> groups) {
    return new Submitter(
        new SubmitterSetup(
            services.self(),
            groups,
            services.setup().rules().sequencer(),
            services.setup().rules().gas()));
  }

  private SubmitterActor(
      EntityTypeKey<Command> kind, Place<Command> place, Submitter rules, Key signing) {
    super(
        kind,
        place,
        new Signals<>(new Tick(), new Wake(), new Stop()),
        rules.machine(),
        new Snapshots<>(SequencerSnapshots.submitter(), 2_000));
    this.rules = rules;
    this.signing = signing;
    this.errands = errandsAt(place, signing);
    place.awaitBlocks();
  }

  @Override
  Effect<SubmitterEvent, SubmitterState> on(Command command) {
    return switch (command) {
      case DispatchAll(var dispatches) ->
          feed(List.of(new SubmitterInput.DispatchReceived(dispatches)));
      case OutputsStored(var transactions) ->
          feed(List.of(new SubmitterInput.OutputsStored(transactions)));
      case PublicsWaiting waiting -> onPublicsWaiting(waiting);
      case Fed(var input) -> feed(List.of(input));
      case BlockIndexed block -> onBlock(block);
      case Deliver deliver -> feed(inputs(deliver));
      case ReplacePublic asked -> onReplace(asked);
      case CancelPublic asked -> onCancel(asked);
      case NonceFell(var next, var replyTo) ->
          feed(
              List.of(new SubmitterInput.NonceFell(next)),
              () -> replyTo.tell(new PublicChange(Optional.empty())));
      case GetPaid(var replyTo) -> told(() -> replyTo.tell(new Paid(state().paid())));
      case GetPublics(var replyTo) -> told(() -> replyTo.tell(new Publics(state().underway())));
      case GetUnconfirmed(var asked, var replyTo) ->
          told(() -> replyTo.tell(new Unconfirmed(state().unconfirmed(asked))));
      case Tick() -> onTick();
      case Wake() -> onWake();
      case Stop() -> onStop();
    };
  }

  private Effect<SubmitterEvent, SubmitterState> onPublicsWaiting(PublicsWaiting waiting) {
    var told = new IntentHandover.Taken(waiting.number());
    return feed(
        List.of(new SubmitterInput.PublicsWaiting()),
        () -> waiting.replyTo().ifPresent(asker -> asker.tell(told)));
  }

  private Effect<SubmitterEvent, SubmitterState> onBlock(BlockIndexed block) {
    var done = new LedgerIndexer.Ack(block.height(), signing.acknowledgedBy());
    return feed(
        List.of(
            new SubmitterInput.BaseFeeKnown(services.ledger().baseFee()),
            new SubmitterInput.BlockIndexed(block.height(), block.own())),
        () -> block.replyTo().tell(done));
  }

  private Effect<SubmitterEvent, SubmitterState> onReplace(ReplacePublic asked) {
    return change(
        rules.refusal(state(), asked.by().id(), asked.fees()),
        new SubmitterInput.PublicReplaced(asked.by(), asked.fees()),
        asked.replyTo());
  }

  private Effect<SubmitterEvent, SubmitterState> onCancel(CancelPublic asked) {
    return change(
        rules
            .refusal(state(), asked.transaction(), Optional.empty())
            .filter(why -> why != Submitter.ChangeRefusal.TOO_OFTEN),
        new SubmitterInput.PublicCancelled(asked.transaction()),
        asked.replyTo());
  }

  private Effect<SubmitterEvent, SubmitterState> change(
      Optional<Submitter.ChangeRefusal> refusal,
      SubmitterInput input,
      ActorRef<PublicChange> replyTo) {
    if (refusal.isPresent()) {
      replyTo.tell(new PublicChange(refusal));
      return Effect().none();
    }
    return feed(List.of(input), () -> replyTo.tell(new PublicChange(Optional.empty())));
  }

  private Effect<SubmitterEvent, SubmitterState> told(Runnable answer) {
    answer.run();
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

  private static SubmitterErrands errandsAt(Place<Command> place, Key signing) {
    var services = place.services();
    var contract = place.contract();
    var self = place.context().getSelf();
    return new SubmitterErrands(
        services,
        signing.name(),
        new SubmitterErrands.Edge() {
          @Override
          public void answer(SubmitterInput input) {
            self.tell(new Fed(input));
          }

          @Override
          public Identity sender() {
            return new Identity(signing.name(), services.self());
          }

          @Override
          public void tellCoordinator(ContractAddress of, CoordinatorInput.Local told) {
            services.setup().spans().told(told);
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
