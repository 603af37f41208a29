package dev.sequitur.sequencer.actor;

import akka.actor.typed.ActorRef;
import dev.sequitur.persistence.serialization.ProtocolSerializable;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.indexing.BlockNotice;
import dev.sequitur.protocol.indexing.WantedShards;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a {@link BlockFeed} is told. */
public sealed interface BlockFeedCommand extends ProtocolSerializable {
  /** Wants every block, with what it has of the contract, while {@code watch} lives. */
  record Subscribe(ContractAddress contract, ActorRef<BlockNotice> subscriber, ActorRef<?> watch)
      implements BlockFeedCommand {}

  /** Wants the height of every block that has nothing of the contract. */
  record SubscribeHeight(
      ContractAddress contract, ActorRef<BlockNotice> subscriber, ActorRef<?> watch)
      implements BlockFeedCommand {}

  /** Waits for blocks while it lives; wants none itself. */
  record Await(ActorRef<?> watch) implements BlockFeedCommand {}

  /** From now on follows the indexer, wherever in the node it is. */
  record Begin(ActorRef<LedgerIndexer.Command> indexer) implements BlockFeedCommand {}

  /**
   * A block, or a part of it, as the indexer hands it on.
   *
   * @param after the newest block that this one may follow
   * @param told of which contracts it tells: not of all that the feed wants, if it has said so
   *     since
   * @param part of {@code parts}, from 0, which come in order
   * @param notices by contract, of those that it has something of
   * @param groups of those that begin with the block: each part has others
   */
  record Indexed(
      BlockHeight height,
      BlockHeight after,
      Instant indexed,
      WantedShards told,
      int part,
      int parts,
      Map<ContractAddress, BlockNotice> notices,
      List<PrivacyGroup> groups)
      implements BlockFeedCommand {}

  /**
   * What has become of groups was read, for blocks that this JVM has missed.
   *
   * @param upTo the newest of these blocks
   * @param failure why it was not; empty if it was
   */
  record ReadMissed(BlockHeight upTo, Optional<String> failure) implements BlockFeedCommand {}

  /** Has the feed ask the indexer again, in case it forgot. */
  record Follow() implements BlockFeedCommand {}
}
