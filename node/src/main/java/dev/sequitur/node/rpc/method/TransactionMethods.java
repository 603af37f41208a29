package dev.sequitur.node.rpc.method;

import dev.sequitur.json.Field;
import dev.sequitur.json.Formats;
import dev.sequitur.json.Shape;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.method.TransactionShapes.Dependencies;
import dev.sequitur.node.rpc.method.TransactionShapes.Full;
import dev.sequitur.node.rpc.method.TransactionShapes.PreparedView;
import dev.sequitur.node.rpc.method.TransactionShapes.ReceiptFull;
import dev.sequitur.node.rpc.method.TransactionShapes.StateReceipt;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.protocol.transaction.Receipt.OnLedger;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** {@code ptx_get…} and {@code ptx_resolveVerifier}: one transaction at a time. */
final class TransactionMethods {
  static final Field<TransactionId> ID =
      Field.of("id", Formats.TRANSACTION_ID, "the transaction's id")
          .mentions(Field.Mention.TRANSACTION);
  private static final Field<Hash> LEDGER_HASH =
      Field.optional(
          "transactionHash",
          Formats.HASH,
          "of the base-ledger transaction that fulfilled it, for a node that has no receipt of it");
  private static final Field<String> DOMAIN =
      Field.of("domain", Formats.TEXT, "that of the transaction's group");
  private static final Field<String> KEY =
      Field.of("key", Formats.NAME, "the idempotency key as it was sent");
  private static final Field<GivenIdentity> KEY_OF =
      Field.optional(
              "from",
              GivenIdentity.FORMAT,
              "the identity that sent it, where nobody is asked who calls")
          .mentions(Field.Mention.IDENTITY);
  private static final Field<GivenIdentity> LOOKUP =
      Field.of("lookup", GivenIdentity.FORMAT, "the identity, name@node");

  private final NodeContext context;
  private final FullReceipts receipts;
  private final KeyLookup keys;
  private final ForgottenTransactions forgotten;

  TransactionMethods(NodeContext context) {
    this.context = context;
    this.receipts = new FullReceipts(context);
    this.keys = new KeyLookup(context);
    this.forgotten = new ForgottenTransactions(context.store());
  }

  List<RpcMethod> methods() {
    return List.of(
        byId(
            "ptx_getTransaction",
            "the transaction, or null",
            "A transaction as it was accepted.",
            TransactionShapes.TRANSACTION,
            context.store()::intent),
        byId(
            "ptx_getTransactionFull",
            "the transaction with its receipt and its state in the protocol, or null",
            "Adds to ptx_getTransaction `dependsOn`, `receipt` (null until final), `public`,"
                + " `history`, `sequencerActivity`, and, ours, `state`, `delegate`, `submitter`,"
                + " `attempts`, and until it is final `waitsFor`. What happened is kept with the"
                + " receipt: at most the last 128 events since the node's last start, and of before it the"
                + " reasons of the last 20 failed tries.",
            TransactionShapes.FULL,
            this::full),
        RpcMethod.reading(
            "ptx_getTransactionReceipt",
            List.of(ID),
            TransactionShapes.RECEIPT.orNull(),
            "the receipt, or null until the transaction is final",
            "How a transaction ended, of this node or of another member of a group. Of several members of a"
                + " group who have used one id, the first on the ledger. Cheap: made to be asked"
                + " ten times a second.",
            this::receipt),
        RpcMethod.reading(
            "ptx_getTransactionReceiptFull",
            List.of(ID),
            TransactionShapes.RECEIPT_FULL.orNull(),
            "the receipt with its states, or null until the transaction is final",
            "Adds `states` to ptx_getTransactionReceipt: spent, read, confirmed, info. A state whose"
                + " content this node does not hold is its id alone, and `incomplete` says that there is one."
                + " Of a private transaction it adds"
                + " `domainReceipt`, as ptx_getDomainReceipt answers, if there is one; of a public one"
                + " `events`, by the ABI that was sent.",
            this::receiptFull),
        byId(
            "ptx_getPreparedTransaction",
            "what the base ledger needs to fulfil the transaction, or null",
            "What was prepared for a transaction with external submission.",
            TransactionShapes.PREPARED,
            id -> prepared(context, id)),
        RpcMethod.reading(
            "ptx_getStateReceipt",
            List.of(ID),
            TransactionShapes.STATE_RECEIPT,
            "the states; with `none` if there is no receipt",
            "The states of a transaction by what it does to them, without its receipt.",
            call -> receiptFull(call).thenApply(StateReceipt::new)),
        RpcMethod.reading(
            "ptx_getDomainReceipt",
            List.of(DOMAIN, ID),
            Shape.ANY.orNull(),
            "as the domain writes it, or null",
            "What a transaction has done in the words of its domain: of `noto` who has paid whom, its states"
                + " and its lock. Null if it has not succeeded, if this node lacks the contents of a state,"
                + " or if the domain writes none, as `token` and `record` do.",
            call ->
                receiptFull(call)
                    .thenApply(
                        found ->
                            found
                                .filter(full -> full.isOf(call.get(DOMAIN)))
                                .flatMap(ReceiptFull::domainReceipt))),
        RpcMethod.reading(
            "ptx_getTransactionDependencies",
            List.of(ID),
            TransactionShapes.DEPENDENCIES.orNull(),
            "`{dependsOn, prereqOf}`, or null",
            "What a transaction waits for, and what waits for it.",
            call -> forgotten.orTell(call, call.get(ID), dependencies(call.get(ID)))),
        byId(
            "debug_getTransactionStatus",
            "`{latest_event, latest_error, status}`, or null",
            "Where a transaction stands, in short. ptx_getTransactionFull has all of it, and"
                + " `waitsFor` says what it waits for.",
            TransactionShapes.DEBUG_STATUS,
            this::full),
        endorsementProof(),
        byIdempotencyKey(),
        resolveVerifier());
  }

  private <T> RpcMethod byId(
      String name,
      String returns,
      String doc,
      Shape<T> shape,
      Function<TransactionId, CompletionStage<Optional<T>>> answer) {
    return RpcMethod.reading(
        name,
        List.of(ID),
        shape.orNull(),
        returns,
        doc,
        call -> forgotten.orTell(call, call.get(ID), answer.apply(call.get(ID))));
  }

  private CompletionStage<Optional<Dependencies>> dependencies(TransactionId id) {
    return context
        .store()
        .intent(id)
        .thenCompose(
            found -> {
              var own = found.flatMap(Intent::privately);
              return own.isPresent()
                  ? context
                      .store()
                      .dependants(
                          own.get().contract(), id, context.settings().limits().queryResults())
                      .thenApply(
                          dependants ->
                              Optional.of(new Dependencies(own.get().dependsOn(), dependants)))
                  : CompletableFuture.completedFuture(
                      found.map(any -> new Dependencies(List.of(), List.of())));
            });
  }

  private RpcMethod endorsementProof() {
    return RpcMethod.reading(
        "ptx_getEndorsementProof",
        List.of(ID, LEDGER_HASH),
        EndorsementProofs.SHAPE.orNull(),
        "the proof, or null if this node knows of none",
        "Shows whoever does not trust this node that the group has endorsed a transaction: what was"
            + " signed, by whom, and the path to it in the tree of its batch. Read from the base"
            + " ledger; of one with external submission that is not there yet, from what is"
            + " prepared. `sequitur verify-proof` checks it without a node.",
        this::proof);
  }

  private CompletionStage<Optional<EndorsementProofs.Shown>> proof(Call call) {
    return context.store().intent(call.get(ID)).thenCompose(own -> proof(call, own));
  }

  /** Under an own intent's id, it is that intent's. */
  private CompletionStage<Optional<EndorsementProofs.Shown>> proof(
      Call call, Optional<Intent> own) {
    var id = call.get(ID);
    var given = call.find(LEDGER_HASH);
    if (given.isPresent()) {
      return proofs()
          .find(
              new TransactionHash(given.get()),
              fulfilled ->
                  fulfilled.transaction().equals(id)
                      && isOf(own, fulfilled)
                      && call.sees(fulfilled.contract()));
    }
    return receipt(call)
        .thenCompose(
            found -> {
              var receipt = found.map(NumberedReceipt::receipt);
              var hash = receipt.flatMap(Receipt::onLedger).map(OnLedger::hash);
              return hash.isPresent()
                  ? proofs()
                      .find(
                          hash.get(),
                          fulfilled ->
                              fulfilled.transaction().equals(id)
                                  && isOf(own, fulfilled)
                                  && fulfilled.contract().equals(receipt.get().contract()))
                  : proofPrepared(id);
            });
  }

  private static boolean isOf(Optional<Intent> own, LedgerReceipt.Fulfilled fulfilled) {
    return own.flatMap(Intent::privately)
        .map(
            it -> it.key().equals(fulfilled.intent()) && it.contract().equals(fulfilled.contract()))
        .orElse(true);
  }

  private CompletionStage<Optional<EndorsementProofs.Shown>> proofPrepared(TransactionId id) {
    return context
        .store()
        .prepared(id)
        .thenCompose(
            found ->
                found.isPresent()
                    ? proofs().shown(found.get().prepared(), Optional.empty())
                    : CompletableFuture.completedFuture(Optional.empty()));
  }

  private ProofsOnLedger proofs() {
    return new ProofsOnLedger(context.node().ledger(), context.node()::load);
  }

  private RpcMethod byIdempotencyKey() {
    return RpcMethod.reading(
        "ptx_getTransactionByIdempotencyKey",
        List.of(KEY, KEY_OF),
        TransactionShapes.TRANSACTION.orNull(),
        "the transaction, or null",
        "The transaction that the caller has sent under an idempotency key. Others' keys are"
            + " their own; where nobody is asked who calls, these are each identity's.",
        call -> keys.find(call, call.get(KEY), call.find(KEY_OF)));
  }

  private RpcMethod resolveVerifier() {
    return RpcMethod.reading(
        "ptx_resolveVerifier",
        List.of(LOOKUP, VerifierTypes.ALGORITHM, VerifierTypes.TYPE),
        Formats.TEXT,
        "the verifier, a string",
        "What checks an identity's signatures; asks the identity's node if it is another.",
        this::resolve);
  }

  private CompletionStage<String> resolve(Call call) {
    var type = VerifierTypes.of(call);
    var node = context.node();
    var identity = call.get(LOOKUP).at(node.name());
    if (!identity.node().equals(node.name()) && !node.peers().contains(identity.node())) {
      throw new RpcFailure(
          ErrorCode.UNKNOWN_NODE,
          "The identity names the node %s, which this one cannot reach. transport_peers lists those it can."
              .formatted(identity.node()));
    }
    return node.resolveVerifier(identity).thenApply(type::render);
  }

  private CompletionStage<Optional<Full>> full(TransactionId id) {
    return context
        .store()
        .intent(id)
        .thenCompose(
            found ->
                Answers.ifThere(
                    found, intent -> full(context, intent, new PublicsUnderway(context.node()))));
  }

  /** The full view of an intent. */
  static CompletionStage<Full> full(NodeContext context, Intent intent, PublicsUnderway publics) {
    var id = intent.transaction().id();
    if (intent.publicly().isPresent()) {
      return publicFull(context, intent, intent.publicly().get(), publics);
    }
    // The status first: what ends in between then still has its receipt.
    return context
        .node()
        .transactionStatus(id)
        .thenCompose(
            status ->
                context
                    .store()
                    .receipt(id)
                    .thenApply(receipt -> new Full(intent, receipt, status, Optional.empty())));
  }

  /** What ends while its submitter is asked has its receipt afterwards. */
  private static CompletionStage<Full> publicFull(
      NodeContext context, Intent intent, PublicTransaction transaction, PublicsUnderway publics) {
    var store = context.store();
    return store
        .receipt(transaction.id())
        .thenCompose(
            found ->
                found.isPresent()
                    ? CompletableFuture.completedFuture(
                        new Full(intent, found, Optional.empty(), Optional.empty()))
                    : publics
                        .of(transaction)
                        .thenCompose(
                            now ->
                                store
                                    .receipt(transaction.id())
                                    .thenApply(
                                        late -> new Full(intent, late, Optional.empty(), now))));
  }

  private CompletionStage<Optional<NumberedReceipt>> receipt(Call call) {
    var id = call.get(ID);
    return forgotten.orTell(call, id, SeenReceipts.find(context.store(), call, id));
  }

  private CompletionStage<Optional<ReceiptFull>> receiptFull(Call call) {
    return receipt(call).thenCompose(found -> Answers.ifThere(found, receipts::of));
  }

  /** What is prepared of a transaction, if anything is. */
  static CompletionStage<Optional<PreparedView>> prepared(NodeContext context, TransactionId id) {
    return context
        .store()
        .prepared(id)
        .thenCompose(
            found ->
                context.with(
                    found.stream().map(it -> it.prepared().contract()),
                    () -> view(context, found)));
  }

  private static Optional<PreparedView> view(
      NodeContext context, Optional<NodeStore.Prepared> found) {
    return found.map(
        prepared ->
            new PreparedView(
                context
                    .node()
                    .group(prepared.prepared().contract())
                    .map(PrivacyGroup::domain)
                    .orElse(""),
                prepared,
                context
                    .node()
                    .ledger()
                    .contracts()
                    .flatMap(it -> it.fulfilling(prepared.prepared()))));
  }
}
