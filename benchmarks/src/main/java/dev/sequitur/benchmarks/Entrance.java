package dev.sequitur.benchmarks;

import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.sequencer.SequencerNode;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** How what a load submits reaches a node. */
interface Entrance {
  /** The most that are submitted together. */
  int together();

  /** Submissions that are not answered yet, at most. */
  int atOnce();

  /**
   * @return the ids that the node knows them by, in order
   */
  CompletableFuture<List<TransactionId>> submit(List<Intent> intents);

  /** Past JSON-RPC, as what runs in the node's own process submits. */
  static Entrance within(SequencerNode node) {
    return new Entrance() {
      @Override
      public int together() {
        return 200;
      }

      @Override
      public int atOnce() {
        return 1;
      }

      @Override
      public CompletableFuture<List<TransactionId>> submit(List<Intent> intents) {
        return node.submit(intents).toCompletableFuture();
      }
    };
  }
}
