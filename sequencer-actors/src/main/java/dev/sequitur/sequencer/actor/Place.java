package dev.sequitur.sequencer.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.TimerScheduler;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.indexing.BlockNotice;
import java.util.function.Function;

/**
 * Where an entity of a contract is, and what it reaches from there.
 *
 * @param id the entity's, among those of its kind
 * @param contract what it works for; of a submitter of public transactions, the address of its key
 * @param shard asked when the entity wants to leave memory
 * @param <C> the entity's commands
 */
record Place<C>(
    ActorContext<C> context,
    TimerScheduler<C> timers,
    NodeServices services,
    String id,
    ContractAddress contract,
    ActorRef<ClusterSharding.ShardCommand> shard) {

  static <C> Behavior<C> behavior(
      NodeServices services,
      ContractAddress contract,
      ActorRef<ClusterSharding.ShardCommand> shard,
      Function<Place<C>, Behavior<C>> entity) {
    return behavior(services, contract.value(), contract, shard, entity);
  }

  /** Of an entity that has another id than its contract. */
  static <C> Behavior<C> behavior(
      NodeServices services,
      String id,
      ContractAddress contract,
      ActorRef<ClusterSharding.ShardCommand> shard,
      Function<Place<C>, Behavior<C>> entity) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers ->
                    entity.apply(new Place<>(context, timers, services, id, contract, shard))));
  }

  /** While the entity is in memory, the base ledger is looked at without a pause. */
  void awaitBlocks() {
    services.feed().tell(new BlockFeedCommand.Await(context.getSelf()));
  }

  /** The entity is told of every block from now on, beginning with the height that is known. */
  void followBlocks(Function<BlockNotice, C> told) {
    var notices = context.messageAdapter(BlockNotice.class, told::apply);
    services.feed().tell(new BlockFeedCommand.Subscribe(contract, notices, context.getSelf()));
  }

  /** So it is, but for those blocks that the indexer tells it of itself. */
  void followHeights(Function<BlockNotice, C> told) {
    var notices = context.messageAdapter(BlockNotice.class, told::apply);
    services
        .feed()
        .tell(new BlockFeedCommand.SubscribeHeight(contract, notices, context.getSelf()));
  }

  IdleWatch idleWatch() {
    return new IdleWatch(services.setup().rules().idleAfter(), services.now());
  }

  /** Asks to be stopped; until then it goes on. */
  void leaveMemory() {
    shard.tell(new ClusterSharding.Passivate<>(context.getSelf()));
  }
}
