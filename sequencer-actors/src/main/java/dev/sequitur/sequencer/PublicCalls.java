package dev.sequitur.sequencer;

import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.submitter.Submitter;
import dev.sequitur.protocol.submitter.SubmitterState;
import dev.sequitur.protocol.transaction.PublicTransaction;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Public transactions of a node that have not ended, and what becomes of them. */
public interface PublicCalls {
  /** Those of an identity of this node that have a nonce and no end. */
  CompletionStage<List<SubmitterState.Underway>> underway(Identity from);

  /**
   * Has another call carried out in place of a public transaction of this node (PUB-8).
   *
   * @param by under the same id, from the same identity
   * @param fees offered at least
   * @return why it is not; empty if it is, for good
   */
  CompletionStage<Optional<Submitter.ChangeRefusal>> replace(
      PublicTransaction by, Optional<Fees> fees);

  /**
   * Has a public transaction of this node carried out no more, unless a block has it (PUB-8).
   *
   * @return why it is not
   */
  CompletionStage<Optional<Submitter.ChangeRefusal>> cancel(Identity from, TransactionId id);
}
