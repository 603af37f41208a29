package dev.sequitur.protocol.errand;

import dev.sequitur.protocol.coordinator.CoordinatorEffect;
import dev.sequitur.protocol.distribution.StateStore;
import dev.sequitur.protocol.funding.KeyUse;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.port.IntentStore;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.Signatures;
import dev.sequitur.protocol.port.StateContents;
import dev.sequitur.protocol.sender.SenderEffect;
import dev.sequitur.protocol.submitter.GasPaid;
import dev.sequitur.protocol.submitter.SubmitterEffect;
import dev.sequitur.protocol.transaction.TransactionStep;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** A node as the errands of its machines find it. Thread-safe; nothing here blocks. */
public interface Surroundings {
  Instant now();

  /** The newest final block that was indexed. */
  BlockHeight height();

  /**
   * The last final block of which all that follows, and from those before it, is durable with those
   * who must not miss it; empty before the first.
   */
  CompletionStage<Optional<BlockHeight>> acknowledged();

  BaseLedger ledger();

  IntentStore intents();

  StateContents contents();

  Keys keys();

  Signatures signatures();

  /** Runs what takes milliseconds, and what would build up a stack. */
  Executor computing();

  /** For what waits for an answer from elsewhere and would hold up others' computing. */
  default Executor waiting() {
    return computing();
  }

  void count(CoordinatorEffect.Counted what);

  void count(SenderEffect.Counted what);

  void count(SubmitterEffect.Counted what);

  void count(StateStore.Counted what);

  /** So much was paid for gas. */
  default void count(GasPaid paid) {}

  /** A step of a private transaction is done here. */
  default void took(TransactionId transaction, TransactionStep step, Duration time) {}

  /** One of this node's is confirmed, so long after it was accepted. */
  default void fulfilled(ContractAddress contract, TransactionId transaction, Duration time) {}

  /** A key of this node pays for gas: whoever sees to its money is told, or not, it comes again. */
  default void use(KeyUse use) {}

  /**
   * A domain has thrown; the operator is told of it without what the exception says, which may hold
   * private data (EXC-5).
   *
   * @param what it could not do
   */
  void fault(Domain domain, String what, RuntimeException thrown);

  /** Intents of this node have these receipts now, and had not before: they are counted. */
  void ended(List<NodeStore.NumberedReceipt> stored);
}
