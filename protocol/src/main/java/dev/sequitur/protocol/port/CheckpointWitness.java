package dev.sequitur.protocol.port;

import dev.sequitur.protocol.id.BlockHeight;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Counts out of the blocks what they leave, and says to the ledger which digest it has found
 * (ROM-9). Remembers how far it is.
 */
public interface CheckpointWitness {
  /**
   * Goes on by some blocks.
   *
   * @param upTo the newest block that everybody in this node has acknowledged: what the node says
   *     lets the ledger drop blocks
   * @return fails if the ledger or the disk does not answer; it may then be asked again
   */
  CompletionStage<Step> goOn(BlockHeight upTo);

  /**
   * @param goesOn whether there is more to be read now
   * @param remark a sentence for the operator
   */
  record Step(boolean goesOn, Optional<String> remark) {}
}
