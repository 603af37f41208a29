package dev.sequitur.node.hapi;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.sequitur.console.Release;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.multisignature.MultiSignatureAnswer;
import dev.sequitur.schedule.multisignature.MultiSignatureQuery;
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
  private final NetworkAnswers answers = new NetworkAnswers(LOCAL_LEDGER, MESSAGES);
  private final HapiSubmissions submissions;

  HapiCalls(SchedulerNode scheduler, HapiSettings settings, Supplier<UUID> ids) {
    this.scheduler = scheduler;
    this.settings = settings;
    this.submissions = new HapiSubmissions(scheduler, settings, ids);
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
   * @return fails with {@link GrpcStatus.Failure} if there is no such method
   */
  CompletionStage<Bytes> answer(String path, Bytes message) {
    var kind = QUESTIONS.get(path);
    if (kind != null) {
      return ask(kind, message);
    }
    return TRANSACTION.matcher(path).matches()
        ? submissions.submit(message).thenApply(NetworkAnswers::precheck)
        : CompletableFuture.failedFuture(
            new GrpcStatus.Failure(GrpcStatus.UNIMPLEMENTED, "This is not done here."));
  }

  private CompletionStage<Bytes> ask(NetworkQuery.Kind kind, Bytes query) {
    NetworkQuery.Asked asked;
    try {
      asked = HapiQueryReader.read(kind, query);
    } catch (RefusedTransactionException e) {
      return completedFuture(NetworkAnswers.code(kind, false, e.code()));
    }
    return answer(asked.query())
        .thenApply(
            found ->
                switch (found) {
                  case Found.Nothing(var code) -> NetworkAnswers.code(kind, asked.costOnly(), code);
                  case Found.Message(var message) when !asked.costOnly() -> message;
                  case Found.Message ignored -> NetworkAnswers.code(kind, true, ResponseCode.OK);
                });
  }

  /** A whole answer, or why there is none. */
  private sealed interface Found {
    record Message(Bytes message) implements Found {}

    record Nothing(ResponseCode code) implements Found {}

    static Found of(Optional<Bytes> message, ResponseCode otherwise) {
      return message.<Found>map(Message::new).orElseGet(() -> new Nothing(otherwise));
    }
  }

  private CompletionStage<Found> answer(NetworkQuery query) {
    return switch (query) {
      case NetworkQuery.Balance(var id) -> balance(id);
      case NetworkQuery.AccountInfo(var id) -> account(id);
      case NetworkQuery.ScheduleInfo(var id) ->
          scheduler
              .ask(settings.queue(), new MultiSignatureQuery.ScheduleGetInfo(id))
              .thenApply(found -> Found.of(found.info().map(answers::schedule), found.status()));
      case NetworkQuery.Receipt(var id) ->
          records(new MultiSignatureQuery.GetRecords(id)).thenApply(HapiCalls::receipt);
      case NetworkQuery.Record(var id) ->
          records(new MultiSignatureQuery.GetRecords(id)).thenCompose(this::record);
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
                    ResponseCode.INVALID_ACCOUNT_ID));
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
                    ResponseCode.INVALID_ACCOUNT_ID));
  }

  private CompletionStage<List<TransactionRecord>> records(MultiSignatureQuery.GetRecords of) {
    return scheduler.ask(settings.queue(), of).thenApply(MultiSignatureAnswer.Records::records);
  }

  /** The newest is the outcome; one that is only handed over has none yet. */
  private static Found receipt(List<TransactionRecord> records) {
    if (records.isEmpty()) {
      return new Found.Nothing(ResponseCode.RECEIPT_NOT_FOUND);
    }
    var receipt = records.getLast().receipt();
    return new Found.Message(
        receipt.status() == ResponseCode.OK
            ? NetworkAnswers.receiptToCome()
            : NetworkAnswers.receipt(receipt));
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
                    NetworkAnswers.record(newest, payer.orElse(newest.transactionId().account()))));
  }
}
