package dev.sequitur.protocol.port;

import dev.sequitur.protocol.id.GroupId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The part of the {@link NodeStore} that groups are in, from the moment somebody asks for one.
 * Every write is durable when its future completes, and all or nothing. Thread-safe.
 */
public interface GroupStore {
  /**
   * Groups that were given by one other node and withdrawn, at most: of more the one that was
   * withdrawn first is forgotten.
   */
  int MOST_WITHDRAWN = 1_000;

  /**
   * Groups of one other node that wait for their contract, at most: a node could else fill this
   * one.
   */
  int MOST_AWAITED = 1_000;

  /** Stores a group, or what is known of it now besides ({@link NodeStore.StoredGroup#joined}). */
  CompletionStage<Void> putGroup(NodeStore.StoredGroup group);

  /**
   * Stores a group that another node has given, or has withdrawn before, unless there is one under
   * its id, or it would wait and {@link #MOST_AWAITED} of that node's wait already.
   *
   * @return what is stored under its id now; empty if there is no room for it
   */
  CompletionStage<Optional<NodeStore.StoredGroup>> putGiven(NodeStore.StoredGroup group);

  CompletionStage<Optional<NodeStore.StoredGroup>> group(GroupId id);

  /** All of them, the oldest first: for a start and for queries, not for each message. */
  CompletionStage<List<NodeStore.StoredGroup>> groups();

  /**
   * Intents that make a group and have no receipt, in order of acceptance.
   *
   * @param after their order is above it
   */
  CompletionStage<List<NodeStore.Intent>> newGroupsPending(long after, int limit);
}
