package dev.sequitur.protocol.indexing;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Whether a node's records are older than what the ledger shows of it (RCV-7). A node stores what
 * it does before the ledger can hear of it: an intent before it is delegated, a nonce before it is
 * used. So what stands on the ledger with a key of this node, and is not in its records, was done
 * by a node that had newer ones.
 */
public final class OlderRecords {
  private OlderRecords() {}

  /** By which the node knows its own again. */
  public interface Own {
    /** Whether it is this node's key that submits for the contract. */
    boolean isSubmitter(LedgerAddress signer, ContractAddress contract);

    /** Whether a caller of this node sent it. */
    boolean isSender(ContractAddress contract, IntentKey intent);
  }

  /** What this node did, as the ledger shows it. */
  public sealed interface Done {
    BlockHeight block();

    ContractAddress contract();

    /** The private one that it was done for. */
    TransactionId transaction();
  }

  /** Its key for the contract has used this nonce, for this transaction and perhaps for others. */
  public record Submitted(
      BlockHeight block, ContractAddress contract, long nonce, TransactionId transaction)
      implements Done {}

  /** A caller of it sent this. */
  public record Sent(BlockHeight block, ContractAddress contract, TransactionId transaction)
      implements Done {}

  /**
   * What the records of a node have.
   *
   * @param nextNonces of its key for each contract, as journaled; 0 where there is none
   * @param transactions which of those that it is asked about were accepted
   */
  public record Known(Map<ContractAddress, Long> nextNonces, Set<TransactionId> transactions) {
    public Known {
      nextNonces = Map.copyOf(nextNonces);
      transactions = Set.copyOf(transactions);
    }

    private boolean has(Done done) {
      return switch (done) {
        case Submitted it -> it.nonce() < nextNonces.getOrDefault(it.contract(), 0L);
        case Sent it -> transactions.contains(it.transaction());
      };
    }
  }

  /** All that a block shows of what this node did. */
  public static List<Done> shown(Block block, Own own) {
    var shown = new ArrayList<Done>();
    for (var receipt : block.receipts()) {
      for (var result : receipt.results()) {
        switch (result) {
          case LedgerReceipt.Fulfilled it ->
              add(shown, block.height(), receipt, it.contract(), it.intent(), own);
          case LedgerReceipt.Reverted it ->
              add(shown, block.height(), receipt, it.contract(), it.intent(), own);
          // A group is made by a key that has one nonce, and is found again by its name.
          case LedgerReceipt.Deployed ignored -> {}
          // Everybody's whose operators agreed: the ledger has it whoever brought it there.
          case LedgerReceipt.CommitteeChanged ignored -> {}
          case LedgerReceipt.ChangeRefused ignored -> {}
          // Of keys that others may use too (PUB-3).
          case LedgerReceipt.Called ignored -> {}
          case LedgerReceipt.NonceUsed ignored -> {}
        }
      }
    }
    return List.copyOf(shown);
  }

  private static void add(
      List<Done> shown,
      BlockHeight block,
      LedgerReceipt receipt,
      ContractAddress contract,
      IntentKey intent,
      Own own) {
    if (own.isSubmitter(receipt.signer(), contract)) {
      shown.add(new Submitted(block, contract, receipt.nonce(), intent.transaction()));
    }
    if (own.isSender(contract, intent)) {
      shown.add(new Sent(block, contract, intent.transaction()));
    }
  }

  /** What of it the records do not have, in its order. */
  public static List<Done> unknown(List<Done> shown, Known known) {
    return shown.stream().filter(done -> !known.has(done)).toList();
  }

  /**
   * A part of a sentence on what a node lacks: how much, of how many groups, since when.
   *
   * @param unknown of {@link #unknown}
   * @return empty if it lacks nothing
   */
  public static Optional<String> told(List<Done> unknown) {
    return unknown.stream()
        .map(Done::block)
        .min(BlockHeight::compareTo)
        .map(
            first -> {
              long contracts = unknown.stream().map(Done::contract).distinct().count();
              // One that this node both sent and submitted is one.
              long transactions = unknown.stream().map(Done::transaction).distinct().count();
              return "since block %d the base ledger has %s of this node, in %d of its groups, that its records do not have"
                  .formatted(
                      first.value(),
                      transactions == 1 ? "a transaction" : transactions + " transactions or more",
                      contracts);
            });
  }
}
