package dev.sequitur.sequencer.actor;

import akka.actor.typed.ActorRef;
import akka.cluster.sharding.typed.javadsl.EntityRef;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.message.Dispatch;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a submitter has told the state store of its contract to distribute, until the state store
 * has it: that may be in another JVM, and a message to it be lost. Bounded by what the coordinator
 * dispatches. Confined to its submitter.
 */
final class OpenDistribution {
  private static final Duration AGAIN = Duration.ofSeconds(2);

  private final EntityRef<StateStoreActor.Command> stateStore;
  private final ActorRef<StateStoreActor.Distributing> replyTo;
  private final Map<TransactionId, Dispatch> open = new LinkedHashMap<>();
  private Instant toldAt = Instant.MIN;

  OpenDistribution(
      EntityRef<StateStoreActor.Command> stateStore,
      ActorRef<StateStoreActor.Distributing> replyTo) {
    this.stateStore = stateStore;
    this.replyTo = replyTo;
  }

  void begin(List<Dispatch> dispatches, Instant now) {
    dispatches.forEach(dispatch -> open.put(dispatch.prepared().transaction(), dispatch));
    tell(dispatches, now);
  }

  void done(List<TransactionId> transactions) {
    transactions.forEach(open::remove);
  }

  boolean isDone() {
    return open.isEmpty();
  }

  void tick(Instant now) {
    if (!open.isEmpty() && toldAt.plus(AGAIN).isBefore(now)) {
      tell(List.copyOf(open.values()), now);
    }
  }

  private void tell(List<Dispatch> dispatches, Instant now) {
    toldAt = now;
    stateStore.tell(new StateStoreActor.Distribute(dispatches, Optional.of(replyTo)));
  }
}
