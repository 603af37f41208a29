package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.json.Field;
import dev.sequitur.node.rpc.json.Format;
import dev.sequitur.node.rpc.json.Formats;
import dev.sequitur.node.rpc.json.Sent;
import dev.sequitur.protocol.transaction.SubmitMode;
import java.util.List;

/** {@code ptx_send…} and {@code ptx_prepare…}. */
final class SendMethods {
  private static final String REPEAT =
      " An `idempotencyKey` is this node's own: under the same key another node of the group makes"
          + " another transaction. A repeated `idempotencyKey` is answered with the original id; with another body it is error"
          + " -32001.";
  private static final Field<Sent> ONE =
      Field.of("transaction", IntentDraft.TRANSACTION, "the transaction");
  private static final Format<List<Sent>> LIST = IntentDraft.TRANSACTION.list(Integer.MAX_VALUE);
  private static final Field<JsonNode> MANY =
      Field.of("transactions", LIST.unread(), "the transactions");

  private final NodeContext context;
  private final IntentSubmission submission;

  SendMethods(NodeContext context) {
    this.context = context;
    this.submission = new IntentSubmission(context);
  }

  List<RpcMethod> methods() {
    return List.of(
        one("ptx_sendTransaction", SubmitMode.AUTO, "Accepts a private transaction." + REPEAT),
        many(
            "ptx_sendTransactions",
            SubmitMode.AUTO,
            "Accepts several private transactions, all or none." + REPEAT),
        one(
            "ptx_prepareTransaction",
            SubmitMode.EXTERNAL,
            "As ptx_sendTransaction, but the caller puts what is prepared on the base ledger:"
                + " ptx_getPreparedTransaction shows it. If it is not confirmed within"
                + " `sequencer.limits.external-lock`, the receipt says reverted, and others may spend"
                + " its states; if it is submitted and confirmed later all the same, a second receipt"
                + " says so."),
        many(
            "ptx_prepareTransactions",
            SubmitMode.EXTERNAL,
            "As ptx_sendTransactions, with external submission."));
  }

  private RpcMethod one(String name, SubmitMode mode, String doc) {
    return RpcMethod.of(
        name,
        List.of(ONE),
        Formats.TRANSACTION_ID,
        "the transaction's id, a UUID",
        doc,
        call ->
            submission.submit(List.of(draft(call.get(ONE), mode))).thenApply(ids -> ids.get(0)));
  }

  private RpcMethod many(String name, SubmitMode mode, String doc) {
    return RpcMethod.of(
        name,
        List.of(MANY),
        Formats.TRANSACTION_ID.list(),
        "an array of ids, in order",
        doc,
        call -> submission.submit(drafts(call, mode)));
  }

  private List<IntentDraft> drafts(Call call, SubmitMode mode) {
    var sent = call.get(MANY);
    int most = context.settings().limits().transactions();
    if (sent.isArray() && (sent.isEmpty() || sent.size() > most)) {
      throw new RpcFailure(
          ErrorCode.TOO_MANY_TRANSACTIONS,
          "One call sends 1 to %d transactions, not %d. Split the call."
              .formatted(most, sent.size()));
    }
    return LIST.read(call.path(MANY), sent).stream().map(each -> draft(each, mode)).toList();
  }

  private IntentDraft draft(Sent sent, SubmitMode mode) {
    return IntentDraft.of(sent, context.node().name(), mode);
  }
}
