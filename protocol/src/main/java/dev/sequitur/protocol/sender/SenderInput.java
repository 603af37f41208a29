package dev.sequitur.protocol.sender;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.PreparedTransactionDistribution;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a sender answers to. */
public sealed interface SenderInput {
  /** The actor has recovered; begins a new epoch. */
  record Started(BlockHeight height, long incarnation) implements SenderInput {}

  /**
   * Some of what the node store holds without a receipt, in order of acceptance.
   *
   * @param accepted when each was
   * @param prepared those of external submit mode that were prepared (EXT-1)
   * @param next after which order more of them are to be read; empty behind the last page
   */
  record PendingLoaded(
      List<PrivateTransaction> transactions,
      Map<TransactionId, Instant> accepted,
      Map<TransactionId, NodeStore.Prepared> prepared,
      Optional<Long> next)
      implements SenderInput {}

  /** There may be intents in the node store that it was not told of. */
  record Reload() implements SenderInput {}

  /**
   * Intents that are durable now, in order of acceptance.
   *
   * @param again whether they were handed over before, maybe to a life that has ended some of them
   */
  record IntentsAccepted(List<PrivateTransaction> transactions, boolean again)
      implements SenderInput {}

  record FromNode(Received<? extends Message.ForSender> received) implements SenderInput {}

  /** What the domain made of an assemble request, in its order. */
  record AssemblyFinished(
      RequestId request, MessageId inReplyTo, Map<TransactionId, Domain.Assembly> results)
      implements SenderInput {}

  /** The prepared transaction is stored on this node (EXT-1). */
  record PreparedStored(Received<PreparedTransactionDistribution> received)
      implements SenderInput {}

  /**
   * A final block was indexed. Never given before the last {@link PendingLoaded}: it may confirm
   * what is not loaded yet.
   *
   * @param confirmed the contract's intents that it fulfils
   */
  record BlockIndexed(
      BlockHeight height, Instant indexed, Map<IntentKey, Receipt.OnLedger> confirmed)
      implements SenderInput {}

  /**
   * Final blocks of before confirm these, though none was seen to.
   *
   * @param indexed when they were found
   */
  record ConfirmationFound(Instant indexed, Map<IntentKey, Receipt.OnLedger> confirmed)
      implements SenderInput {}

  /** What a transaction depends on has a receipt (SND-6). */
  record DependencyEnded(TransactionId dependency, boolean success) implements SenderInput {}

  /** A call to resume a parked transaction. */
  record Resume(TransactionId transaction) implements SenderInput {}

  record Tick() implements SenderInput {}
}
