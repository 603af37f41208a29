package dev.sequitur.cluster.placement;

import akka.actor.AbstractExtensionId;
import akka.actor.ActorSystem;
import akka.actor.ExtendedActorSystem;
import akka.actor.Extension;
import akka.actor.typed.Behavior;
import akka.actor.typed.BehaviorInterceptor;
import akka.actor.typed.TypedActorContext;
import akka.actor.typed.javadsl.Behaviors;
import dev.sequitur.cluster.OneJvmProvider;
import dev.sequitur.protocol.placement.ShardNumber;
import dev.sequitur.protocol.placement.ShardWeights;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;

/**
 * How much the shards of all kinds have done in this JVM, in messages, and what they weigh for that
 * in the whole node. Of one actor system. Thread-safe.
 */
public final class ShardWork implements Extension {
  private static final Id ID = new Id();

  private final AtomicLongArray done;

  /** Whether no other JVM can join: then nothing moves, and nobody asks what shards weigh. */
  private final boolean alone;

  private final AtomicReference<ShardWeights> weights = new AtomicReference<>(ShardWeights.NONE);

  private static final class Id extends AbstractExtensionId<ShardWork> {
    @Override
    public ShardWork createExtension(ExtendedActorSystem system) {
      return new ShardWork(
          system.settings().config().getInt("akka.cluster.sharding.number-of-shards"),
          system.provider() instanceof OneJvmProvider);
    }
  }

  private ShardWork(int shards, boolean alone) {
    this.done = new AtomicLongArray(shards);
    this.alone = alone;
  }

  public static ShardWork get(ActorSystem system) {
    return ID.get(system);
  }

  public int shards() {
    return done.length();
  }

  /** The same, and each message that the entity is sent counts, unless the node is of one JVM. */
  public <M> Behavior<M> counting(String entity, Behavior<M> behavior) {
    return alone ? behavior : Behaviors.intercept(() -> new Counting<>(shard(entity)), behavior);
  }

  /** As Akka has it for entities that are named by a text. */
  int shard(String entity) {
    return ShardNumber.shard(entity, done.length());
  }

  /** What each shard has done here since the start of this JVM, at its number. */
  public List<Long> done() {
    return LongStream.range(0, done.length()).mapToObj(shard -> done.get((int) shard)).toList();
  }

  /** By which shards are dealt out. */
  public ShardWeights weights() {
    return weights.get();
  }

  /** Shards are dealt out by these, if they are newer than those that hold. */
  public void become(ShardWeights told) {
    weights.updateAndGet(held -> told.number() > held.number() ? told : held);
  }

  private final class Counting<M> extends BehaviorInterceptor<M, M> {
    private final int shard;

    @SuppressWarnings("unchecked")
    Counting(int shard) {
      super((Class<M>) (Class<?>) Object.class);
      this.shard = shard;
    }

    @Override
    public Behavior<M> aroundReceive(
        TypedActorContext<M> context, M message, ReceiveTarget<M> target) {
      done.incrementAndGet(shard);
      return target.apply(context, message);
    }
  }
}
