package dev.sequitur.node.rpc.method;

import dev.sequitur.crypto.IntentSalt;
import dev.sequitur.json.JsonText;
import dev.sequitur.json.Sent;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.port.IntentRules;
import dev.sequitur.protocol.port.PrivateTransactions.RefusedIntent;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.SubmitMode;
import dev.sequitur.schedule.Target;
import java.util.List;

/** Checks a private transaction as early as it is written, whether it is sent now or scheduled. */
public final class PrivateCalls {
  private static final Domain.States NOTHING = (schema, lookup) -> List.of();

  private final NodeContext context;

  public PrivateCalls(NodeContext context) {
    this.context = context;
  }

  /**
   * Takes the object of {@code ptx_sendTransaction} as what a schedule is to run. What the domain
   * would refuse whatever happens until then, such as an unknown function, is refused now; a
   * balance may be there by then.
   *
   * @throws RpcFailure with a sentence that says what to do
   * @throws RefusedIntent if the domain refuses it for good
   */
  public Target.PrivateCall read(Sent sent) {
    var draft = IntentDraft.of(sent, context.node().name(), SubmitMode.AUTO);
    if (draft.maxAttempts().isPresent()) {
      throw new RpcFailure(
          ErrorCode.UNSUPPORTED,
          sent.path()
              + " is a scheduled transaction, whose tries the schedule counts. Leave maxAttempts out,"
              + " and send retry beside the transaction.");
    }
    if (draft.deadline().isPresent()) {
      throw new RpcFailure(
          ErrorCode.UNSUPPORTED,
          sent.path()
              + " is a scheduled transaction, which has no deadline of its own: leave deadline out.");
    }
    if (draft.idempotencyKey().isPresent() || !draft.dependsOn().isEmpty()) {
      throw new RpcFailure(
          ErrorCode.UNSUPPORTED,
          sent.path()
              + " is a scheduled transaction, which has the schedule's own idempotency key and"
              + " depends on nothing. Leave idempotencyKey and dependsOn out.");
    }
    var group = group(draft);
    var inputs = Bytes.of(JsonText.write(draft.data()));
    refuseInvalid(draft, group, inputs);
    return new Target.PrivateCall(
        draft.to(), group.domain(), draft.function(), draft.from(), inputs);
  }

  /** As {@link #read}, of a public transaction: its contract says nothing before it runs. */
  public Target.PublicCall readPublic(Sent sent) {
    var id = new TransactionId(context.ids().get());
    var draft = PublicDraft.ofScheduled(sent, context.node().name(), id);
    if (draft.idempotencyKey().isPresent()) {
      throw new RpcFailure(
          ErrorCode.UNSUPPORTED,
          sent.path()
              + " is a scheduled transaction, which has the schedule's own idempotency key. Leave"
              + " idempotencyKey out.");
    }
    var call = draft.transaction();
    return new Target.PublicCall(
        call.from(), call.to(), call.data(), call.value(), call.gas(), call.source());
  }

  private void refuseInvalid(IntentDraft draft, PrivacyGroup group, Bytes inputs) {
    var domain = context.node().domains().get(group.domain());
    if (domain == null) {
      return;
    }
    var transaction =
        new PrivateTransaction(
            new TransactionId(context.ids().get()),
            draft.to(),
            group.domain(),
            draft.function(),
            draft.from(),
            inputs,
            SubmitMode.AUTO,
            List.of(),
            IntentSalt.random());
    domain
        .validate(group, transaction, NOTHING)
        .filter(objection -> !objection.mayPass())
        .ifPresent(
            objection -> {
              throw new RefusedIntent(ErrorCode.NODE_INTENT_INVALID.code(), objection.reason());
            });
  }

  /** The group of a draft, if its sender is a member of it whose key is here. */
  private PrivacyGroup group(IntentDraft draft) {
    var node = context.node();
    var group = node.group(draft.to()).orElseThrow(() -> IntentRules.unknownGroup(draft.to()));
    IntentRules.check(group, draft.domain().orElse(group.domain()), draft.from(), node.name());
    return group;
  }
}
