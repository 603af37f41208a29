package dev.sequitur.sequencer.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.actor.typed.javadsl.StashBuffer;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import akka.cluster.sharding.typed.javadsl.EntityTypeKey;
import dev.sequitur.persistence.serialization.ProtocolSerializable;
import dev.sequitur.protocol.coordinator.CoordinatorInput;
import dev.sequitur.protocol.endorser.Endorser;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.indexing.BlockNotice;
import dev.sequitur.protocol.machine.Host;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.Message;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Endorses for this node's parties of one contract. Nothing survives a restart, nothing need. */
public final class EndorserActor extends AbstractBehavior<EndorserActor.Command> {
  public static final EntityTypeKey<Command> KEY = EntityTypeKey.create(Command.class, "endorser");

  /** What the endorser is told. */
  public sealed interface Command extends ProtocolSerializable {}

  public record Deliver(List<Received<? extends Message.ForEndorser>> messages)
      implements Command {}

  public record BlockIndexed(BlockNotice notice) implements Command {}

  public record Stop() implements Command {}

  private record Tick() implements Command {}

  /** What the state store says of itself; empty if it did not answer. */
  private record StoreTold(Optional<StateStoreActor.Stopped> told) implements Command {}

  /**
   * What it had looked up.
   *
   * @param answered whether the state store has; else nothing was found
   */
  private record LookedUp(Endorser.Input.LookedUp found, boolean answered) implements Command {}

  /** What whoever holds the key has signed, or has not. */
  private record Signed(Endorser.Input.Signed told) implements Command {}

  /**
   * A state store that has to be woken may take longer: then the request is answered without it,
   * unless this JVM knows that nothing may be done upon what it holds (DST-10).
   */
  private static final Duration LOOKING_UP = Duration.ofSeconds(1);

  /** What comes beyond it is sent again by who wants it. */
  private static final int WAITING = 100;

  private final Place<Command> place;
  private final StashBuffer<Command> waiting;
  private final NodeServices services;
  private final ContractAddress contract;
  private final IdleWatch idle;
  private final Host<Endorser.Input, Endorser.State, Void, Endorser.Effect> host;

  /** Whether the state store was heard in this life, or has not answered in time. */
  private boolean storeHeard;

  /** Whether it is to be asked again with what comes next. */
  private boolean unanswered;

  public static Behavior<Command> create(
      NodeServices services,
      ContractAddress contract,
      ActorRef<ClusterSharding.ShardCommand> shard) {
    return Place.behavior(
        services,
        contract,
        shard,
        place -> Behaviors.withStash(WAITING, waiting -> new EndorserActor(place, waiting)));
  }

  private EndorserActor(Place<Command> place, StashBuffer<Command> waiting) {
    super(place.context());
    this.place = place;
    this.waiting = waiting;
    this.services = place.services();
    this.contract = place.contract();
    var group = services.group(contract);
    var endorser =
        new Endorser(
            new Endorser.Setup(
                services.self(),
                group,
                services.groups().selection(contract),
                services.setup().rules().sequencer(),
                services.domain(group),
                services.keys(),
                services.signatures()));
    var machine = endorser.machine(services.height());
    this.host = new Host<>(machine, machine.initial());
    this.idle = place.idleWatch();
    place.followBlocks(BlockIndexed::new);
    place.timers().startTimerWithFixedDelay(new Tick(), services.setup().rules().idleAfter());
    askStore();
  }

  /** Whether anything may be done upon what this node holds of the group (DST-10). */
  private void askStore() {
    getContext()
        .ask(
            StateStoreActor.Stopped.class,
            services.entities().stateStore(contract),
            LOOKING_UP,
            StateStoreActor.GetStopped::new,
            (told, failure) -> new StoreTold(Optional.ofNullable(told)));
  }

  private Behavior<Command> onStoreTold(Optional<StateStoreActor.Stopped> answer) {
    if (answer.isPresent()) {
      onAll(List.of(new Endorser.Input.StoreTold(answer.get().why())));
    } else {
      onSilence();
    }
    unanswered = answer.isEmpty();
    storeHeard = true;
    return waiting.unstashAll(this);
  }

  /** Mostly it is slow, which says nothing of what it holds. */
  private void onSilence() {
    var trouble = services.storeTrouble(contract);
    if (trouble.isPresent()) {
      onAll(List.of(new Endorser.Input.StoreTold(trouble)));
    }
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder().onAnyMessage(this::onCommand).build();
  }

  private Behavior<Command> onCommand(Command command) {
    return switch (command) {
      case Deliver deliver -> onDeliver(deliver);
      case BlockIndexed(var notice) -> onBlock(notice);
      case LookedUp(var found, var answered) -> onLookedUp(found, answered);
      case StoreTold(var told) -> onStoreTold(told);
      case Signed(var told) -> onAll(List.of(told));
      case Tick() -> onTick();
      case Stop() -> Behaviors.stopped();
    };
  }

  private Behavior<Command> onLookedUp(Endorser.Input.LookedUp found, boolean answered) {
    if (!answered) {
      onSilence();
      unanswered = true;
    }
    return onAll(List.of(found));
  }

  private Behavior<Command> onBlock(BlockNotice notice) {
    if (notice.hasStates()) {
      askStore();
    }
    return onAll(List.of(notice.forEndorser()));
  }

  private Behavior<Command> onTick() {
    if (idle.isOver(true, services.now())) {
      place.leaveMemory();
    } else {
      askStore();
    }
    return onAll(List.of(host.machine().tick()));
  }

  /** What wakes it may not be endorsed before it knows whether it may endorse anything. */
  private Behavior<Command> onDeliver(Deliver deliver) {
    idle.touch(services.now());
    if (!storeHeard) {
      if (!waiting.isFull()) {
        waiting.stash(deliver);
      }
      return this;
    }
    if (unanswered) {
      unanswered = false;
      askStore();
    }
    return onAll(deliver.messages().stream().map(Endorser.Input.FromNode::new).toList());
  }

  private Behavior<Command> onAll(List<? extends Endorser.Input> inputs) {
    var folded = host.fold(inputs, services.now());
    services.outbox().send(folded.messages());
    folded.effects().forEach(this::perform);
    return this;
  }

  private void perform(Endorser.Effect effect) {
    switch (effect) {
      case Endorser.Effect.TellActivity ignored ->
          services
              .entities()
              .coordinator(contract)
              .tell(new CoordinatorActor.Told(new CoordinatorInput.ActivitySeen()));
      case Endorser.Effect.LookUp look -> lookUp(look);
      case Endorser.Effect.Sign sign -> sign(sign);
    }
  }

  private void sign(Endorser.Effect.Sign sign) {
    getContext()
        .pipeToSelf(
            services
                .keys()
                .signed(sign.received().message().party().name(), sign.key(), sign.message()),
            (signature, failure) ->
                new Signed(new Endorser.Input.Signed(sign, Optional.ofNullable(signature))));
  }

  /** Few requests make something of nothing, so that this may cost what an ask costs. */
  private void lookUp(Endorser.Effect.LookUp look) {
    getContext()
        .ask(
            StateStoreActor.Stood.class,
            services.entities().stateStore(contract),
            LOOKING_UP,
            replyTo -> new StateStoreActor.Stand(look.states(), replyTo),
            (stood, failure) ->
                new LookedUp(
                    new Endorser.Input.LookedUp(
                        look.received(),
                        failure == null ? Set.copyOf(stood.confirmed()) : Set.of()),
                    failure == null));
  }
}
