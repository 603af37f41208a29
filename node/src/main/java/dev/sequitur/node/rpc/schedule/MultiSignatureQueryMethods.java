package dev.sequitur.node.rpc.schedule;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.sequitur.json.Field;
import dev.sequitur.json.Format;
import dev.sequitur.json.Formats;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.method.Call;
import dev.sequitur.node.rpc.method.NodeContext;
import dev.sequitur.node.rpc.method.RpcMethod;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.family.Schedule;
import dev.sequitur.schedule.family.Terms;
import dev.sequitur.schedule.multisignature.MultiSignatureAnswer;
import dev.sequitur.schedule.multisignature.MultiSignatureQuery;
import dev.sequitur.schedule.multisignature.ScheduleInfo;
import dev.sequitur.schedule.signing.Account;
import dev.sequitur.schedule.signing.AccountTransactionId;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.Profile;
import dev.sequitur.schedule.signing.PublicKey;
import dev.sequitur.schedule.signing.ResponseCode;
import dev.sequitur.schedule.signing.TransactionReceipt;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.SchedulePage;
import dev.sequitur.scheduler.ScheduleQuery;
import dev.sequitur.scheduler.ScheduleView;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** What can be asked of the multi-signature family. */
record MultiSignatureQueryMethods(NodeContext context) {
  private static final Field<AccountTransactionId> TRANSACTION =
      Field.of(
          "transactionID",
          Format.ofText(
              SigningShapes.TRANSACTION_ID.type(),
              SigningShapes.TRANSACTION_ID,
              SigningFields::transactionId),
          "such as `0.0.1001@1795255500.000000000`, with `?scheduled` for what was triggered");
  private static final Field<EntityId> SCHEDULE =
      Field.of("scheduleID", SigningFields.SCHEDULE, "").mentions(Field.Mention.SCHEDULE);
  private static final Field<PublicKey> KEY = Field.of("key", SigningFields.PUBLIC_KEY, "");
  private static final Field<EntityId> AFTER =
      Field.optional("after", SigningFields.SCHEDULE, "the `next` of the page before");
  private static final Field<EntityId> ACCOUNT_ID =
      Field.of("accountID", SigningFields.ENTITY, "").mentions(Field.Mention.ACCOUNT);

  /** Of those that can still be signed. */
  List<RpcMethod> schedules() {
    return List.of(
        RpcMethod.reading(
            "multiSignature_scheduleGetInfo",
            List.of(SCHEDULE, CommandFields.QUEUE),
            SigningShapes.INFO,
            "the schedule with its signers",
            "All fields of a schedule: in the profile mvp of one that can still be signed, in"
                + " current until it would expire.",
            this::info),
        RpcMethod.reading(
            "multiSignature_pendingFor",
            List.of(KEY, AFTER, CommandFields.QUEUE),
            PENDING,
            "`{schedules, next}`",
            "The schedules that wait for the signature of a key, each as"
                + " multiSignature_scheduleGetInfo shows it without its signers. `next` is null on"
                + " the last page; a page may be empty and not be the last.",
            this::pending));
  }

  /** Of what was done, and of accounts. */
  List<RpcMethod> records() {
    return List.of(
        RpcMethod.reading(
            "multiSignature_getReceipt",
            List.of(TRANSACTION, CommandFields.QUEUE),
            SigningShapes.RECEIPT.orNull(),
            "`{status, accountID, scheduleID, scheduledTransactionID}`, or null",
            "The receipt of a transaction, as long as it is kept. What a private transaction was"
                + " handed over for has the receipt of its outcome once it has one.",
            call ->
                kept(call)
                    .thenApply(
                        kept ->
                            kept.records().isEmpty()
                                ? Optional.<TransactionReceipt>empty()
                                : Optional.of(
                                    kept.records().get(kept.records().size() - 1).receipt()))),
        RpcMethod.reading(
            "multiSignature_getRecords",
            List.of(TRANSACTION, CommandFields.QUEUE),
            SigningShapes.RECORD.list(),
            "an array of records",
            "All records of a transaction, oldest first, as long as they are kept."
                + " `transactionHash` of an operation is SHA-384 of the SignedTransaction's bytes (of"
                + " the whole Transaction where an older client sent none); of what a schedule"
                + " triggered, whose `transactionID` has `?scheduled`, it is SHA-256 of the scheduled"
                + " body: the `hash` of multiSignature_buildBody.",
            call -> kept(call).thenApply(MultiSignatureAnswer.Records::records)),
        RpcMethod.reading(
            "multiSignature_getAccount",
            List.of(ACCOUNT_ID, CommandFields.QUEUE),
            ACCOUNT.orNull(),
            "`{accountID, key, receiverSigRequired, memo, balance}`, or null",
            "An account with its present key.",
            this::account),
        RpcMethod.reading(
            "multiSignature_getNodeAccount",
            List.of(CommandFields.QUEUE),
            SigningShapes.ENTITY,
            "a node account, `0.realm.number`",
            "The `nodeAccountID` that a transaction for this queue has to name, and in the profile"
                + " mvp what is to be scheduled as well: a signature counts in the queue that it was"
                + " given for, and in no other one. For who builds bytes with a client of Hedera;"
                + " what the node builds has it.",
            call ->
                completedFuture(context.scheduler().nodeAccount(call.get(CommandFields.QUEUE)))));
  }

  private CompletionStage<ScheduleInfo> info(Call call) {
    var id = call.get(SCHEDULE);
    var queue = call.get(CommandFields.QUEUE);
    return context
        .scheduler()
        .ask(queue, new MultiSignatureQuery.ScheduleGetInfo(id))
        .thenCompose(
            answer ->
                answer
                    .info()
                    .filter(info -> SeenSchedules.sees(call, info.terms()))
                    .<CompletionStage<ScheduleInfo>>map(CompletableFuture::completedFuture)
                    .orElseGet(() -> noInfo(call, queue, id, answer.status())));
  }

  /** That one is gone is told to who could see it while it was there. */
  private CompletionStage<ScheduleInfo> noInfo(
      Call call, QueueName queue, EntityId id, ResponseCode status) {
    return context
        .scheduler()
        .schedule(queue, id.schedule())
        .thenApply(
            known -> {
              throw refused(
                  SeenSchedules.seesAll(call) || SeenSchedules.sees(call, known)
                      ? status
                      : ResponseCode.INVALID_SCHEDULE_ID);
            });
  }

  private RpcFailure refused(ResponseCode status) {
    return CommandSubmission.refused(status.refusal(profile()));
  }

  private Profile profile() {
    return MultiSignatureMethods.profile(context);
  }

  private CompletionStage<MultiSignatureAnswer.Records> kept(Call call) {
    var id = call.get(TRANSACTION);
    return context
        .scheduler()
        .ask(call.get(CommandFields.QUEUE), new MultiSignatureQuery.GetRecords(id))
        .thenApply(
            kept ->
                new MultiSignatureAnswer.Records(
                    kept.records().stream()
                        .filter(recorded -> SeenSchedules.sees(call, recorded))
                        .toList()));
  }

  private CompletionStage<Optional<AccountView>> account(Call call) {
    var id = call.get(ACCOUNT_ID);
    var queue = call.get(CommandFields.QUEUE);
    return context
        .scheduler()
        .ask(queue, new MultiSignatureQuery.GetAccount(id))
        .thenCombine(
            context.scheduler().available(queue, id.account()),
            (known, balance) ->
                known.account().map(account -> new AccountView(id, account, balance)));
  }

  private CompletionStage<Pending> pending(Call call) {
    var queue = call.get(CommandFields.QUEUE);
    var query =
        new ScheduleQuery(
                Optional.of(FamilyKind.MULTI_SIGNATURE),
                Optional.empty(),
                Optional.empty(),
                call.find(AFTER).map(EntityId::schedule),
                ScheduleQuery.MOST)
            .looking(context.settings().limits().queryScan());
    return (SeenSchedules.seesAll(call)
            ? context.scheduler().schedules(queue, query)
            : SeenPage.of(call, context, queue, query))
        .thenCompose(
            page ->
                context
                    .scheduler()
                    .ask(
                        queue,
                        new MultiSignatureQuery.WaitingFor(List.of(call.get(KEY)), ids(page)))
                    .thenApply(pending -> Pending.of(page, pending)));
  }

  private static List<EntityId> ids(SchedulePage page) {
    return page.schedules().stream().map(view -> EntityId.of(view.schedule().id())).toList();
  }

  /** A page of the schedules that wait for a signature. */
  private record Pending(List<Terms> schedules, Optional<EntityId> next) {
    static Pending of(SchedulePage page, MultiSignatureAnswer.Schedules pending) {
      return new Pending(
          page.schedules().stream()
              .map(ScheduleView::schedule)
              .filter(schedule -> pending.schedules().contains(EntityId.of(schedule.id())))
              .map(Schedule::proposal)
              .map(Proposal::terms)
              .toList(),
          page.next().map(EntityId::of));
    }
  }

  private static final ObjectShape<Pending> PENDING =
      ObjectShape.<Pending>named("PendingSchedules")
          .with("schedules", ScheduleShapes.TERMS.list(), Pending::schedules)
          .with("next", SigningShapes.ENTITY.orNull(), Pending::next, "null on the last page");

  private record AccountView(EntityId id, Account account, Amount balance) {}

  private static final ObjectShape<AccountView> ACCOUNT =
      ObjectShape.<AccountView>named("MultiSignatureAccount")
          .with("accountID", SigningShapes.ENTITY, AccountView::id)
          .with("key", SigningShapes.KEY, view -> view.account().key())
          .with(
              "receiverSigRequired", Formats.BOOLEAN, view -> view.account().receiverSigRequired())
          .with("memo", Formats.TEXT, view -> view.account().memo())
          .with("balance", Words.DIGITS, AccountView::balance);
}
