package dev.sequitur.node.rpc.method;

import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.json.JsonText;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.PrivateTransactions.RefusedIntent;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.sequencer.crypto.IntentSalt;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * Turns drafts into intents and hands them to the node, all or nothing. What can be told here with
 * a better sentence is checked here; the node checks all of it again.
 */
final class IntentSubmission {
  private final NodeContext context;

  IntentSubmission(NodeContext context) {
    this.context = context;
  }

  /**
   * @return ids in order; fails with {@link RpcFailure} or {@link RefusedIntent}
   */
  CompletionStage<List<TransactionId>> submit(List<IntentDraft> drafts) {
    var intents = new ArrayList<Intent>(drafts.size());
    drafts.forEach(draft -> intents.add(intent(draft)));
    return checkDependencies(drafts)
        .thenCompose(checked -> context.node().submit(intents))
        .handle(
            (ids, failure) ->
                failure == null
                    ? CompletableFuture.completedFuture(ids)
                    : explain(intents, failure)
                        .<List<TransactionId>>thenCompose(CompletableFuture::failedFuture))
        .thenCompose(stage -> stage);
  }

  private Intent intent(IntentDraft draft) {
    var group = new PrivateCalls(context).group(draft);
    var transaction =
        new PrivateTransaction(
            new TransactionId(context.ids().get()),
            draft.to(),
            group.domain(),
            draft.function(),
            draft.from(),
            Bytes.of(JsonText.write(draft.data())),
            draft.submitMode(),
            draft.dependsOn(),
            IntentSalt.random(),
            draft.maxAttempts());
    return new Intent(
        0,
        context.clock().instant(),
        draft.idempotencyKey(),
        draft.bodyHash(group.domain()),
        transaction);
  }

  private CompletionStage<Void> checkDependencies(List<IntentDraft> drafts) {
    Set<TransactionId> named = new LinkedHashSet<>();
    drafts.forEach(draft -> named.addAll(draft.dependsOn()));
    CompletionStage<Void> all = CompletableFuture.completedFuture(null);
    for (var id : named) {
      all = all.thenCombine(context.node().store().intent(id), (done, intent) -> known(id, intent));
    }
    return all;
  }

  private static Void known(TransactionId id, Optional<Intent> intent) {
    if (intent.isEmpty()) {
      throw new RpcFailure(
          ErrorCode.UNKNOWN_DEPENDENCY,
          "dependsOn names %s, which is no transaction of this node. Send the other transaction here first, or leave it out."
              .formatted(id));
    }
    return null;
  }

  /**
   * A refusal over an idempotency key becomes the error that callers know, with the original id.
   */
  private CompletionStage<Throwable> explain(List<Intent> intents, Throwable failure) {
    var cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (!(cause instanceof RefusedIntent)) {
      return CompletableFuture.completedFuture(cause);
    }
    CompletionStage<Throwable> found = CompletableFuture.completedFuture(cause);
    for (var intent : intents) {
      if (intent.idempotencyKey().isPresent()) {
        found = found.thenCombine(conflict(intent), (known, conflict) -> conflict.orElse(known));
      }
    }
    return found;
  }

  private CompletionStage<Optional<Throwable>> conflict(Intent intent) {
    var key = intent.idempotencyKey().orElseThrow();
    var store = context.node().store();
    return store
        .intentByIdempotencyKey(key)
        .thenCompose(
            original ->
                original.isEmpty()
                    ? CompletableFuture.completedFuture(Optional.<Intent>empty())
                    : store.intent(original.get()))
        .thenApply(
            original ->
                original
                    .filter(other -> !other.bodyHash().equals(intent.bodyHash()))
                    .map(other -> conflict(key, other.transaction().id())));
  }

  private static Throwable conflict(String key, TransactionId original) {
    return new RpcFailure(
        ErrorCode.IDEMPOTENCY_CONFLICT,
        "The idempotency key '%s' was used for transaction %s, whose body is another. Ask for that transaction, or send this one under a new key."
            .formatted(key, original));
  }
}
