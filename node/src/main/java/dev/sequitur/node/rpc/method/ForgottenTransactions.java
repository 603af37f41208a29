package dev.sequitur.node.rpc.method;

import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.IntentStore;
import dev.sequitur.protocol.room.Room.Forgotten;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Tells whoever asks for a transaction that is forgotten so, and not that there is none. Nobody is
 * told of one that it could not have seen.
 */
record ForgottenTransactions(IntentStore store) {
  /**
   * What was found, if anything was.
   *
   * @return fails with {@link RpcFailure} if nothing was, since it is forgotten
   */
  <T> CompletionStage<Optional<T>> orTell(
      Call call, TransactionId id, CompletionStage<Optional<T>> found) {
    return found.thenCompose(
        one ->
            one.isPresent()
                ? CompletableFuture.completedFuture(one)
                : store
                    .forgotten(id)
                    .thenApply(
                        left -> {
                          left.filter(it -> call.sees(it.contract()))
                              .ifPresent(ForgottenTransactions::tell);
                          return Optional.empty();
                        }));
  }

  private static void tell(Forgotten left) {
    throw new RpcFailure(
        ErrorCode.FORGOTTEN,
        "Transaction %s ended at %s, and this node has forgotten it since (room.keep of its configuration): it %s. What it did is on the base ledger."
            .formatted(
                left.transaction(), left.ended(), left.success() ? "succeeded" : "reverted"));
  }
}
