package dev.sequitur.node.rpc.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.json.Field.Mention;
import dev.sequitur.json.Format;
import dev.sequitur.json.JsonText;
import dev.sequitur.links.admission.Network;
import dev.sequitur.node.guard.AuditLog;
import dev.sequitur.node.guard.CallerRefusals;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.method.Call;
import dev.sequitur.node.rpc.method.RpcMethod;
import dev.sequitur.node.rpc.method.WebhookKey;
import dev.sequitur.protocol.guard.MethodGroup;
import dev.sequitur.protocol.guard.Principal;
import dev.sequitur.sequencer.setup.CommitteeNews;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes into the audit each call that changes something: who called which method, what the call
 * named, and what came of it. Contents are never written: of the parameters all names and ids, of
 * the result all ids. Failed logins are written, too, and what the node does about committees of
 * groups by itself. Thread-safe.
 */
final class Audited {
  private static final Logger LOG = LoggerFactory.getLogger(Audited.class);

  /** Fields of results that are ids, or lists of them. */
  private static final Set<String> IDS =
      Set.of(
          "id",
          "ids",
          "taskId",
          "scheduleID",
          "accountID",
          "transactionID",
          "scheduledTransactionID",
          "genesisTransaction",
          "contractAddress");

  /** Of all networks together so many are written one by one. */
  static final int FAILED_LOGINS = 200;

  private static final String ALL = "all";

  private final Optional<AuditLog> log;
  private final InstantSource clock;
  private final CallerRefusals refusals;

  /** Of networks, apart from callers: many networks do not push callers out of what is counted. */
  private final CallerRefusals failedLogins;

  /** Of all networks together: somebody who has very many of them does not fill the disk. */
  private final CallerRefusals allFailedLogins;

  Audited(Optional<AuditLog> log, InstantSource clock, LongSupplier nanoTime) {
    this.log = log;
    this.clock = clock;
    this.refusals = new CallerRefusals(nanoTime);
    this.failedLogins = new CallerRefusals(nanoTime);
    this.allFailedLogins = new CallerRefusals(nanoTime, FAILED_LOGINS);
  }

  /** What is known of a call so far; an entry that is not asked for costs nothing. */
  final class Entry {
    private final String method;
    private final Principal caller;
    private final Map<Mention, Set<String>> named = new EnumMap<>(Mention.class);

    private Entry(String method, Principal caller) {
      this.method = method;
      this.caller = caller;
    }

    /** What the call names. */
    void names(Call call) {
      call.tell(this::names);
    }

    /** One thing that the call names. */
    void names(Mention mention, String name) {
      // What is longer is refused when it is read.
      if (name.length() <= Format.MAX_FORMATTED) {
        named.computeIfAbsent(mention, any -> new LinkedHashSet<>()).add(name);
      }
    }

    /**
     * What has become of it.
     *
     * @return completes when it is written
     */
    CompletableFuture<Void> ended(String outcome, Optional<JsonNode> result) {
      var leftOut = OptionalLong.of(0);
      if (outcome.equals(ErrorCode.NOT_GRANTED.code())) {
        leftOut = refusals.due(caller.toString());
        if (leftOut.isEmpty()) {
          log.orElseThrow().givePlaceBack();
          return CompletableFuture.completedFuture(null);
        }
      }
      var json =
          JsonText.object()
              .put("at", clock.instant().toString())
              .put("caller", caller.toString())
              .put("method", method);
      named.forEach(
          (mention, names) -> {
            var list = json.putArray(mention.name().toLowerCase(Locale.ROOT));
            names.forEach(list::add);
          });
      json.put("outcome", outcome);
      if (leftOut.getAsLong() > 0) {
        json.put("refusedBefore", leftOut.getAsLong());
      }
      result.ifPresent(value -> addIds(json, value));
      return log.orElseThrow().write(json);
    }
  }

  /**
   * Begins the entry of a call.
   *
   * @return empty if it is not written down
   * @throws RpcFailure if it had to be, and cannot be: then it must not be done
   */
  Optional<Entry> begin(RpcMethod method, Principal caller) {
    return method.group() == MethodGroup.READ ? Optional.empty() : begin(method.name(), caller);
  }

  /** The same of a call that changes something and is none of JSON-RPC's. */
  Optional<Entry> begin(String method, Principal caller) {
    if (log.isEmpty()) {
      return Optional.empty();
    }
    if (!log.get().takePlace()) {
      throw new RpcFailure(
          ErrorCode.NO_AUDIT,
          "The node cannot write down who does this now, so it is not done. Try again; if it stays so, the node's log says why.");
    }
    return Optional.of(new Entry(method, caller));
  }

  /**
   * Somebody has shown something that does not hold; of one network within the same bound, and of
   * all together within one of their own.
   */
  void failedLogin(Network from, RpcFailure failure) {
    var leftOut = log.isEmpty() ? OptionalLong.empty() : failedLogins.due(from.name());
    if (leftOut.isEmpty()) {
      return;
    }
    var leftOutOfAll = allFailedLogins.due(ALL, 1 + leftOut.getAsLong());
    if (leftOutOfAll.isEmpty() || !log.get().takePlace()) {
      return;
    }
    var json =
        JsonText.object()
            .put("at", clock.instant().toString())
            .put("from", from.name())
            .put("outcome", failure.code())
            .put("reason", failure.text());
    if (leftOut.getAsLong() > 0) {
      json.put("refusedBefore", leftOut.getAsLong());
    }
    if (leftOutOfAll.getAsLong() > 0) {
      json.put("refusedBeforeOfAll", leftOutOfAll.getAsLong());
    }
    log.get().write(json);
  }

  /**
   * What the node has done about a committee without being called (AGR-8). It is done already: what
   * can't be written now is told in the log.
   */
  void committee(CommitteeNews.News news) {
    if (log.isEmpty()) {
      return;
    }
    var json = JsonText.object().put("at", clock.instant().toString()).put("event", "committee");
    json.putArray("contract").add(news.contract().toString());
    json.put("number", news.number());
    var who = json.putArray("identity");
    news.who().forEach(each -> who.add(each.toString()));
    json.put("outcome", news.what().name().toLowerCase(Locale.ROOT));
    news.block().ifPresent(block -> json.put("block", block.value()));
    news.why().ifPresent(why -> json.put("reason", why));
    if (log.get().takePlace()) {
      log.get().write(json);
    } else {
      LOG.warn("The audit cannot be written, and lacks what the node has done: {}", json);
    }
  }

  private static void addIds(ObjectNode json, JsonNode result) {
    var ids = ids(result);
    if (!ids.isEmpty()) {
      var list = json.putArray("ids");
      ids.forEach(list::add);
    }
  }

  /** The ids in a result. */
  static Set<String> ids(JsonNode result) {
    var ids = new LinkedHashSet<String>();
    if (result.isTextual() || result.isArray()) {
      addText(ids, result);
    }
    addFields(ids, result);
    return ids;
  }

  private static void addFields(Set<String> ids, JsonNode result) {
    result
        .fields()
        .forEachRemaining(
            field -> {
              if (IDS.contains(field.getKey())) {
                addText(ids, field.getValue());
              }
            });
    result.forEach(each -> addFields(ids, each));
  }

  private static void addText(Set<String> ids, JsonNode text) {
    if (text.isTextual()
        && text.textValue().length() <= Format.MAX_FORMATTED
        && !WebhookKey.isOne(text.textValue())) {
      ids.add(text.textValue());
    } else if (text.isArray()) {
      text.forEach(each -> addText(ids, each));
    }
  }
}
