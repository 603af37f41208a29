package dev.sequitur.sequencer.runtime;

import akka.actor.AbstractExtensionId;
import akka.actor.ActorRef;
import akka.actor.ExtendedActorSystem;
import akka.actor.Extension;
import akka.actor.typed.ActorSystem;
import akka.cluster.sharding.typed.ShardingEnvelope;
import akka.remote.artery.RemoteInstrument;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.sequencer.actor.CoordinatorActor;
import dev.sequitur.sequencer.actor.EndorserActor;
import dev.sequitur.sequencer.actor.SenderActor;
import dev.sequitur.sequencer.actor.StateStoreActor;
import dev.sequitur.sequencer.actor.SubmitterActor;
import dev.sequitur.trace.MessageRole;
import dev.sequitur.trace.TransactionSpans;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * Sees to it that the spans of a transaction go where what is told of it goes, if that is another
 * JVM of the node. Akka's remoting makes one for each of its streams, and sends what it writes
 * beside the message; a JVM that does not know it passes it over. Nothing is written of what is not
 * sampled.
 */
public final class CarriedTraces extends RemoteInstrument {
  /** Those below 8 are Akka's own. */
  private static final byte NUMBER = 8;

  private final OfJvm jvm;

  /** For Akka, as {@code akka.remote.artery.advanced.instruments} asks. */
  public CarriedTraces(ExtendedActorSystem system) {
    this.jvm = Id.INSTANCE.get(system);
  }

  /** From now on these go along. */
  static void carry(ActorSystem<?> system, TransactionSpans spans) {
    Id.INSTANCE.get(system).spans = spans;
  }

  /** The spans of the one JVM of a node that an actor system is. */
  private static final class OfJvm implements Extension {
    private volatile TransactionSpans spans = TransactionSpans.OFF;
  }

  private static final class Id extends AbstractExtensionId<OfJvm> {
    private static final Id INSTANCE = new Id();

    @Override
    public OfJvm createExtension(ExtendedActorSystem system) {
      return new OfJvm();
    }
  }

  /** Of whom the transactions are that one entity tells another of. */
  private record Told(MessageRole to, List<TransactionId> about, List<MessageId> messages) {
    static Told of(MessageRole to, List<Dispatch> dispatches) {
      return new Told(
          to, dispatches.stream().map(each -> each.prepared().transaction()).toList(), List.of());
    }

    static Told received(MessageRole to, List<? extends Received<? extends Message>> messages) {
      return new Told(
          to,
          messages.stream().flatMap(each -> each.message().transactions().stream()).toList(),
          messages.stream().<MessageId>map(Received::id).toList());
    }
  }

  private static Optional<Told> told(Object message) {
    return message instanceof ShardingEnvelope<?> envelope
        ? Optional.ofNullable(
            switch (envelope.message()) {
              case SenderActor.IntentsHanded handed ->
                  new Told(
                      MessageRole.SENDER,
                      handed.transactions().stream().map(PrivateTransaction::id).toList(),
                      List.of());
              case SenderActor.Deliver(var messages) -> Told.received(MessageRole.SENDER, messages);
              case CoordinatorActor.Deliver(var messages) ->
                  Told.received(MessageRole.COORDINATOR, messages);
              case EndorserActor.Deliver(var messages) ->
                  Told.received(MessageRole.ENDORSER, messages);
              case SubmitterActor.Deliver(var messages) ->
                  Told.received(MessageRole.SUBMITTER, messages);
              case SubmitterActor.DispatchAll(var dispatches) ->
                  Told.of(MessageRole.SUBMITTER, dispatches);
              case StateStoreActor.Deliver(var messages) ->
                  Told.received(MessageRole.STORE, messages);
              case StateStoreActor.Distribute distribute ->
                  Told.of(MessageRole.STORE, distribute.dispatches());
              case StateStoreActor.DistributePrepared distribute ->
                  Told.received(MessageRole.STORE, List.of(distribute.prepared()));
              case null, default -> null; // nothing that a span follows from
            })
        : Optional.empty();
  }

  @Override
  public byte identifier() {
    return NUMBER;
  }

  @Override
  public void remoteWriteMetadata(
      ActorRef recipient, Object message, ActorRef sender, ByteBuffer buffer) {
    var spans = jvm.spans;
    if (spans.isAnyTraced()) {
      told(message)
          .flatMap(told -> spans.leaving(told.to(), told.about(), told.messages()))
          .ifPresent(bytes -> buffer.putInt(bytes.length).put(bytes));
    }
  }

  @Override
  public void remoteReadMetadata(
      ActorRef recipient, Object message, ActorRef sender, ByteBuffer buffer) {
    var bytes = new byte[buffer.getInt()];
    buffer.get(bytes);
    jvm.spans.arrived(bytes);
  }

  @Override
  public void remoteMessageSent(
      ActorRef recipient, Object message, ActorRef sender, int size, long time) {}

  @Override
  public void remoteMessageReceived(
      ActorRef recipient, Object message, ActorRef sender, int size, long time) {}
}
