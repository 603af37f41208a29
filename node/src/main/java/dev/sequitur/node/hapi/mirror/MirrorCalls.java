package dev.sequitur.node.hapi.mirror;

import static java.util.concurrent.CompletableFuture.completedFuture;

import akka.http.javadsl.model.ContentTypes;
import akka.http.javadsl.model.HttpEntities;
import akka.http.javadsl.model.HttpMethods;
import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.HttpResponse;
import akka.http.javadsl.model.StatusCode;
import akka.http.javadsl.model.StatusCodes;
import akka.http.scaladsl.model.IllegalUriException;
import akka.stream.Materializer;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.json.JsonText;
import dev.sequitur.node.hapi.HapiSettings;
import dev.sequitur.node.hapi.mirror.MirrorParameters.Sent;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.server.OtherDoor;
import dev.sequitur.protocol.guard.MethodGroup;
import dev.sequitur.protocol.guard.Named;
import dev.sequitur.protocol.guard.Principal;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.multisignature.EntityRange;
import dev.sequitur.schedule.multisignature.MultiSignatureAnswer;
import dev.sequitur.schedule.multisignature.MultiSignatureAnswer.RecordsFound;
import dev.sequitur.schedule.multisignature.MultiSignatureAnswer.RecordsFound.Found;
import dev.sequitur.schedule.multisignature.MultiSignatureQuery;
import dev.sequitur.schedule.multisignature.ScheduleInfo;
import dev.sequitur.schedule.multisignature.TimeRange;
import dev.sequitur.schedule.signing.AccountTransactionId;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.ResponseCode;
import dev.sequitur.schedule.signing.TransactionRecord;
import dev.sequitur.scheduler.SchedulerNode;
import dev.sequitur.scheduler.SchedulerUnavailableException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What each path of a mirror node is answered. Thread-safe. */
final class MirrorCalls {
  private static final Logger LOG = LoggerFactory.getLogger(MirrorCalls.class);
  private static final String ROOT = "/api/v1/";
  private static final String BALANCES = ROOT + "balances";
  private static final String SCHEDULES = ROOT + "schedules";
  private static final String TRANSACTIONS = ROOT + "transactions";
  private static final String NODES = ROOT + "network/nodes";
  private static final Pattern TRANSACTION =
      Pattern.compile("0\\.0\\.([0-9]{1,10})-([0-9]{1,10})-([0-9]{1,9})");

  /** As whose address contracts know an account: zeros, and its number. */
  private static final Pattern EVM_ADDRESS =
      Pattern.compile("(?:0x|0\\.|0\\.0\\.)?0{24}([0-9A-Fa-f]{16})");

  private static final long NANOS = 1_000_000_000;
  private static final MirrorHistory.Page NO_TRANSACTIONS =
      new MirrorHistory.Page(List.of(), Optional.empty());

  private final SchedulerNode scheduler;
  private final HapiSettings settings;
  private final OtherDoor door;
  private final int front;
  private final Materializer materializer;
  private final MirrorHistory history;

  /**
   * @param front the port at which the transactions of clients are taken
   */
  MirrorCalls(
      SchedulerNode scheduler,
      HapiSettings settings,
      OtherDoor door,
      int front,
      Materializer materializer) {
    this.scheduler = scheduler;
    this.settings = settings;
    this.door = door;
    this.front = front;
    this.materializer = materializer;
    this.history = new MirrorHistory(scheduler, settings.queue());
  }

  CompletionStage<HttpResponse> answer(HttpRequest request) {
    request.discardEntityBytes(materializer);
    return found(request)
        .handle(
            (json, failure) ->
                failure == null ? response(StatusCodes.OK, json) : failed(request, failure));
  }

  private CompletionStage<ObjectNode> found(HttpRequest request) {
    Principal caller;
    try {
      caller = door.who(request);
    } catch (RpcFailure e) {
      return door.failed(request, e)
          .thenApply(
              told -> {
                throw MirrorFailure.of(e);
              });
    }
    if (!door.begins(caller)) {
      return CompletableFuture.failedFuture(MirrorFailure.of(ResponseCode.BUSY));
    }
    return found(request, caller).whenComplete((json, failure) -> door.ends(caller));
  }

  private CompletionStage<ObjectNode> found(HttpRequest request, Principal caller) {
    try {
      if (!request.method().equals(HttpMethods.GET)) {
        throw MirrorFailure.readOnly();
      }
      return found(request.getUri().path(), sent(request), caller);
    } catch (MirrorFailure | RpcFailure e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /**
   * @param account that is looked at, or every one
   */
  private void mustSee(Principal caller, Optional<String> account) {
    var about = new ArrayList<Named>();
    about.add(new Named(Named.Kind.QUEUES, settings.queue().value()));
    account.ifPresent(name -> about.add(new Named(Named.Kind.ACCOUNTS, name)));
    door.refusal(caller, MethodGroup.READ, about)
        .ifPresent(
            refused -> {
              throw refused;
            });
  }

  private boolean sees(Principal caller, ScheduleInfo info) {
    return door.sees(caller, info.terms().group());
  }

  private static List<Sent> sent(HttpRequest request) {
    try {
      return request.getUri().query().toList().stream()
          .map(pair -> new Sent(pair.first(), pair.second()))
          .toList();
    } catch (IllegalUriException e) {
      throw MirrorFailure.invalid("query");
    }
  }

  private CompletionStage<ObjectNode> found(String path, List<Sent> sent, Principal caller) {
    if (!path.startsWith(ROOT)) {
      throw MirrorFailure.notFound();
    }
    var parts = path.substring(ROOT.length()).split("/", -1);
    var of = parts.length == 2 ? parts[1] : "";
    return switch (parts[0] + (parts.length == 1 ? "" : "/" + (parts.length - 1))) {
      case "accounts/1" -> account(of, sent, caller);
      case "balances" -> balances(sent, caller);
      case "schedules" -> schedules(sent, caller);
      case "schedules/1" -> schedule(of, sent, caller);
      case "transactions" -> transactions(sent, caller);
      case "transactions/1" -> transaction(of, sent, caller);
      case "network/1" -> nodes(of, sent, caller);
      default -> throw MirrorFailure.notFound();
    };
  }

  private CompletionStage<ObjectNode> account(String of, List<Sent> sent, Principal caller) {
    var parameters = MirrorParameters.of(sent, Set.of("limit", "order", "transactions"));
    var range = parameters.times("timestamp", parameters.isDescending(true));
    boolean withTransactions = parameters.flag("transactions", true);
    var id = accountId(of).orElseThrow(() -> MirrorFailure.invalid("idOrAliasOrEvmAddress"));
    mustSee(caller, Optional.of(id.toString()));
    return accounts(EntityRange.of(id))
        .thenApply(
            found ->
                found.accounts().stream()
                    .findFirst()
                    .map(holder -> MirrorJson.account(holder, found.at()))
                    .orElseThrow(MirrorFailure::notFound))
        .thenCompose(
            json ->
                (withTransactions ? page(range, Optional.of(id)) : completedFuture(NO_TRANSACTIONS))
                    .thenApply(page -> put(json, page, caller, any -> true))
                    .thenApply(
                        page ->
                            MirrorJson.links(
                                json, page.last().map(time -> transactionsOf(id, range, time)))));
  }

  /** The other pages are those of the list of transactions. */
  private static String transactionsOf(EntityId account, TimeRange range, ConsensusTime last) {
    var sent =
        List.of(
            new Sent("account.id", account.toString()),
            new Sent("limit", Integer.toString(range.limit())),
            new Sent("order", range.descending() ? "desc" : "asc"));
    return MirrorParameters.of(sent, Set.of("account.id", "limit", "order"))
        .next(TRANSACTIONS, "timestamp", MirrorJson.time(last), range.descending());
  }

  /** Aliases and addresses that are not made of a number are nobody's here. */
  private static Optional<EntityId> accountId(String of) {
    var address = EVM_ADDRESS.matcher(of);
    if (address.matches()) {
      long number = Long.parseUnsignedLong(address.group(1), 16);
      return number < 0 ? Optional.empty() : Optional.of(new EntityId(number));
    }
    return MirrorParameters.entity(of);
  }

  private CompletionStage<MultiSignatureAnswer.AccountsFound> accounts(EntityRange range) {
    return scheduler.ask(settings.queue(), new MultiSignatureQuery.AccountsIn(range));
  }

  private CompletionStage<ObjectNode> balances(List<Sent> sent, Principal caller) {
    var paged = "account.id";
    var parameters =
        MirrorParameters.of(
            sent, Set.of("account.balance", "account.publickey", paged, "limit", "order"));
    var range = parameters.range(paged, parameters.isDescending(true));
    var balance = parameters.compared("account.balance");
    var key = parameters.publicKey("account.publickey");
    mustSee(caller, Optional.of(Named.ALL));
    return accounts(range)
        .thenApply(
            found -> {
              var json = JsonText.object().put("timestamp", MirrorJson.time(found.at()));
              var rows = json.putArray("balances");
              found.accounts().stream()
                  .filter(holder -> balance.test(holder.balance().units()))
                  .filter(holder -> key.test(holder.account().key()))
                  .forEach(holder -> rows.add(MirrorJson.balance(holder)));
              var last =
                  found.accounts().size() == range.limit()
                      ? Optional.of(found.accounts().getLast().id())
                      : Optional.<EntityId>empty();
              return MirrorJson.links(
                  json,
                  last.map(
                      id -> parameters.next(BALANCES, paged, id.toString(), range.descending())));
            });
  }

  private CompletionStage<ObjectNode> schedules(List<Sent> sent, Principal caller) {
    var paged = "schedule.id";
    var parameters = MirrorParameters.of(sent, Set.of("account.id", paged, "limit", "order"));
    var range = parameters.range(paged, parameters.isDescending(false));
    mustSee(caller, Optional.empty());
    var query = new MultiSignatureQuery.SchedulesIn(range, parameters.entityOf("account.id"));
    return scheduler
        .ask(settings.queue(), query)
        .thenApply(
            found -> {
              if (found.status() != ResponseCode.OK) {
                throw MirrorFailure.of(found.status());
              }
              var json = JsonText.object();
              var rows = json.putArray("schedules");
              found.schedules().stream()
                  .filter(info -> sees(caller, info))
                  .forEach(info -> rows.add(MirrorJson.schedule(info)));
              return MirrorJson.links(
                  json,
                  found
                      .last()
                      .map(
                          id ->
                              parameters.next(
                                  SCHEDULES, paged, id.toString(), range.descending())));
            });
  }

  private CompletionStage<ObjectNode> schedule(String of, List<Sent> sent, Principal caller) {
    MirrorParameters.of(sent, Set.of());
    var id = MirrorParameters.entity(of).orElseThrow(() -> MirrorFailure.invalid("scheduleId"));
    mustSee(caller, Optional.empty());
    return info(id)
        .thenApply(
            found ->
                found
                    .info()
                    .filter(info -> sees(caller, info))
                    .map(MirrorJson::schedule)
                    .orElseThrow(() -> MirrorFailure.of(found.status())));
  }

  private CompletionStage<MultiSignatureAnswer.InfoFound> info(EntityId id) {
    return scheduler.ask(settings.queue(), new MultiSignatureQuery.ScheduleGetInfo(id));
  }

  private CompletionStage<ObjectNode> transactions(List<Sent> sent, Principal caller) {
    var paged = "timestamp";
    var parameters =
        MirrorParameters.of(sent, Set.of("account.id", "limit", "order", "result", paged));
    var range = parameters.times(paged, parameters.isDescending(true));
    var account = parameters.entityOf("account.id");
    var result = parameters.result("result");
    mustSee(caller, Optional.of(account.map(EntityId::toString).orElse(Named.ALL)));
    var json = JsonText.object();
    return page(range, account)
        .thenApply(
            page -> {
              put(json, page, caller, result);
              return MirrorJson.links(
                  json,
                  page.last()
                      .map(
                          time ->
                              parameters.next(
                                  TRANSACTIONS, paged, MirrorJson.time(time), range.descending())));
            });
  }

  /** With the rows of a page that the caller may see. */
  private MirrorHistory.Page put(
      ObjectNode json, MirrorHistory.Page page, Principal caller, Predicate<ResponseCode> result) {
    var array = json.putArray("transactions");
    page.found().stream()
        .filter(row -> door.sees(caller, row.record().group()))
        .filter(row -> result.test(row.record().receipt().status()))
        .forEach(row -> array.add(MirrorJson.transaction(row.record(), row.trigger())));
    return page;
  }

  private CompletionStage<MirrorHistory.Page> page(TimeRange range, Optional<EntityId> account) {
    return scheduler
        .ask(settings.queue(), new MultiSignatureQuery.RecordsIn(range, account))
        .thenCompose(kept -> withHistory(kept, range, account));
  }

  /** What is older than all records that are kept is known by its outcome. */
  private CompletionStage<MirrorHistory.Page> withHistory(
      RecordsFound kept, TimeRange range, Optional<EntityId> account) {
    if (kept.status() != ResponseCode.OK) {
      throw MirrorFailure.of(kept.status());
    }
    var recent = new MirrorHistory.Page(kept.records(), kept.last());
    var older = range.before(kept.since());
    if (older.isEmpty() || (range.descending() && recent.last().isPresent())) {
      return completedFuture(recent);
    }
    int left = range.limit() - kept.records().size();
    if (!range.descending()) {
      return history.page(older, account).thenApply(page -> page.followedBy(recent, range.limit()));
    } else if (left == 0) {
      return completedFuture(recent.goingOn());
    }
    return history
        .page(older.withLimit(left), account)
        .thenApply(page -> recent.followedBy(page, range.limit()));
  }

  private CompletionStage<ObjectNode> transaction(String of, List<Sent> sent, Principal caller) {
    var parameters = MirrorParameters.of(sent, Set.of("nonce", "scheduled"));
    var start = TRANSACTION.matcher(of);
    if (!start.matches()) {
      throw MirrorFailure.invalidTransaction();
    }
    mustSee(caller, Optional.empty());
    long seconds = Long.parseLong(start.group(2));
    if (seconds >= ConsensusTime.END.getEpochSecond()) {
      throw MirrorFailure.notFound();
    }
    var id =
        AccountTransactionId.submitted(
            new ConsensusTime(seconds * NANOS + Long.parseLong(start.group(3))),
            new EntityId(Long.parseLong(start.group(1))));
    var scheduled = parameters.findFlag("scheduled");
    int nonce = parameters.nonce().orElse(0);
    var ids = new ArrayList<AccountTransactionId>();
    if (!scheduled.orElse(false) && nonce == 0) {
      ids.add(id);
    }
    if (scheduled.orElse(true)) {
      ids.add(id.triggered(nonce));
    }
    return Answers.all(ids.stream().map(this::records).toList())
        .thenApply(
            found -> {
              var rows =
                  found.stream()
                      .flatMap(List::stream)
                      .filter(row -> door.sees(caller, row.record().group()))
                      .sorted(Comparator.comparing(row -> row.record().consensusTimestamp()))
                      .toList();
              if (rows.isEmpty()) {
                throw MirrorFailure.notFound();
              }
              var json = JsonText.object();
              var array = json.putArray("transactions");
              rows.forEach(row -> array.add(MirrorJson.transaction(row.record(), row.trigger())));
              return json;
            });
  }

  private CompletionStage<List<Found>> records(AccountTransactionId id) {
    return scheduler
        .ask(settings.queue(), new MultiSignatureQuery.GetRecords(id))
        .thenCompose(
            kept ->
                kept.records().isEmpty() && id.scheduled()
                    ? history.triggered(id).thenApply(found -> found.stream().toList())
                    : Answers.all(kept.records().stream().map(this::row).toList()));
  }

  private CompletionStage<Found> row(TransactionRecord record) {
    return Answers.ifThere(record.scheduleRef(), this::info)
        .thenApply(
            found ->
                new Found(
                    record,
                    found.flatMap(MultiSignatureAnswer.InfoFound::info).map(ScheduleInfo::terms)));
  }

  private CompletionStage<ObjectNode> nodes(String of, List<Sent> sent, Principal caller) {
    var paged = "node.id";
    var parameters = MirrorParameters.of(sent, Set.of("file.id", paged, "limit", "order"));
    if (!of.equals("nodes")) {
      throw MirrorFailure.notFound();
    }
    mustSee(caller, Optional.empty());
    var range = parameters.range(paged, parameters.isDescending(false));
    var all = new ArrayList<>(nodes().entrySet());
    var asked = new ArrayList<Integer>();
    for (int number = 0; number < all.size(); number++) {
      if (number >= range.from().number() && number <= range.to().number()) {
        asked.add(number);
      }
    }
    var ordered = range.descending() ? asked.reversed() : asked;
    var page = ordered.stream().limit(range.limit()).toList();
    var json = JsonText.object();
    var rows = json.putArray("nodes");
    page.forEach(
        number ->
            rows.add(
                MirrorJson.node(all.get(number).getKey(), number, all.get(number).getValue())));
    var next =
        page.size() < ordered.size()
            ? Optional.of(parameters.next(NODES, paged, "" + page.getLast(), range.descending()))
            : Optional.<String>empty();
    return completedFuture(MirrorJson.links(json, next));
  }

  /** All fronts of the queue, in the order of their accounts. */
  private SortedMap<EntityId, InetSocketAddress> nodes() {
    return settings.nodes().isEmpty()
        ? new TreeMap<>(
            Map.of(settings.account(), InetSocketAddress.createUnresolved(settings.host(), front)))
        : settings.nodes();
  }

  private static HttpResponse response(StatusCode status, ObjectNode json) {
    return HttpResponse.create()
        .withStatus(status)
        .withEntity(HttpEntities.create(ContentTypes.APPLICATION_JSON, JsonText.write(json)));
  }

  private static HttpResponse failed(HttpRequest request, Throwable thrown) {
    var cause = Answers.cause(thrown);
    var failure =
        switch (cause) {
          case MirrorFailure known -> known;
          case RpcFailure refused -> MirrorFailure.of(refused);
          case SchedulerUnavailableException ignored -> MirrorFailure.unavailable();
          default -> {
            LOG.error("A request for the mirror's view of {} failed", request.getUri(), cause);
            yield MirrorFailure.ofTheNode();
          }
        };
    return response(failure.status(), MirrorJson.failure(failure));
  }
}
