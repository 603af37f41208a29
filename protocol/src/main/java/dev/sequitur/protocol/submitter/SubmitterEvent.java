package dev.sequitur.protocol.submitter;

import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.message.TransactionReverted;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import java.util.List;
import java.util.Optional;

/** What a submitter must not forget. */
public sealed interface SubmitterEvent {
  /** The persistence point 1C/2C (RCV-5): committed before anything is done with them. */
  record DispatchesAccepted(List<Dispatch> dispatches) implements SubmitterEvent {
    public DispatchesAccepted {
      dispatches = List.copyOf(dispatches);
    }
  }

  /**
   * Which base-ledger transactions carry which dispatches; before they are submitted so.
   *
   * @param fees what each of them offers at first
   */
  record Packed(List<Load> loads, Fees fees) implements SubmitterEvent {
    public Packed {
      loads = List.copyOf(loads);
    }
  }

  /**
   * What one base-ledger transaction carries.
   *
   * @param transactions in its order
   * @param publicly the order of the public transaction that it is instead
   */
  record Load(long nonce, List<IntentKey> transactions, Optional<Long> publicly) {
    public Load {
      transactions = List.copyOf(transactions);
    }

    public Load(long nonce, List<IntentKey> transactions) {
      this(nonce, transactions, Optional.empty());
    }
  }

  /** To be paid from now on; before it is submitted so. */
  record Repriced(long nonce, Fees fees) implements SubmitterEvent {}

  /**
   * It will fulfil nothing; only its nonce has to be used still, if it is not. Each of those that
   * it carried goes on in a base-ledger transaction of its own.
   */
  record Abandoned(long nonce) implements SubmitterEvent {}

  /**
   * The end of all that they carry is known.
   *
   * @param paid for all of them together
   */
  record Settled(List<Long> nonces, GasPaid paid) implements SubmitterEvent {
    public Settled {
      nonces = List.copyOf(nonces);
    }
  }

  /** A sender has to be told, and may not be reachable now. */
  record Notifying(NodeName sender, TransactionReverted notification) implements SubmitterEvent {}

  record Notified(RequestId notification, TransactionId transaction) implements SubmitterEvent {}

  /**
   * The nonce that the ledger expects next is higher: the key was used elsewhere. It says nothing
   * of whether the ledger was asked.
   */
  record NonceMoved(long next) implements SubmitterEvent {}

  /**
   * The ledger has taken back the use of these nonces, and later ones are given: these are used for
   * nothing.
   *
   * @param to exclusive
   */
  record NoncesFreed(long from, long to, Fees fees) implements SubmitterEvent {}

  /** Public transactions of the key are this submitter's from now on (PUB-2). */
  record PublicsTaken(List<Accepted> transactions) implements SubmitterEvent {
    public PublicsTaken {
      transactions = List.copyOf(transactions);
    }
  }

  /**
   * @param order of acceptance, by the node store
   */
  record Accepted(long order, PublicTransaction transaction) {}

  /**
   * What it is alone can never be taken: what uses its nonce decides how that ends (SUB-3, PUB-5).
   */
  record Refused(long nonce, String reason) implements SubmitterEvent {}

  /**
   * Its nonce is used by something else: it is to be carried anew.
   *
   * @param paid for that, if it was this key's own use of the nonce for nothing
   */
  record PublicNonceLost(long nonce, GasPaid paid) implements SubmitterEvent {}

  /**
   * Another call is to be carried out in place of a public transaction (PUB-8).
   *
   * @param order among all that is live
   * @param fees of what carries it, if something does
   */
  record PublicChanged(long order, PublicTransaction by, Optional<Fees> fees)
      implements SubmitterEvent {}

  /**
   * A public transaction ends before it has a nonce.
   *
   * @param order among all that is live
   */
  record PublicDropped(long order, Receipt receipt) implements SubmitterEvent {}

  /**
   * A block has a call of the key under a nonce that these records have given to nobody, while the
   * node store may have public transactions that were not taken: it may be one of these (PUB-9).
   */
  record CallShown(LedgerReceipt receipt) implements SubmitterEvent {}

  /** All is taken that those calls may be: none of them is of this node. */
  record ShownForgotten() implements SubmitterEvent {}

  /**
   * A block has what waits here for a nonce, under one that these records have not given to it: a
   * life of this node with newer records had it carried out (PUB-9).
   *
   * @param order among all that is live
   * @param paid for what has used the nonce
   */
  record PublicFound(long order, long nonce, Receipt receipt, GasPaid paid)
      implements SubmitterEvent {}

  /**
   * How the public transaction of a nonce ended, which the node store is to keep.
   *
   * @param paid for what has used the nonce
   */
  record PublicEnded(long nonce, Receipt receipt, GasPaid paid) implements SubmitterEvent {}

  /** The node store has the receipts: nothing more is to be known here. */
  record ReceiptsStored(List<TransactionId> transactions) implements SubmitterEvent {
    public ReceiptsStored {
      transactions = List.copyOf(transactions);
    }
  }
}
