package dev.sequitur.node.rpc.schedule;

import dev.sequitur.json.Field;
import dev.sequitur.json.Format;
import dev.sequitur.json.Formats;
import dev.sequitur.json.ObjectFormat;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Sent;
import dev.sequitur.json.Shape;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.method.Call;
import dev.sequitur.node.rpc.method.NodeContext;
import dev.sequitur.node.rpc.method.PrivateCalls;
import dev.sequitur.node.rpc.method.RpcMethod;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.DueKey;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPriorityQuery;
import dev.sequitur.schedule.gaspriority.GasPriorityTerms;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The methods of the gas-priority family, in the terms of AIP-125. */
final class GasPriorityMethods {
  private static final Field<AccountId> SENDER =
      Field.of("senderAddr", CommandFields.ACCOUNT, "who pays the deposit, and may cancel")
          .mentions(Field.Mention.ACCOUNT);
  private static final Field<Long> TIME =
      Field.of("scheduledTimeMs", CommandFields.MILLIS, "when it runs");
  private static final Field<Long> GAS =
      Field.optional(
          "maxGasAmount",
          CommandFields.NUMBER,
          "at least what the target needs, which is the default: 10 in the queue and 100 for a"
              + " private transaction, unless the node is set up otherwise");
  private static final Field<Long> PRICE =
      Field.optional(
          "maxGasUnitPrice",
          CommandFields.NUMBER,
          "the most for a unit of gas (default: the least that anybody may offer)");
  private static final Field<Boolean> SET_ASIDE =
      Field.or(
          "setAside",
          Formats.BOOLEAN,
          false,
          "true to set aside what a transfer pays, too, so that it is there at its time; not of a"
              + " repetition");
  private static final Field<Sent> TRANSACTION =
      Field.of(
          "transaction",
          ObjectFormat.of(
                  "ScheduledTransactionRequest",
                  SENDER,
                  TIME,
                  GAS,
                  PRICE,
                  TargetFields.TARGET,
                  SET_ASIDE,
                  TargetFields.LATE,
                  TargetFields.RETRY,
                  CommandFields.DESCRIPTION,
                  CommandFields.LABELS,
                  Created.DRY_RUN)
              .with(CommandFields.COMMON),
          "the ScheduledTransaction");

  private static final Format<ScheduleId> TXN_ID =
      Format.ofText("the key's txnId", Words.SCHEDULE_ID, GasPriorityMethods::parseTransaction);
  private static final Field<ScheduleId> OF_KEY =
      Field.of("txnId", TXN_ID, "").mentions(Field.Mention.SCHEDULE);
  private static final Field<Long> KEY_TIME = Field.of("time", CommandFields.MILLIS, "");
  private static final Field<Long> PRIORITY =
      Field.of(
          "gasPriority",
          Format.ofText("decimal digits", Words.DIGITS, GasPriorityMethods::parsePriority),
          "");
  private static final Field<Sent> BY_KEY =
      Field.optional(
          "key",
          ObjectFormat.of("ScheduleMapKeyRequest", KEY_TIME, PRIORITY, OF_KEY),
          "as the insertion answered it");
  private static final Field<ScheduleId> ALONE =
      Field.optional("txnId", TXN_ID, "in place of the key: its own, or the id")
          .mentions(Field.Mention.SCHEDULE);
  private static final Field<Sent> CANCELLED =
      Field.of(
          "command",
          ObjectFormat.of("GasPriorityCancelRequest", SENDER, BY_KEY, ALONE)
              .with(CommandFields.COMMON),
          "sender and key");
  private static final Field<Long> BLOCK =
      Field.of("timestampMs", Formats.NUMBER, "milliseconds since 1970 of the block");

  private final NodeContext context;
  private final CommandSubmission submission;
  private final TargetFields targets;

  GasPriorityMethods(NodeContext context, CommandSubmission submission) {
    this.context = context;
    this.submission = submission;
    this.targets = new TargetFields(new PrivateCalls(context));
  }

  List<RpcMethod> methods() {
    return List.of(
        RpcMethod.submitting(
                "gasPriority_insert",
                List.of(TRANSACTION),
                Created.shape(INSERTED),
                "`{id, key, warning, maxGasAmount, maxGasUnitPrice, deposit, setAside}`, where `key` is the"
                    + " ScheduleMapKey `{time, gasPriority, txnId}`",
                "Inserts a scheduled transaction, in the name of `senderAddr`, whose account pays the"
                    + " deposit of maxGasAmount × maxGasUnitPrice; `target` is the text's `f`. A time of"
                    + " 100 ms runs at most as many as its limit says, the highest price first. Gas and"
                    + " price may be left out, and the answer says which were chosen.",
                this::insert)
            .begins(RpcMethod.Begins.Kind.SCHEDULES, call -> Created.begun(call.get(TRANSACTION))),
        RpcMethod.reading(
            "gasPriority_getReadyTransactions",
            List.of(BLOCK, CommandFields.QUEUE),
            READY.list(),
            "an array of ScheduledTransactionInfoWithKey",
            "What a block at that time would run, in its order, as things stand now; changes"
                + " nothing. `gasUnitPriceCharged` is the lesser of the sender's maximum and the"
                + " highest price of any other in the block, not below the least.",
            this::ready),
        RpcMethod.submitting(
            "gasPriority_cancel",
            List.of(CANCELLED),
            Formats.BOOLEAN,
            "true",
            "Cancels a scheduled transaction that was not started, and refunds the whole deposit;"
                + " only for the one who inserted it.",
            this::cancel));
  }

  private CompletionStage<Created<Inserted>> insert(Call call) {
    var sent = call.get(TRANSACTION);
    var target = targets.target(sent.get(TargetFields.TARGET));
    // Of the node's set-up alone, and not of what others offer: a repeat must be the same command.
    var terms =
        new GasPriorityTerms(
                sent.get(TIME),
                sent.find(GAS)
                    .orElseGet(
                        () -> GasPriority.leastGas(context.scheduler().setup().gas(), target)),
                sent.find(PRICE).orElseGet(() -> family().settings().minGasUnitPrice()),
                sent.find(CommandFields.IDEMPOTENCY_KEY))
            .settingAside(sent.get(SET_ASIDE));
    var proposal =
        new Proposal(
            sent.get(SENDER),
            terms,
            target,
            sent.get(TargetFields.LATE),
            sent.get(TargetFields.RETRY),
            CommandFields.description(sent));
    return submission.create(
        call,
        sent,
        proposal,
        answer -> inserted(sent, terms, terms.held(target), CommandSubmission.admitted(answer)));
  }

  private CompletionStage<Inserted> inserted(
      Sent sent, GasPriorityTerms terms, Amount held, ScheduleId id) {
    return context
        .scheduler()
        .ask(sent.get(CommandFields.QUEUE), new GasPriorityQuery.WhyUnreached(id))
        .handle(
            (unreached, unknown) ->
                new Inserted(
                    id,
                    terms,
                    held,
                    new Key(family(), family().dueKey(terms, id)),
                    Optional.ofNullable(unreached).flatMap(GasPriorityQuery.Unreached::why)));
  }

  /** The text's ScheduleMapKey, of this family as it is set up. */
  record Key(GasPriority family, DueKey due) {
    private long time() {
      return due.time() * family.settings().tickMillis();
    }
  }

  static final ObjectShape<Key> KEY =
      ObjectShape.<Key>named("ScheduleMapKey")
          .with("time", Shape.NUMBER, Key::time, "milliseconds since 1970")
          .with("gasPriority", Words.DIGITS, key -> Long.toUnsignedString(key.due().order()))
          .with("txnId", Formats.HASH, key -> key.due().id());

  /**
   * @param warning of what was taken and will not be run as things stand
   */
  private record Inserted(
      ScheduleId id, GasPriorityTerms terms, Amount held, Key key, Optional<String> warning) {
    private String deposit() {
      return Amount.product(terms.maxGasAmount(), terms.maxGasUnitPrice()).toString();
    }
  }

  private static final ObjectShape<Inserted> INSERTED =
      ObjectShape.<Inserted>named("InsertedTransaction")
          .with("id", Words.SCHEDULE_ID, Inserted::id)
          .with("key", KEY, Inserted::key)
          .maybe(
              "warning",
              Formats.TEXT,
              Inserted::warning,
              "why it will not be run unless others go, and what to do; else left out")
          .with("maxGasAmount", Words.DIGITS, inserted -> inserted.terms().maxGasAmount())
          .with("maxGasUnitPrice", Words.DIGITS, inserted -> inserted.terms().maxGasUnitPrice())
          .with("deposit", Words.DIGITS, Inserted::deposit, "gas times price, which is set aside")
          .with(
              "setAside",
              Words.DIGITS,
              Inserted::held,
              "all that is: the deposit, and what a transfer pays if that was asked for; else it is"
                  + " taken when it runs");

  /** What a block would run, and at which price. */
  private record Ready(
      GasPriorityQuery.ReadyTransaction transaction, GasPriorityTerms terms, Key key) {}

  private static final ObjectShape<Ready> READY =
      ObjectShape.<Ready>named("ScheduledTransactionInfoWithKey")
          .with(
              "senderAddr",
              Words.ACCOUNT,
              ready -> ready.transaction().schedule().proposal().owner())
          .with("maxGasAmount", Words.DIGITS, ready -> ready.terms().maxGasAmount())
          .with("maxGasUnitPrice", Words.DIGITS, ready -> ready.terms().maxGasUnitPrice())
          .with(
              "gasUnitPriceCharged",
              Words.DIGITS,
              ready -> ready.transaction().gasUnitPriceCharged())
          .with("key", KEY, Ready::key);

  private GasPriority family() {
    return context.scheduler().setup().family(GasPriority.class).orElseThrow();
  }

  private CompletionStage<Boolean> cancel(Call call) {
    var sent = call.get(CANCELLED);
    var key = sent.find(BY_KEY);
    if (key.isPresent() == sent.has(ALONE)) {
      throw sent.wrong(" must have either key, as the insertion answered it, or txnId.");
    }
    return key.map(named -> mustBeOf(call, sent, named))
        .orElseGet(() -> CompletableFuture.completedFuture(sent.find(ALONE).orElseThrow()))
        .thenCompose(
            id -> submission.submit(call, sent, sent.get(SENDER), new Operation.Cancel(id)))
        .thenApply(taken -> true);
  }

  /** An id has one key for life; what does not wait any more gets the queue's own answer. */
  private CompletionStage<ScheduleId> mustBeOf(Call call, Sent command, Sent key) {
    var id = key.get(OF_KEY);
    long tick = key.get(KEY_TIME) / family().settings().tickMillis();
    long priority = key.get(PRIORITY);
    return context
        .scheduler()
        .schedule(command.get(CommandFields.QUEUE), id)
        .thenApply(
            known -> {
              var due = known.view().map(view -> view.schedule().due());
              if (due.isPresent() && (due.get().time() != tick || due.get().order() != priority)) {
                if (SeenSchedules.seen(call, known).view().isEmpty()) {
                  throw submission.refusedNotThere(id);
                }
                throw new RpcFailure(
                    ErrorCode.SCHEDULE_UNKNOWN_SCHEDULE,
                    "No transaction waits under this key, though one of its txnId does: send the"
                        + " key as the insertion answered it.");
              }
              return id;
            });
  }

  private static long parsePriority(String text) {
    try {
      return Long.parseUnsignedLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "A gas priority is a number from 0 to 18446744073709551615 in decimal digits, as the"
              + " insertion answered it.");
    }
  }

  private static ScheduleId parseTransaction(String text) {
    return text.indexOf(':') < 0
        ? new ScheduleId(FamilyKind.GAS_PRIORITY, Formats.hash(text))
        : CommandFields.of(FamilyKind.GAS_PRIORITY, CommandFields.parseSchedule(text));
  }

  private CompletionStage<List<Ready>> ready(Call call) {
    long timestampMs = call.get(BLOCK);
    CommandFields.beforeEnd(call.path(BLOCK), timestampMs / 1_000);
    return context
        .scheduler()
        .ask(call.get(CommandFields.QUEUE), new GasPriorityQuery.GetReadyTransactions(timestampMs))
        .thenApply(ready -> listed(call, ready));
  }

  private List<Ready> listed(Call call, GasPriorityQuery.ReadyTransactions ready) {
    var listed = new ArrayList<Ready>();
    for (var transaction : ready.transactions()) {
      var schedule = transaction.schedule();
      if (schedule.proposal().terms() instanceof GasPriorityTerms terms
          && SeenSchedules.sees(call, schedule.proposal())) {
        listed.add(new Ready(transaction, terms, new Key(family(), schedule.due())));
      }
    }
    return listed;
  }
}
