package dev.sequitur.node.rehearsal;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.CanonicalSigning;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.SignedLedgerTransaction;
import dev.sequitur.protocol.ledger.Signer;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.port.BaseLedger;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A ledger that never answers and on which no faults can be set. */
final class NoLedger implements BaseLedger {
  @Override
  public SignedLedgerTransaction sign(LedgerTransaction transaction, Signer signer) {
    return CanonicalSigning.sign(transaction, signer);
  }

  @Override
  public CompletionStage<List<SubmitOutcome>> submit(List<SignedLedgerTransaction> transactions) {
    return new CompletableFuture<>();
  }

  @Override
  public CompletionStage<Long> nonce(LedgerAddress signer) {
    return new CompletableFuture<>();
  }

  @Override
  public CompletionStage<Long> pendingNonce(LedgerAddress signer) {
    return new CompletableFuture<>();
  }

  @Override
  public CompletionStage<Boolean> knows(TransactionHash hash) {
    return new CompletableFuture<>();
  }

  @Override
  public CompletionStage<BlockHeight> head() {
    return new CompletableFuture<>();
  }

  @Override
  public CompletionStage<List<Block>> blocks(BlockHeight from, int limit) {
    return new CompletableFuture<>();
  }

  @Override
  public CompletionStage<Optional<LedgerReceipt>> receipt(TransactionHash hash) {
    return new CompletableFuture<>();
  }

  @Override
  public CompletionStage<Optional<LedgerTransaction>> transaction(TransactionHash hash) {
    return new CompletableFuture<>();
  }

  @Override
  public void close() {}
}
