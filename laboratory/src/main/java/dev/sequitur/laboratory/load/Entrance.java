package dev.sequitur.laboratory.load;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.NodeStore.Intent;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** How what a load submits reaches a node. */
public interface Entrance {
  /** The most that are submitted together. */
  int together();

  /** Submissions that are not answered yet, at most. */
  int atOnce();

  /**
   * @return an answer for each, in order; it fails if none came, and what was submitted may have
   *     been accepted all the same
   */
  CompletableFuture<List<Answer>> submit(List<Intent> intents);

  /**
   * What a node has said.
   *
   * @param id by which it knows the intent; empty if it is refused
   * @param refusal why, in a sentence; or empty
   */
  record Answer(Optional<TransactionId> id, String refusal) {
    static Answer accepted(TransactionId id) {
      return new Answer(Optional.of(id), "");
    }

    static Answer refused(String why) {
      return new Answer(Optional.empty(), why);
    }
  }

  /** How the receipts of a node reach a load. */
  interface Receipts {
    /** The most that are told together: who is told fewer was told all that there are. */
    int page();

    /**
     * What has ended since this was asked last, as far as it is told together.
     *
     * @param open those that are waited for
     */
    CompletableFuture<List<Ended>> next(Set<TransactionId> open);
  }

  /**
   * A receipt.
   *
   * @param own whether a member of this node has sent the transaction
   * @param failure why, if it was reverted
   * @param block in which it stands on the ledger, if that is told
   */
  record Ended(
      TransactionId id,
      boolean own,
      boolean success,
      Optional<String> failure,
      Optional<BlockHeight> block) {}
}
