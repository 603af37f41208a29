package dev.sequitur.ethereum;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.sequitur.ethereum.ChainRpc.Answer;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.port.LedgerUnreachableException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What a node's pool made of a transaction that it was sent. Where its words do not say, it is
 * asked whether it knows the very transaction. Thread-safe; blocks nobody.
 */
final class ChainPool {
  /** Whoever is refused tries again within it. */
  private static final Duration REMARKED = Duration.ofMinutes(5);

  /** Most blocks come within it. */
  private static final Duration AWAITED = Duration.ofMinutes(1);

  private final ChainRpc rpc;
  private final LongSupplier nanos;
  private volatile Optional<Unclear> unclear = Optional.empty();
  private volatile OptionalLong used = OptionalLong.empty();

  /** The last refusal in words that are none that are known. */
  private record Unclear(String sentence, long at) {}

  /**
   * @param nanos like {@link System#nanoTime}
   */
  ChainPool(ChainRpc rpc, LongSupplier nanos) {
    this.rpc = rpc;
    this.nanos = nanos;
  }

  /** What an operator should know, if it is of the last minutes. */
  Optional<String> remark() {
    return unclear
        .filter(refusal -> nanos.getAsLong() - refusal.at() < REMARKED.toNanos())
        .map(Unclear::sentence);
  }

  /**
   * Fails with the node's words if they are none that are known.
   *
   * @param answer to eth_sendRawTransaction
   * @param next asks for the signer's first nonce that is in no block
   */
  CompletionStage<SubmitOutcome> outcome(
      TransactionHash hash, Fees offered, Answer answer, Supplier<CompletionStage<Long>> next) {
    used = OptionalLong.of(nanos.getAsLong());
    return switch (answer) {
      case Answer.Result ignored -> completedFuture(new SubmitOutcome.Pooled(hash));
      case Answer.Refusal(var code, var words, var data) ->
          PoolAnswers.outcome(hash, offered, words)
              .map(this::certain)
              .orElseGet(() -> unclear(hash, code, words, next));
    };
  }

  /** Whether anything was sent in the last minute. */
  boolean isUsed() {
    var last = used;
    return last.isPresent() && nanos.getAsLong() - last.getAsLong() < AWAITED.toNanos();
  }

  /** Some nodes call the very same a replacement, and find that it pays too little for that. */
  private CompletionStage<SubmitOutcome> certain(SubmitOutcome outcome) {
    return outcome instanceof SubmitOutcome.Underpriced
        ? knows(outcome.hash())
            .thenApply(known -> known ? new SubmitOutcome.Pooled(outcome.hash()) : outcome)
        : completedFuture(outcome);
  }

  /**
   * The very same may be in a block, not final perhaps, and the node says that its nonce is used.
   */
  private CompletionStage<SubmitOutcome> unclear(
      TransactionHash hash, int code, String words, Supplier<CompletionStage<Long>> next) {
    return knows(hash)
        .thenCompose(
            known -> {
              if (known) {
                return completedFuture(new SubmitOutcome.Pooled(hash));
              } else if (PoolAnswers.isNonceUsed(words)) {
                return next.get().thenApply(nonce -> new SubmitOutcome.NonceTooLow(hash, nonce));
              }
              var sentence =
                  "The chain's node refuses a transaction for a reason that is not known here:"
                      + " %s (%d). It is tried again.".formatted(words, code);
              unclear = Optional.of(new Unclear(sentence, nanos.getAsLong()));
              return CompletableFuture.failedFuture(new LedgerUnreachableException(sentence));
            });
  }

  /** Whether a transaction is in the node's pool or in a block. */
  CompletionStage<Boolean> knows(TransactionHash hash) {
    return rpc.ask("eth_getTransactionByHash", hash.toString()).thenApply(found -> !found.isNull());
  }
}
