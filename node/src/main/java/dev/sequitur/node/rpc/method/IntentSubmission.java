package dev.sequitur.node.rpc.method;

import dev.sequitur.json.JsonText;
import dev.sequitur.protocol.guard.Principal;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.IdempotencyKey;
import dev.sequitur.protocol.port.IntentRules;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.PrivateTransactions.RefusedIntent;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Transaction;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Turns drafts into intents and hands them to the node, which checks them, all or nothing. */
record IntentSubmission(NodeContext context) {
  /**
   * @return ids in order; fails with {@link RefusedIntent}
   */
  CompletionStage<List<TransactionId>> submit(List<Intent> intents) {
    return context.node().submit(intents);
  }

  Intent intent(Principal caller, PublicDraft draft) {
    return intent(caller, draft.idempotencyKey(), draft.bodyHash(), draft.transaction());
  }

  Intent intent(Principal caller, NewGroupDraft draft) {
    return intent(caller, draft.idempotencyKey(), draft.bodyHash(), draft.transaction());
  }

  Intent intent(Principal caller, IntentDraft draft) {
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
    return intent(caller, draft.idempotencyKey(), draft.bodyHash(group.domain()), transaction);
  }

  private Intent intent(
      Principal caller, Optional<String> key, Hash bodyHash, Transaction transaction) {
    var owner = IdempotencyKey.Owner.of(caller, transaction.from());
    return new Intent(
        0,
        context.clock().instant(),
        key.map(sent -> new IdempotencyKey(owner, sent)),
        bodyHash,
        transaction);
  }
}
