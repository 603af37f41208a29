package dev.sequitur.node.rpc.method;

import dev.sequitur.json.Field;
import dev.sequitur.json.Formats;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Sent;
import dev.sequitur.json.Shape;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.query.FieldKind;
import dev.sequitur.node.rpc.query.QueryField;
import dev.sequitur.node.rpc.query.QueryReader;
import dev.sequitur.protocol.guard.Named;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import dev.sequitur.protocol.submitter.Submitter.ChangeRefusal;
import dev.sequitur.protocol.submitter.SubmitterState;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** {@code ptx_…PublicTransaction…}: public transactions as the base ledger knows them. */
record PublicTransactionMethods(NodeContext context) {
  private static final String HEX_NUMBER_TYPE = "0x and hexadecimal digits";
  private static final Shape<BigInteger> HEX_NUMBER =
      Shape.words(HEX_NUMBER_TYPE, "0x7").of(number -> "0x" + number.toString(16));

  /**
   * A public transaction of this node.
   *
   * @param signer whose key signs it
   * @param underway empty before its submitter has taken it, and after its end
   */
  private record Row(
      Intent intent,
      PublicTransaction transaction,
      LedgerAddress signer,
      Optional<NumberedReceipt> receipt,
      Optional<SubmitterState.Underway> underway) {
    private long bytes() {
      return RowBytes.of(intent) + receipt.map(RowBytes::of).orElse(0L);
    }

    private Optional<Receipt> end() {
      return receipt.map(NumberedReceipt::receipt);
    }

    private Optional<Receipt.Called> called() {
      return end().flatMap(Receipt::called);
    }

    private LedgerAddress from() {
      return called().flatMap(Receipt.Called::nonce).map(Receipt.Nonce::signer).orElse(signer);
    }

    private Optional<Long> nonce() {
      return called()
          .flatMap(Receipt.Called::nonce)
          .map(Receipt.Nonce::number)
          .or(() -> underway.flatMap(SubmitterState.Underway::nonce));
    }

    private Optional<TransactionHash> hash() {
      return end().flatMap(Receipt::onLedger).map(Receipt.OnLedger::hash);
    }

    private Optional<ContractAddress> created() {
      return called().flatMap(Receipt.Called::created);
    }
  }

  private static final ObjectShape<SubmitterState.Submitted> SUBMISSION =
      ObjectShape.<SubmitterState.Submitted>named("PublicTxSubmissionData")
          .with("time", Formats.TIME, SubmitterState.Submitted::at)
          .with("transactionHash", Formats.HASH, sent -> sent.hash().value())
          .with("maxFeePerGas", HEX_NUMBER, sent -> BigInteger.valueOf(sent.fees().max()))
          .with(
              "maxPriorityFeePerGas",
              HEX_NUMBER,
              sent -> BigInteger.valueOf(sent.fees().priority()));

  private static final ObjectShape<Row> PUBLIC_TX =
      ObjectShape.<Row>named("PublicTx")
          .with("localId", Shape.NUMBER, row -> row.intent().order(), "in order of acceptance")
          .with("transaction", Formats.TRANSACTION_ID, row -> row.transaction().id())
          .constant("transactionType", TransactionKind.PUBLIC.word())
          .with("sender", Formats.IDENTITY, row -> row.transaction().from(), "whose key signs it")
          .with("from", Formats.TEXT, row -> row.from().value(), "the address of that key")
          .with(
              "nonce",
              HEX_NUMBER.orNull(),
              row -> row.nonce().map(BigInteger::valueOf),
              "null before it has one")
          .maybe(
              "to", Formats.ADDRESS, row -> row.transaction().to(), "none if it makes a contract")
          .maybe("contractAddress", Formats.ADDRESS, Row::created, "of the contract that it made")
          .with("data", Formats.HEX, row -> row.transaction().data())
          .with("value", HEX_NUMBER, row -> row.transaction().value())
          .with("gas", HEX_NUMBER, row -> BigInteger.valueOf(row.transaction().gas()), "its limit")
          .with("created", Formats.TIME, row -> row.intent().created())
          .with("dispatcher", Formats.NODE, row -> row.transaction().from().node())
          .with(
              "transactionHash",
              Formats.HASH.orNull(),
              row -> row.hash().map(TransactionHash::value),
              "null until it is in a final block")
          .maybe("completedAt", Formats.TIME, row -> row.end().map(Receipt::indexed))
          .maybe("success", Formats.BOOLEAN, row -> row.end().map(Receipt::success))
          .maybe(
              "failureMessage",
              Formats.TEXT,
              row -> row.end().flatMap(Receipt::failureMessage),
              "why it failed")
          .maybe(
              "revertData",
              Formats.HEX,
              row -> row.called().map(Receipt.Called::revertData).filter(data -> !data.isEmpty()))
          .maybe(
              "submissions",
              SUBMISSION.list(),
              row -> row.underway().map(SubmitterState.Underway::submissions),
              "what pools have taken of it, the newest last; until it has ended")
          .maybe(
              "waitsFor",
              Formats.TEXT,
              row -> row.underway().flatMap(SubmitterState.Underway::waitsFor),
              "what keeps it from the chain; until it has ended");

  private static final Map<String, QueryField<Row>> FIELDS =
      QueryField.table(
          List.of(
              QueryField.of(PUBLIC_TX, "localId"),
              QueryField.of(PUBLIC_TX, "transaction"),
              QueryField.of(PUBLIC_TX, "sender"),
              QueryField.of("from", FieldKind.ID, row -> row.from().value()),
              QueryField.of(PUBLIC_TX, "to"),
              new QueryField<>("nonce", FieldKind.NUMBER, Row::nonce),
              QueryField.of(PUBLIC_TX, "created"),
              QueryField.of(PUBLIC_TX, "completedAt"),
              new QueryField<>(
                  "transactionHash",
                  FieldKind.ID,
                  row -> row.hash().map(TransactionHash::toString)),
              QueryField.of(PUBLIC_TX, "success"),
              QueryField.of(PUBLIC_TX, "contractAddress")));

  private static final Field<Sent> QUERY = QueryReader.field("PublicTransactionQuery", FIELDS);
  private static final Field<Sent> CHANGED =
      Field.of("transaction", PublicDraft.CHANGED, "what it is to be, whole");
  private static final Field<LedgerAddress> FROM =
      Field.of("from", Formats.SIGNER, "the address of the key that signs it");
  private static final Field<Long> LOCAL_ID =
      Field.of("localId", Formats.NUMBER, "in order of acceptance");
  private static final Field<Long> NONCE = Field.of("nonce", Formats.NUMBER, "of that key");
  private static final Field<Hash> HASH =
      Field.of("hash", Formats.HASH, "under which the base ledger has it");

  List<RpcMethod> methods() {
    return List.of(
        RpcMethod.reading(
            "ptx_queryPublicTransactions",
            List.of(QUERY),
            PUBLIC_TX.list(),
            "an array of public transactions",
            "Public transactions of this node that the caller may see, with their nonces and"
                + " hashes, newest first unless sorted otherwise. What carries private transactions is not among them.",
            this::publics),
        RpcMethod.reading(
            "ptx_queryPendingPublicTransactions",
            List.of(QUERY),
            PUBLIC_TX.list(),
            "an array of public transactions",
            "Public transactions without a receipt that the caller may see, newest first unless"
                + " sorted otherwise:"
                + " `submissions` says what became of each so far.",
            this::pending),
        RpcMethod.reading(
            "ptx_getPublicTransactionByNonce",
            List.of(FROM, NONCE),
            PUBLIC_TX.orNull(),
            "the public transaction, or null",
            "The public transaction of this node that has a nonce, or has used it.",
            call -> seen(call, byNonce(call.get(FROM), call.get(NONCE)))),
        RpcMethod.reading(
            "ptx_getPublicTransaction",
            List.of(LOCAL_ID),
            PUBLIC_TX.orNull(),
            "the public transaction, or null",
            "A public transaction of this node by its `localId`.",
            call -> seen(call, byLocalId(call.get(LOCAL_ID)))),
        RpcMethod.reading(
            "ptx_getPublicTransactionByHash",
            List.of(HASH),
            PUBLIC_TX.orNull(),
            "the public transaction, or null",
            "The public transaction of this node that a final block has under a hash.",
            call ->
                seen(
                    call,
                    context
                        .store()
                        .publicByHash(new TransactionHash(call.get(HASH)))
                        .thenCompose(this::row))),
        RpcMethod.submitting(
            "ptx_updateTransaction",
            List.of(TransactionMethods.ID, CHANGED),
            Formats.TRANSACTION_ID,
            "the transaction's id, a UUID",
            "Has another call carried out in place of a public transaction that has not ended, under"
                + " its id and, if it has one, its nonce: the whole transaction is sent, `from` stays"
                + " who it was, and without `gas` its limit stays. `maxFeePerGas` and"
                + " `maxPriorityFeePerGas`, or `gasPrice` for both, are offered at least, if it has a"
                + " nonce. If a block has it as it was before, its receipt says so. One transaction is"
                + " changed 16 times at most.",
            this::update),
        RpcMethod.submitting(
            "sequencer_cancelTransaction",
            List.of(TransactionMethods.ID),
            Formats.TRANSACTION_ID,
            "the transaction's id, a UUID",
            "Has a public transaction carried out no more: without a nonce it ends at once; its nonce"
                + " is used for nothing otherwise, and it ends when a block has that. If a block has"
                + " the transaction all the same, its receipt says what it came to.",
            this::cancel));
  }

  private CompletionStage<TransactionId> update(Call call) {
    var id = call.get(TransactionMethods.ID);
    var sent = call.get(CHANGED);
    return AbiReferences.in(context.store(), call.exchange().caller(), List.of(sent))
        .thenCombine(
            pendingPublic(id),
            (abis, before) -> {
              mustBeOf(call, before);
              var changed = PublicDraft.of(sent, context.node().name(), id, abis).transaction();
              if (!changed.from().equals(before.from())) {
                throw sent.wrong(
                    IntentDraft.FROM,
                    " must stay %s, whose key has the nonce. Cancel it, and send another one."
                        .formatted(before.from()));
              }
              return changed.gas() == 0 ? changed.withGas(before.gas()) : changed;
            })
        .thenCompose(
            changed -> context.node().publicCalls().replace(changed, PublicDraft.fees(sent)))
        .thenApply(refusal -> done(id, refusal));
  }

  private CompletionStage<TransactionId> cancel(Call call) {
    var id = call.get(TransactionMethods.ID);
    return pendingPublic(id)
        .thenCompose(
            before -> {
              mustBeOf(call, before);
              return context.node().publicCalls().cancel(before.from(), id);
            })
        .thenApply(refusal -> done(id, refusal));
  }

  /** Whoever sees all groups does not act for all identities by that. */
  private static void mustBeOf(Call call, PublicTransaction before) {
    call.mustSee(List.of(new Named(Named.Kind.IDENTITIES, before.from().toString())));
  }

  private CompletionStage<PublicTransaction> pendingPublic(TransactionId id) {
    return context
        .store()
        .intent(id)
        .thenCombine(
            context.store().receipt(id),
            (intent, receipt) -> {
              if (intent.isPresent() && intent.get().publicly().isEmpty()) {
                throw new RpcFailure(
                    ErrorCode.UNSUPPORTED,
                    "Only a public transaction can be changed: what a private one does is endorsed.");
              }
              if (intent.isEmpty() || receipt.isPresent()) {
                throw notChanged("it has ended, or was never sent to this node");
              }
              return intent.get().publicly().get();
            });
  }

  private static TransactionId done(TransactionId id, Optional<ChangeRefusal> refusal) {
    if (refusal.isPresent()) {
      throw notChanged(
          switch (refusal.get()) {
            case NOT_HERE -> "it waits for its turn behind others of its key. Ask again later";
            case ENDING -> "it has ended, or is about to";
            case MAYBE_SENT ->
                "whether it was carried out already is known when the blocks of before this node's start are read. Ask again later";
            case TOO_OFTEN -> "it was changed as often as it may be. It can still be cancelled";
            case TOO_DEAR -> "its fees are above ledger.gas.max-fee or max-priority-fee";
          });
    }
    return id;
  }

  private static RpcFailure notChanged(String why) {
    return new RpcFailure(
        ErrorCode.NODE_NOT_CHANGED, "The public transaction is not changed: " + why + ".");
  }

  /** Whoever has its sender, or every group. */
  private static boolean sees(Call call, Row row) {
    return SeenIntents.seesAll(call) || SeenIntents.sees(call, row.intent());
  }

  private static CompletionStage<Optional<Row>> seen(
      Call call, CompletionStage<Optional<Row>> found) {
    return found.thenApply(row -> row.filter(it -> sees(call, it)));
  }

  private CompletionStage<List<Row>> publics(Call call) {
    var query = context.query(call.get(QUERY), FIELDS);
    boolean newestFirst = query.isOrderedBy("created", true) || query.isOrderedBy("localId", true);
    var pages = StoredRows.newestPublics(context.store());
    var submitters = new PublicsUnderway(context.node());
    return context.scan(
        call,
        () -> pages.next().thenCompose(page -> rows(page, submitters)),
        query,
        row -> sees(call, row),
        newestFirst,
        Row::bytes);
  }

  private CompletionStage<List<Row>> pending(Call call) {
    var query = context.query(call.get(QUERY), FIELDS);
    boolean newestFirst = query.isOrderedBy("created", true) || query.isOrderedBy("localId", true);
    boolean oldestFirst =
        !newestFirst
            && (query.isOrderedBy("created", false) || query.isOrderedBy("localId", false));
    var pages = new StoredRows.Open(context.store(), !oldestFirst, Optional.empty()).publics();
    var submitters = new PublicsUnderway(context.node());
    return context.scan(
        call,
        () -> pages.next().thenCompose(page -> rows(page, submitters)),
        query,
        // It may end while it is read.
        row -> row.receipt().isEmpty() && sees(call, row),
        newestFirst || oldestFirst,
        Row::bytes);
  }

  private CompletionStage<Optional<Row>> byLocalId(long id) {
    return id == Long.MAX_VALUE
        ? CompletableFuture.completedFuture(Optional.empty())
        : context
            .store()
            .publics(Optional.of(id + 1), 1)
            .thenCompose(
                found ->
                    rows(
                        found.stream().filter(intent -> intent.order() == id).toList(),
                        new PublicsUnderway(context.node())))
            .thenApply(rows -> rows.stream().findFirst());
  }

  private CompletionStage<Optional<Row>> byNonce(LedgerAddress from, long nonce) {
    return context
        .store()
        .publicByNonce(new Receipt.Nonce(from, nonce))
        .thenCompose(found -> found.isPresent() ? row(found) : pendingByNonce(from, nonce));
  }

  private CompletionStage<Optional<Row>> pendingByNonce(LedgerAddress from, long nonce) {
    return context
        .store()
        .sendersWithPublicPending()
        .thenCompose(
            senders ->
                senders.stream()
                    .filter(sender -> address(sender).equals(from))
                    .findFirst()
                    .map(sender -> context.node().publicCalls().underway(sender))
                    .orElse(CompletableFuture.completedFuture(List.of())))
        .thenCompose(
            underway ->
                row(
                    underway.stream()
                        .filter(each -> each.nonce().filter(it -> it == nonce).isPresent())
                        .map(SubmitterState.Underway::transaction)
                        .findFirst()));
  }

  private CompletionStage<Optional<Row>> row(Optional<TransactionId> id) {
    return id.isEmpty()
        ? CompletableFuture.completedFuture(Optional.empty())
        : context
            .store()
            .intent(id.get())
            .thenCompose(
                intent -> rows(intent.stream().toList(), new PublicsUnderway(context.node())))
            .thenApply(rows -> rows.stream().findFirst());
  }

  private CompletionStage<List<Row>> rows(List<Intent> intents, PublicsUnderway submitters) {
    return Answers.inTurn(
        intents.stream().filter(intent -> intent.publicly().isPresent()).toList(),
        intent -> row(intent, intent.publicly().get(), submitters));
  }

  /** What ends while its submitter is asked has its receipt afterwards. */
  private CompletionStage<Row> row(
      Intent intent, PublicTransaction transaction, PublicsUnderway submitters) {
    var signer = address(transaction.from());
    return context
        .store()
        .receipt(transaction.id())
        .thenCompose(
            found ->
                found.isPresent()
                    ? CompletableFuture.completedFuture(
                        new Row(intent, transaction, signer, found, Optional.empty()))
                    : submitters
                        .of(transaction)
                        .thenCompose(
                            now ->
                                context
                                    .store()
                                    .receipt(transaction.id())
                                    .thenApply(
                                        late ->
                                            new Row(
                                                intent,
                                                transaction,
                                                signer,
                                                late,
                                                now.filter(any -> late.isEmpty())))));
  }

  private LedgerAddress address(Identity identity) {
    var verifier = context.node().keys().account(identity.name());
    return new LedgerAddress(VerifierTypes.ADDRESS.render(verifier));
  }
}
