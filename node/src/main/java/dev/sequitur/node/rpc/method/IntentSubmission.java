package dev.sequitur.node.rpc.method;

import dev.sequitur.node.rpc.json.JsonText;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.IntentRules;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.PrivateTransactions.RefusedIntent;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Turns drafts into intents and hands them to the node, which checks them, all or nothing. */
record IntentSubmission(NodeContext context) {
  /**
   * @return ids in order; fails with {@link RefusedIntent}
   */
  CompletionStage<List<TransactionId>> submit(List<IntentDraft> drafts) {
    return context.node().submit(drafts.stream().map(this::intent).toList());
  }

  /** As {@link #submit}, of intents. */
  CompletionStage<List<TransactionId>> submitIntents(List<Intent> intents) {
    return context.node().submit(intents);
  }

  Intent intent(PublicDraft draft) {
    return new Intent(
        0,
        context.clock().instant(),
        draft.idempotencyKey(),
        draft.bodyHash(),
        draft.transaction());
  }

  Intent intent(NewGroupDraft draft) {
    return new Intent(
        0,
        context.clock().instant(),
        draft.idempotencyKey(),
        draft.bodyHash(),
        draft.transaction());
  }

  Intent intent(IntentDraft draft) {
    var group =
        context.node().group(draft.to()).orElseThrow(() -> IntentRules.unknownGroup(draft.to()));
    var fresh = context.node().fresh(draft.to(), draft.from());
    var transaction =
        new PrivateTransaction(
            fresh.id(),
            draft.to(),
            draft.domain().orElse(group.domain()),
            draft.function(),
            draft.from(),
            Bytes.of(JsonText.write(draft.data())),
            draft.submitMode(),
            draft.dependsOn(),
            fresh.salt(),
            draft.maxAttempts(),
            draft.deadline());
    return new Intent(
        0,
        context.clock().instant(),
        draft.idempotencyKey(),
        draft.bodyHash(group.domain()),
        transaction);
  }
}
