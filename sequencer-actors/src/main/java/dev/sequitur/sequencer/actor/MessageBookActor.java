package dev.sequitur.sequencer.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import akka.cluster.sharding.typed.javadsl.EntityTypeKey;
import akka.persistence.typed.javadsl.Effect;
import dev.sequitur.persistence.serialization.ProtocolSerializable;
import dev.sequitur.protocol.errand.MessageBookErrands;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupMessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.messaging.MessageBook;
import dev.sequitur.protocol.messaging.MessageBookEvent;
import dev.sequitur.protocol.messaging.MessageBookState;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * What the nodes of one contract's members tell each other, on this node ({@link
 * MessageBookErrands}). Messages survive a restart, and how far each receiver is; callers that are
 * not answered by then never are.
 */
public final class MessageBookActor
    extends LoadedEntity<
        MessageBookActor.Command,
        MessageBook.Input,
        MessageBookState,
        MessageBookEvent,
        MessageBook.Effect> {
  public static final EntityTypeKey<Command> KEY =
      EntityTypeKey.create(Command.class, "message-book");

  /** What a message book is told. */
  public sealed interface Command extends ProtocolSerializable {}

  public record Deliver(List<Received<? extends Message.ForMessageBook>> messages)
      implements Command {}

  /**
   * From a caller of this node.
   *
   * @param replyTo told when it is durable, or refused
   */
  public record Write(
      Optional<GroupMessageId> answers, String topic, Bytes data, ActorRef<Written> replyTo)
      implements Command {}

  /**
   * What came of it: one of both.
   *
   * @param id of the message that every other node will have
   * @param slow the node for which too many wait already
   */
  public record Written(Optional<GroupMessageId> id, Optional<NodeName> slow)
      implements ProtocolSerializable {
    static Written of(MessageBook.Outcome outcome) {
      return switch (outcome) {
        case MessageBook.Outcome.Sent(var id) -> new Written(Optional.of(id), Optional.empty());
        case MessageBook.Outcome.TooMany(var slow) ->
            new Written(Optional.empty(), Optional.of(slow));
      };
    }

    public MessageBook.Outcome outcome() {
      return id.<MessageBook.Outcome>map(MessageBook.Outcome.Sent::new)
          .orElseGet(() -> new MessageBook.Outcome.TooMany(slow.orElseThrow()));
    }
  }

  public record Stop() implements Command {}

  /** Wakes it if it has work. */
  public record Wake() implements Command {}

  private record Tick() implements Command {}

  /** What it has asked the node store for. */
  private record Told(MessageBook.Input input) implements Command {}

  private record Turn(Supplier<Effect<MessageBookEvent, MessageBookState>> then)
      implements Command {}

  private final MessageBookErrands errands;

  public static Behavior<Command> create(
      NodeServices services,
      ContractAddress contract,
      ActorRef<ClusterSharding.ShardCommand> shard) {
    return Place.behavior(
        services, contract, shard, place -> new MessageBookActor(place, rulesAt(place)).behavior());
  }

  private static MessageBook rulesAt(Place<Command> place) {
    var services = place.services();
    var selection = services.groups().selection(place.contract());
    return new MessageBook(
        services.self(), place.contract(), selection::group, services.setup().rules().sequencer());
  }

  private MessageBookActor(Place<Command> place, MessageBook rules) {
    super(
        KEY,
        place,
        new Signals<>(new Tick(), new Wake(), new Stop()),
        rules.machine(),
        new Snapshots<>(SequencerSnapshots.messageBook(), 2_000),
        Turn::new);
    this.errands = new MessageBookErrands(services.store(), services.self(), contract, new Edge());
  }

  private final class Edge implements MessageBookErrands.Edge {
    private final ActorRef<Command> self = context.getSelf();

    @Override
    public void tell(MessageBook.Input input) {
      self.tell(new Told(input));
    }

    @Override
    public void failed(Throwable cause) {
      MessageBookActor.this.failed("Reading messages between members", cause);
    }
  }

  @Override
  Effect<MessageBookEvent, MessageBookState> on(Command command) {
    return switch (command) {
      case Told(var input) -> onTold(input);
      case Turn(var then) -> then.get();
      case Deliver deliver -> onceLoaded(() -> take(inputs(deliver), NOTHING));
      case Write write -> onceLoaded(() -> take(List.of(input(write)), NOTHING));
      case Tick() -> onTick();
      case Wake() -> onWake();
      case Stop() -> onStop();
    };
  }

  private static List<MessageBook.Input> inputs(Deliver deliver) {
    return deliver.messages().stream().map(MessageBook.Input::of).toList();
  }

  private MessageBook.Input input(Write write) {
    return errands.write(
        write.answers(),
        write.topic(),
        write.data(),
        outcome -> write.replyTo().tell(Written.of(outcome)));
  }

  private Effect<MessageBookEvent, MessageBookState> onTold(MessageBook.Input input) {
    return input instanceof MessageBook.Input.Found found
        ? begin(found)
        : take(List.of(input), NOTHING);
  }

  @Override
  CompletionStage<Void> alongside(List<MessageBook.Effect> effects) {
    return errands.keep(effects);
  }

  @Override
  boolean isIdle() {
    return isLoaded() && state().isIdle();
  }

  @Override
  void perform(List<MessageBook.Effect> effects, Runnable whenDurable) {
    errands.run(effects);
    whenDurable.run();
  }
}
