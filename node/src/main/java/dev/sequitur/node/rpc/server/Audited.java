package dev.sequitur.node.rpc.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.node.guard.AuditLog;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.json.JsonText;
import dev.sequitur.node.rpc.method.Call;
import dev.sequitur.node.rpc.method.RpcMethod;
import dev.sequitur.protocol.guard.MethodGroup;
import dev.sequitur.protocol.guard.Principal;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Writes down calls that change something: who, which method, what they named, what they came to.
 * Never contents: of the parameters only what is granted by name, of the result only ids.
 * Thread-safe.
 */
final class Audited {
  private static final int MOST_IDS = 100;
  private static final int LONGEST_ID = 128;

  /** Fields of results that are ids. */
  private static final List<String> IDS =
      List.of("id", "taskId", "scheduleID", "accountID", "transactionID", "contractAddress");

  private final Optional<AuditLog> log;
  private final InstantSource clock;

  Audited(Optional<AuditLog> log, InstantSource clock) {
    this.log = log;
    this.clock = clock;
  }

  /** What is known of a call so far; an entry that is not asked for costs nothing. */
  final class Entry {
    private final RpcMethod method;
    private final Principal caller;
    private final ObjectNode named = JsonText.object();

    private Entry(RpcMethod method, Principal caller) {
      this.method = method;
      this.caller = caller;
    }

    /** What the call names. */
    void names(Call call) {
      call.tell(
          (mention, name) -> {
            var kind = mention.name().toLowerCase(Locale.ROOT);
            var list = named.has(kind) ? (ArrayNode) named.get(kind) : named.putArray(kind);
            if (list.size() < MOST_IDS && name.length() <= LONGEST_ID) {
              list.add(name);
            }
          });
    }

    /**
     * What has become of it.
     *
     * @return completes when it is written
     */
    CompletableFuture<Void> ended(String outcome, Optional<JsonNode> result) {
      var json =
          JsonText.object()
              .put("at", clock.instant().toString())
              .put("caller", caller.toString())
              .put("method", method.name());
      json.setAll(named);
      json.put("outcome", outcome);
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
    if (log.isEmpty() || method.group() == MethodGroup.READ) {
      return Optional.empty();
    }
    if (!log.get().takePlace()) {
      throw new RpcFailure(
          ErrorCode.NO_AUDIT,
          "The node cannot write down who does this now, so it is not done. Try again; if it stays so, the node's log says why.");
    }
    return Optional.of(new Entry(method, caller));
  }

  private static void addIds(ObjectNode json, JsonNode result) {
    var ids = JsonText.object().arrayNode();
    if (result.isTextual()) {
      add(ids, result);
    } else if (result.isArray()) {
      result.forEach(each -> add(ids, each));
    } else {
      IDS.forEach(field -> add(ids, result.path(field)));
    }
    if (!ids.isEmpty()) {
      json.set("ids", ids);
    }
  }

  private static void add(ArrayNode ids, JsonNode id) {
    if (id.isTextual() && ids.size() < MOST_IDS && id.textValue().length() <= LONGEST_ID) {
      ids.add(id.textValue());
    }
  }
}
