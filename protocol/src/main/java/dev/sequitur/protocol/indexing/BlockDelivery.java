package dev.sequitur.protocol.indexing;

import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.transaction.Receipt;
import java.time.Instant;
import java.util.List;

/** What one of those is told who must not miss a block, until it acknowledges. */
public sealed interface BlockDelivery {
  BlockHeight height();

  /** Who acknowledges it; no other delivery of the block has the same. */
  String to();

  record ToSender(ContractAddress contract, BlockNotice notice) implements BlockDelivery {
    @Override
    public BlockHeight height() {
      return notice.height();
    }

    @Override
    public String to() {
      return to(contract);
    }

    public static String to(ContractAddress contract) {
      return "sender-" + contract;
    }
  }

  /**
   * @param after the block before it that has states of the contract, if it may be unacknowledged
   */
  record ToStateStore(ContractAddress contract, BlockNotice notice, BlockHeight after)
      implements BlockDelivery {
    @Override
    public BlockHeight height() {
      return notice.height();
    }

    @Override
    public String to() {
      return to(contract);
    }

    public static String to(ContractAddress contract) {
      return "state-store-" + contract;
    }
  }

  /**
   * @param own receipts of this signer
   */
  record ToSubmitter(ContractAddress contract, BlockHeight height, List<LedgerReceipt> own)
      implements BlockDelivery {
    @Override
    public String to() {
      return to(contract);
    }

    public static String to(ContractAddress contract) {
      return "submitter-" + contract;
    }
  }

  /**
   * To the submitter of public transactions.
   *
   * @param from whose key it signs with
   * @param own receipts of this signer
   */
  record ToPublicSubmitter(Identity from, BlockHeight height, List<LedgerReceipt> own)
      implements BlockDelivery {
    @Override
    public String to() {
      return to(from);
    }

    public static String to(Identity from) {
      return "public-submitter-" + from;
    }
  }

  /**
   * The node store keeps a group that begins with the block.
   *
   * @param at where its contract was made
   * @param known when this node read of it
   */
  record ToNodeStore(PrivacyGroup group, Receipt.OnLedger at, Instant known)
      implements BlockDelivery {
    @Override
    public BlockHeight height() {
      return at.block();
    }

    @Override
    public String to() {
      return "group-" + group.id();
    }
  }

  /**
   * The node store keeps a group's committees with the one that has changed by the block (CMT-5).
   */
  record OfCommittee(PrivacyGroup group, BlockHeight height) implements BlockDelivery {
    @Override
    public String to() {
      return "committee-" + group.id();
    }
  }
}
