package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.json.Choice;
import dev.sequitur.json.Field;
import dev.sequitur.json.Format;
import dev.sequitur.json.Formats;
import dev.sequitur.json.Sent;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.method.RpcMethod.Begins;
import dev.sequitur.protocol.guard.Named;
import dev.sequitur.protocol.guard.Principal;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.IntentRules;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.transaction.SubmitMode;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** {@code ptx_send…} and {@code ptx_prepare…}. */
final class SendMethods {
  private static final String REPEAT =
      " An `idempotencyKey` is its caller's own, or `from`'s where nobody is asked who calls, and this"
          + " node's: under the same key another caller, or another node of the group, makes another"
          + " transaction. A repeated `idempotencyKey` is answered with the original id; with another body it is error"
          + " -32001.";
  private static final String PUBLIC =
      " Private: to the domain of a privacy group; without `to` and `function` it calls the constructor"
          + " of `domain`, if that has one, with `data`, which makes a group, and its receipt has"
          + " `contractAddress` once the contract stands. Public: the call of a contract of the base ledger,"
          + " or what makes one, signed with the key of `from`; those of one `from` are carried out in"
          + " order. Its receipt says what it came to, ptx_getTransactionReceiptFull with its events."
          + " A public call of a privacy group's contract is taken as the private transaction that it"
          + " stands for, if the group's domain has such a function, as `noto` has `spendLock` and"
          + " `cancelLock`: whoever sends it needs the group.";
  private static final Sending SENT = Sending.of(EnumSet.allOf(TransactionKind.class));
  private static final Sending PREPARED = Sending.of(EnumSet.of(TransactionKind.PRIVATE));

  /** Parameters of transactions of some kinds. */
  private record Sending(
      Field<Choice<TransactionKind>> one,
      Format<List<Choice<TransactionKind>>> list,
      Field<JsonNode> many) {
    static Sending of(Set<TransactionKind> kinds) {
      var each =
          Choice.by(
              "type",
              kinds,
              kind ->
                  switch (kind) {
                    case PRIVATE -> NewGroupDraft.SENT;
                    case PUBLIC -> kind.fields();
                  });
      var list = each.list(Integer.MAX_VALUE);
      return new Sending(
          Field.of("transaction", each, "the transaction"),
          list,
          Field.of("transactions", list.unread(), "the transactions"));
    }
  }

  private final NodeContext context;
  private final IntentSubmission submission;

  SendMethods(NodeContext context) {
    this.context = context;
    this.submission = new IntentSubmission(context);
  }

  List<RpcMethod> methods() {
    return List.of(
        one(
            "ptx_sendTransaction",
            SubmitMode.AUTO,
            "Accepts a transaction, private or public." + PUBLIC + REPEAT),
        many(
            "ptx_sendTransactions",
            SubmitMode.AUTO,
            "Accepts several transactions, all or none." + REPEAT),
        one(
            "ptx_prepareTransaction",
            SubmitMode.EXTERNAL,
            "As ptx_sendTransaction, but the caller puts what is prepared on the base ledger:"
                + " ptx_getPreparedTransaction shows it. If it is not confirmed within"
                + " `sequencer.limits.external-lock`, the receipt says reverted, and others may spend"
                + " its states; if it is submitted and confirmed later all the same, a second receipt"
                + " says so. If a block takes what it needs before, the receipt says reverted at"
                + " once, and by which transaction."),
        many(
            "ptx_prepareTransactions",
            SubmitMode.EXTERNAL,
            "As ptx_sendTransactions, with external submission."),
        submitPrepared());
  }

  private RpcMethod submitPrepared() {
    return RpcMethod.submitting(
            "ptx_submitPrepared",
            List.of(TransactionMethods.ID, SUBMITTER),
            Formats.TRANSACTION_ID,
            "the id of the public transaction that carries it",
            "Puts what was prepared by ptx_prepareTransaction on the base ledger, as a public"
                + " transaction of this node. The base ledger takes it once, whoever submits it. Only"
                + " on a chain.",
            this::submitPrepared)
        .begins(Begins.Kind.TRANSACTIONS, call -> 1);
  }

  private CompletionStage<TransactionId> submitPrepared(Call call) {
    var contracts = context.node().ledger().contracts().orElseThrow(IntentRules::noContracts);
    var id = call.get(TransactionMethods.ID);
    return context
        .store()
        .receipt(id)
        .thenCompose(
            ended -> {
              if (ended.isPresent()) {
                throw nothingLeft(id);
              }
              return context.store().prepared(id);
            })
        .thenCombine(
            context.store().intent(id),
            (prepared, sent) -> {
              var shown = prepared.orElseThrow(() -> nothingPrepared(id));
              var from =
                  call.find(SUBMITTER)
                      .map(given -> given.at(context.node().name()))
                      .or(() -> sent.map(it -> it.transaction().from()))
                      .orElseThrow(() -> nothingPrepared(id));
              call.mustSee(List.of(new Named(Named.Kind.IDENTITIES, from.toString())));
              var data =
                  contracts
                      .fulfilling(shown.prepared())
                      .orElseThrow(() -> IntentRules.unknownGroup(shown.prepared().contract()));
              return submission.intent(
                  call.exchange().caller(), PublicDraft.fulfilling(newId(), from, shown, data));
            })
        .thenCompose(intent -> submission.submit(List.of(intent)))
        .thenApply(ids -> ids.get(0));
  }

  private TransactionId newId() {
    return new TransactionId(context.ids().get());
  }

  private static RpcFailure nothingPrepared(TransactionId id) {
    return new RpcFailure(
        ErrorCode.NOTHING_PREPARED,
        "Nothing is prepared of %s: send it by ptx_prepareTransaction, and wait until ptx_getPreparedTransaction shows it."
            .formatted(id));
  }

  /** Once more it would revert, and cost gas. */
  private static RpcFailure nothingLeft(TransactionId id) {
    return new RpcFailure(
        ErrorCode.NOTHING_PREPARED,
        "Nothing of %s is left to be sent: it has ended, as ptx_getTransactionReceipt says."
            .formatted(id));
  }

  private static final Field<GivenIdentity> SUBMITTER =
      Field.optional(
              "from",
              GivenIdentity.FORMAT,
              "the identity that pays for it; left out, the transaction's own")
          .mentions(Field.Mention.IDENTITY);

  private RpcMethod one(String name, SubmitMode mode, String doc) {
    var sending = sending(mode);
    return RpcMethod.submitting(
            name,
            List.of(sending.one()),
            Formats.TRANSACTION_ID,
            "the transaction's id, a UUID",
            doc,
            call ->
                submit(call, List.of(call.get(sending.one())), mode).thenApply(ids -> ids.get(0)))
        .begins(Begins.Kind.TRANSACTIONS, call -> 1);
  }

  private RpcMethod many(String name, SubmitMode mode, String doc) {
    var many = sending(mode).many();
    return RpcMethod.submitting(
            name,
            List.of(many),
            Formats.TRANSACTION_ID.list(),
            "an array of ids, in order",
            doc,
            call -> submit(call, sent(call, mode), mode))
        .begins(Begins.Kind.TRANSACTIONS, call -> call.get(many).size());
  }

  private static Sending sending(SubmitMode mode) {
    return switch (mode) {
      case AUTO -> SENT;
      case EXTERNAL -> PREPARED;
    };
  }

  private List<Choice<TransactionKind>> sent(Call call, SubmitMode mode) {
    var sending = sending(mode);
    var sent = call.get(sending.many());
    int most = context.settings().limits().transactions();
    if (sent.isArray() && (sent.isEmpty() || sent.size() > most)) {
      throw new RpcFailure(
          ErrorCode.TOO_MANY_TRANSACTIONS,
          "One call sends 1 to %d transactions, not %d. Split the call."
              .formatted(most, sent.size()));
    }
    return sending.list().read(call.path(sending.many()), sent);
  }

  private CompletionStage<List<TransactionId>> submit(
      Call call, List<Choice<TransactionKind>> sent, SubmitMode mode) {
    var publics =
        sent.stream()
            .filter(choice -> choice.kind() == TransactionKind.PUBLIC)
            .map(Choice::sent)
            .toList();
    return AbiReferences.in(context.store(), call.exchange().caller(), publics)
        .thenCompose(
            abis ->
                context.with(
                    publics.stream().flatMap(each -> PublicDraft.called(each).stream()),
                    () -> sent.stream().map(each -> intent(call, each, mode, abis)).toList()))
        .thenCompose(submission::submit);
  }

  private Intent intent(
      Call call, Choice<TransactionKind> choice, SubmitMode mode, AbiReferences abis) {
    var node = context.node().name();
    var caller = call.exchange().caller();
    return switch (choice.kind()) {
      case PRIVATE -> privateIntent(call, choice.sent(), mode);
      case PUBLIC ->
          ofADomain(call, choice.sent())
              .map(inGroup -> ofAGroup(caller, choice.sent().path(), inGroup, mode))
              .orElseGet(
                  () ->
                      submission.intent(
                          caller,
                          PublicDraft.of(
                              choice.sent(), node, new TransactionId(context.ids().get()), abis)));
    };
  }

  /** What a public call says in private, if it does; whoever sends that needs its group. */
  private Optional<JsonNode> ofADomain(Call call, Sent sent) {
    var contract = PublicDraft.called(sent);
    var inGroup =
        contract
            .flatMap(to -> context.node().group(to))
            .flatMap(group -> Optional.ofNullable(context.node().domains().get(group.domain())))
            .flatMap(domain -> PublicDraft.inPrivate(sent, domain));
    inGroup.ifPresent(
        any -> call.mustSee(List.of(new Named(Named.Kind.GROUPS, contract.orElseThrow().value()))));
    return inGroup;
  }

  private Intent privateIntent(Call call, Sent sent, SubmitMode mode) {
    return NewGroupDraft.isMeant(sent)
        ? newGroup(call, sent, mode)
        : ofAGroup(call.exchange().caller(), sent.path(), sent.object(), mode);
  }

  private Intent ofAGroup(Principal caller, String path, JsonNode sent, SubmitMode mode) {
    return submission.intent(
        caller,
        IntentDraft.ofTransaction(
            IntentDraft.TRANSACTION.read(path, sent), context.node().name(), mode));
  }

  /** Whoever makes a group needs for it what pgroup_createGroup needs. */
  private Intent newGroup(Call call, Sent sent, SubmitMode mode) {
    return switch (mode) {
      case AUTO -> {
        var draft = NewGroupDraft.of(sent, context, new TransactionId(context.ids().get()));
        call.mustMake(draft.transaction().request().members());
        yield submission.intent(call.exchange().caller(), draft);
      }
      case EXTERNAL ->
          throw new RpcFailure(
              ErrorCode.UNSUPPORTED,
              sent.path()
                  + " makes a group, whose contract the node puts on the base ledger itself. Send it"
                  + " by ptx_sendTransaction.");
    };
  }
}
