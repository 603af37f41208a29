package dev.sequitur.node.hapi;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.sequitur.console.Release;
import dev.sequitur.node.rpc.server.OtherDoor;
import dev.sequitur.protocol.guard.MethodGroup;
import dev.sequitur.protocol.guard.Named;
import dev.sequitur.protocol.guard.Principal;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.multisignature.MultiSignatureAnswer;
import dev.sequitur.schedule.multisignature.MultiSignatureQuery;
import dev.sequitur.schedule.signing.AccountTransactionId;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.ResponseCode;
import dev.sequitur.schedule.signing.TransactionRecord;
import dev.sequitur.scheduler.SchedulerNode;
import dev.sequitur.scheduler.body.HapiQueryReader;
import dev.sequitur.scheduler.body.NetworkAnswers;
import dev.sequitur.scheduler.body.NetworkQuery;
import dev.sequitur.scheduler.body.RefusedTransactionException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** What each call of Hedera's services is answered. Thread-safe. */
final class HapiCalls {
  private static final Pattern NUMBERS =
      Pattern.compile("([0-9]{1,9})\\.([0-9]{1,9})\\.([0-9]{1,9})");

  /** The definitions that the messages follow. */
  private static final NetworkAnswers.Version MESSAGES = new NetworkAnswers.Version(0, 76, 1);

  private static final NetworkAnswers.Version PROGRAM = program(Release.name());

  /** As which clients know a network that is none of Hedera's own. */
  private static final Bytes LOCAL_LEDGER = Bytes.hex("03");

  private static final String CRYPTO = "/proto.CryptoService/";
  private static final String SCHEDULE = "/proto.ScheduleService/";
  private static final String NETWORK = "/proto.NetworkService/";

  private static final Map<String, NetworkQuery.Kind> QUESTIONS =
      Map.of(
          CRYPTO + "cryptoGetBalance", NetworkQuery.Kind.BALANCE,
          CRYPTO + "getAccountInfo", NetworkQuery.Kind.ACCOUNT_INFO,
          CRYPTO + "getTransactionReceipts", NetworkQuery.Kind.RECEIPT,
          CRYPTO + "getTxRecordByTxID", NetworkQuery.Kind.RECORD,
          SCHEDULE + "getScheduleInfo", NetworkQuery.Kind.SCHEDULE_INFO,
          NETWORK + "getVersionInfo", NetworkQuery.Kind.VERSION);

  /**
   * Any method that takes a transaction: by which one it comes does not matter, since its body says
   * what it asks, and is told {@code NOT_SUPPORTED} if that is nothing that is done here.
   */
  private static final Pattern TRANSACTION =
      Pattern.compile("/proto\\.[A-Za-z]+Service/(?!.*([gG]et|Local))[A-Za-z]+");

  private final SchedulerNode scheduler;
  private final HapiSettings settings;
  private final OtherDoor door;
  private final NetworkAnswers answers;
  private final HapiSubmissions submissions;
  private final Amount price;

  HapiCalls(SchedulerNode scheduler, HapiSettings settings, OtherDoor door, Supplier<UUID> ids) {
    this.scheduler = scheduler;
    this.settings = settings;
    this.door = door;
    this.answers = new NetworkAnswers(LOCAL_LEDGER, MESSAGES, settings.rates());
    this.submissions = new HapiSubmissions(scheduler, settings, door, ids);
    this.price = HapiSubmissions.rules(scheduler).fees().query();
  }

  /** A message, and how the call ended as far as its code says. */
  record Answered(Bytes message, HapiMetrics.Outcome outcome) {
    private static Answered of(Bytes message, ResponseCode code) {
      return new Answered(
          message,
          switch (code) {
            case OK -> HapiMetrics.Outcome.OK;
            case BUSY -> HapiMetrics.Outcome.BUSY;
            default -> HapiMetrics.Outcome.REFUSED;
          });
    }
  }

  /** What is called by the path of a method. */
  static HapiMetrics.Called called(String path) {
    var kind = QUESTIONS.get(path);
    if (kind == null) {
      return TRANSACTION.matcher(path).matches()
          ? HapiMetrics.Called.TRANSACTION
          : HapiMetrics.Called.OTHER;
    }
    return switch (kind) {
      case BALANCE -> HapiMetrics.Called.BALANCE;
      case ACCOUNT_INFO -> HapiMetrics.Called.ACCOUNT_INFO;
      case RECEIPT -> HapiMetrics.Called.RECEIPT;
      case RECORD -> HapiMetrics.Called.RECORD;
      case SCHEDULE_INFO -> HapiMetrics.Called.SCHEDULE_INFO;
      case VERSION -> HapiMetrics.Called.VERSION;
    };
  }

  /** The answer to one call too many: clients wait, and try again. */
  static Answered busy(String path) {
    return new Answered(codeBusy(path), HapiMetrics.Outcome.BUSY);
  }

  /** The answer while the queue has none: clients wait, and try the same again. */
  static Answered notNow(String path) {
    return new Answered(codeBusy(path), HapiMetrics.Outcome.FAILED);
  }

  private static Bytes codeBusy(String path) {
    var kind = QUESTIONS.get(path);
    return kind == null
        ? NetworkAnswers.precheck(ResponseCode.BUSY)
        : NetworkAnswers.code(kind, false, ResponseCode.BUSY);
  }

  /** Nothing but zeros where the build's own classes run. */
  static NetworkAnswers.Version program(String name) {
    var parts = NUMBERS.matcher(name);
    return parts.matches()
        ? new NetworkAnswers.Version(
            Integer.parseInt(parts.group(1)),
            Integer.parseInt(parts.group(2)),
            Integer.parseInt(parts.group(3)))
        : new NetworkAnswers.Version(0, 0, 0);
  }

  /**
   * @param path of a method
   * @return fails with {@link GrpcStatus.Failure} if there is no such method, and with {@link
   *     dev.sequitur.node.rpc.RpcFailure} if it was not granted to the caller
   */
  CompletionStage<Answered> answer(String path, Bytes message, Principal caller) {
    return door.ready(caller)
        .map(ready -> ready.thenCompose(done -> answerReady(path, message, caller)))
        .orElseGet(() -> answerReady(path, message, caller));
  }

  private CompletionStage<Answered> answerReady(String path, Bytes message, Principal caller) {
    var kind = QUESTIONS.get(path);
    if (kind != null) {
      return ask(kind, message, caller);
    }
    return TRANSACTION.matcher(path).matches()
        ? submissions
            .submit(message, caller)
            .thenApply(code -> Answered.of(NetworkAnswers.precheck(code), code))
        : CompletableFuture.failedFuture(
            new GrpcStatus.Failure(GrpcStatus.UNIMPLEMENTED, "This is not done here."));
  }

  private CompletionStage<Answered> ask(NetworkQuery.Kind kind, Bytes query, Principal caller) {
    NetworkQuery.Asked asked;
    try {
      asked = HapiQueryReader.read(kind, query);
    } catch (RefusedTransactionException e) {
      return completedFuture(Answered.of(NetworkAnswers.code(kind, false, e.code()), e.code()));
    }
    var refused = door.refusal(caller, MethodGroup.READ, about(asked.query()));
    if (refused.isPresent()) {
      return CompletableFuture.failedFuture(refused.get());
    }
    var cost = kind.isPaid() ? price : Amount.ZERO;
    if (cost.isZero() || asked.costOnly()) {
      return answer(kind, asked, cost, caller);
    }
    return submissions
        .pay(asked.payment(), asked.content(), caller)
        .thenCompose(
            code ->
                code == ResponseCode.OK
                    ? answer(kind, asked, cost, caller)
                    : completedFuture(Answered.of(NetworkAnswers.code(kind, false, code), code)));
  }

  private CompletionStage<Answered> answer(
      NetworkQuery.Kind kind, NetworkQuery.Asked asked, Amount cost, Principal caller) {
    return answer(asked.query(), caller)
        .thenApply(
            found ->
                switch (found) {
                  case Found.Nothing(var code) ->
                      Answered.of(NetworkAnswers.code(kind, asked.costOnly(), code), code);
                  case Found.Message(var message) when !asked.costOnly() ->
                      Answered.of(message, ResponseCode.OK);
                  case Found.Message ignored ->
                      Answered.of(NetworkAnswers.cost(kind, cost), ResponseCode.OK);
                });
  }

  /** What a question names of what is granted by name. */
  private List<Named> about(NetworkQuery query) {
    var queue = new Named(Named.Kind.QUEUES, settings.queue().value());
    return switch (query) {
      case NetworkQuery.Balance(var id) -> List.of(queue, account(id.toString()));
      // Clients ask for the node's own to see whether anybody is there.
      case NetworkQuery.AccountInfo(var id) when !id.equals(settings.account()) ->
          List.of(queue, account(id.toString()));
      default -> List.of(queue);
    };
  }

  private static Named account(String id) {
    return new Named(Named.Kind.ACCOUNTS, id);
  }

  /** A whole answer, or why there is none. */
  private sealed interface Found {
    record Message(Bytes message) implements Found {}

    record Nothing(ResponseCode code) implements Found {}

    static Found of(Optional<Bytes> message, ResponseCode otherwise) {
      return message.<Found>map(Message::new).orElseGet(() -> new Nothing(otherwise));
    }
  }

  private CompletionStage<Found> answer(NetworkQuery query, Principal caller) {
    return switch (query) {
      case NetworkQuery.Balance(var id) -> balance(id);
      case NetworkQuery.AccountInfo(var id) -> account(id);
      case NetworkQuery.ScheduleInfo(var id) ->
          scheduler
              .ask(settings.queue(), new MultiSignatureQuery.ScheduleGetInfo(id))
              .thenApply(
                  found ->
                      Found.of(
                          found
                              .info()
                              .filter(info -> door.sees(caller, info.terms().group()))
                              .map(answers::schedule),
                          found.info().isPresent()
                              ? ResponseCode.INVALID_SCHEDULE_ID
                              : found.status()));
      case NetworkQuery.Receipt(var id) -> records(id, caller).thenApply(this::receipt);
      case NetworkQuery.Record(var id) -> records(id, caller).thenCompose(this::record);
      case NetworkQuery.Version() -> completedFuture(new Found.Message(answers.version(PROGRAM)));
    };
  }

  private CompletionStage<Found> balance(EntityId id) {
    return scheduler
        .ask(settings.queue(), new MultiSignatureQuery.GetAccount(id))
        .thenCombine(
            scheduler.available(settings.queue(), id.account()),
            (found, balance) ->
                Found.of(
                    found.account().isPresent() || id.equals(settings.account())
                        ? Optional.of(NetworkAnswers.balance(id, balance))
                        : Optional.empty(),
                    notThere(found)));
  }

  private CompletionStage<Found> account(EntityId id) {
    return scheduler
        .ask(settings.queue(), new MultiSignatureQuery.GetAccount(id))
        .thenCombine(
            scheduler.available(settings.queue(), id.account()),
            (found, balance) ->
                Found.of(
                    found
                        .account()
                        .map(account -> answers.account(id, account, balance))
                        .or(
                            () ->
                                id.equals(settings.account())
                                    ? Optional.of(answers.nodeAccount(id))
                                    : Optional.empty()),
                    notThere(found)));
  }

  private static ResponseCode notThere(MultiSignatureAnswer.AccountFound found) {
    return found.deleted() ? ResponseCode.ACCOUNT_DELETED : ResponseCode.INVALID_ACCOUNT_ID;
  }

  private CompletionStage<List<TransactionRecord>> records(
      AccountTransactionId id, Principal caller) {
    return scheduler
        .ask(settings.queue(), new MultiSignatureQuery.GetRecords(id))
        .thenApply(
            kept ->
                kept.records().stream()
                    .filter(record -> door.sees(caller, record.group()))
                    .toList());
  }

  /** The newest is the outcome; one that is only handed over has none yet. */
  private Found receipt(List<TransactionRecord> records) {
    if (records.isEmpty()) {
      return new Found.Nothing(ResponseCode.RECEIPT_NOT_FOUND);
    }
    var newest = records.getLast();
    return new Found.Message(
        newest.receipt().status() == ResponseCode.OK
            ? NetworkAnswers.receiptToCome()
            : answers.receipt(newest));
  }

  private CompletionStage<Found> record(List<TransactionRecord> records) {
    if (records.isEmpty()) {
      return completedFuture(new Found.Nothing(ResponseCode.RECORD_NOT_FOUND));
    }
    var newest = records.getLast();
    return newest
        .scheduleRef()
        .map(MultiSignatureQuery.ScheduleGetInfo::new)
        .map(
            query ->
                scheduler
                    .ask(settings.queue(), query)
                    .thenApply(found -> found.info().map(info -> info.terms().payer())))
        .orElseGet(() -> completedFuture(Optional.empty()))
        .thenApply(
            payer ->
                new Found.Message(
                    answers.record(newest, payer.orElse(newest.transactionId().account()))));
  }
}
