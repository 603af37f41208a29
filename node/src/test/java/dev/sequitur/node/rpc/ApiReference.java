package dev.sequitur.node.rpc;

import static java.util.Map.entry;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.json.Field;
import dev.sequitur.json.JsonText;
import dev.sequitur.node.rpc.method.RpcMethod;
import dev.sequitur.protocol.port.Domain;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * Writes the pages of the reference from the table of methods, the examples and the table of
 * errors: one that comes first, and one for the methods of each prefix.
 */
final class ApiReference {
  /** As many as a cell of a table may list. */
  private static final int MOST_WORDS = 12;

  private static final String MADE =
      "<!-- Made by ApiReferenceTest: change what it is made from, then run that test with"
          + " -Dbuild.docs.write=true. -->\n\n";

  private static final String HEAD =
      """
      # JSON-RPC

      One endpoint for each node. `POST` JSON-RPC 2.0 to `/`, or open a WebSocket at `/` or `/ws` and send it as text messages. `GET /health`, `/health/live` and `/health/ready` answer JSON, with 503 if the node is not live or not ready ([Operations](operations.md#live-ready-or-only-told)), `GET /metrics` Prometheus' text format, or OpenMetrics to who asks for it, `GET /page/` [the node's page](operations.md#the-nodes-page). Anything else but `POST` is 405. The endpoint listens on loopback unless it is told otherwise.

      - `id` is mandatory and not null; it is echoed as it was sent. `params` is an array: parameters go by position.
      - A batch is an array of requests; its responses may be matched by their ids. They are carried out at the same time: two that one sender sends in a batch may be accepted in any order. What has to keep its order is sent by one `ptx_sendTransactions`, or after the answer to what comes before.
      - An error comes with HTTP 200 and `error {code, message, data}`. The message starts with a stable code of ours and says what to do; `data {code, status}` has that code for programs, and `status` where the specification of the method has a name for it, such as INVALID_SCHEDULE_ID. A signed transaction that is refused has its receipt there, too: `number`, and of an identical creation `scheduleID` and `scheduledTransactionID`. An example: `SQ010105: There is no method ptx_sendTransactoin. Did you mean ptx_sendTransaction? rpc_methods lists all.`
      - An unknown object is the result `null`, not an error.
      - Heights and indexes in objects are numbers; `bidx_getConfirmedBlockHeight` answers `0x` and hexadecimal digits. Times are RFC 3339 in UTC. An amount belongs in a string.
      - The text is UTF-8, and strictly so: overlong forms and halves of surrogate pairs, also as `\\ud800`, are refused, since they could not be stored as they came.
      - A header `Host` with a name that the node does not have (`rpc.host-names`) is 403, so that no web page makes its own name mean the node. Web pages may call from `rpc.allowed-origins`, and from loopback unless `rpc.loopback-pages = false`; their browsers' preflight requests are answered.
      - A connection beyond `rpc.limits.connections` or `connections-per-address`, WebSockets included, is answered `/health` and `/metrics` only, and anything else 503 (`SQ010011`).
      - Beyond loopback, and with `rpc.authentication = required`, every request shows who sends it: `Authorization: Bearer` and a token of `sequitur token`. Without, the answer is 401 (`SQ010012`), and a call that no role of its caller grants is the error `SQ010013` ([Operations](operations.md#who-may-call)). Each method says its group on its page; a WebSocket is asked when it is opened and again at each message.
      - ethers and other client libraries ask `eth_chainId` or `net_version` first: both are answered.
      - The field names are those that clients of Paladin nodes know; what is ours is said so.
      - Of schedules: amounts, gas and prices are decimal digits in strings, and are read as numbers too; a consensus time comes twice, as `at` in RFC 3339 and as `atNs`, nanoseconds since 1970 in a string. Times are read as RFC 3339, or as the specification's own unit.
      - Of schedules, too: a field that a method does not know is refused, so that a misspelt one does not mean something else. What the sequencer's methods do not know is ignored, as clients of Paladin nodes expect.

      """;

  private static final String RUNNING =
      """
      # Running the examples of the schedules

      They follow each other: post them in the order of [all methods](methods.md) to a node that has no schedules yet, after the calls below, which make what they name. `ApiOnRealNodesTest` does just that. What stands in angle brackets is to be filled in:

      - `<x of m>` is what stands at `x` in the answer to the example of `m`, or to the call below that has this name.
      - A time is RFC 3339; a full hour is one to come.
      - alice and bob sign. The keys of identities of a node do for that: `multiSignature_sign [{"identity":"alice@node1","bytes":…}]` answers `publicKey` and `signature`. With keys in files, `./sequitur schedule create` and `sign` do all of it.
      - `0x1111111111111111111111111111111111111111` stands for the contract of a privacy group of alice@node1 and bob@node2 in the domain `token` ([pgroup_createGroup](pgroup.md#pgroup_creategroup)).

      A node of one's own: [examples/two-nodes](../../examples/two-nodes/README.md). With its default settings a series is parked at the earliest a minute after it was scheduled, since its slots are minutes: `scheduler.recurring.slot = 1s` makes that quick.

      ```json
      """;

  private static final String QUERIES =
      """
      ## Queries

      `{"eq"|"neq"|"like"|"lt"|"lte"|"gt"|"gte": [{"field", "value", "not"?, "caseInsensitive"?}], "in"|"nin": [{"field", "values", "not"?}], "null": [{"field", "not"?}], "or": [{…}], "limit": n, "sort": ["field DESC"]}`

      `equal`, `lessThan`, `lessThanOrEqual`, `greaterThan` and `greaterThanOrEqual` are other names of `eq`, `lt`, `lte`, `gt` and `gte`. All comparisons must hold, and one of `or` if it is there, which may have an `or` again; `not` turns one round. Where a row has no value, `null`, `neq` and `nin` hold and nothing else. `like` knows `%` (any characters), `_` (one), and a backslash before one that is meant as it is. `caseInsensitive` goes with `eq`, `neq` and `like`. Times are RFC 3339, or seconds, milliseconds or nanoseconds since 1970. `-field` sorts as `field DESC` does. `limit` is mandatory. A query looks at a bounded number of rows and stops with an error where that does not suffice; an `eq` on `id` or `idempotencyKey`, and a lower bound on `sequence`, lead straight to the rows.

      ## Receipts and messages over a WebSocket

      Create a listener once (`ptx_createReceiptListener`), then `ptx_subscribe ["receipts", name]` on a WebSocket. Batches come as

      ```json
      {"jsonrpc":"2.0","method":"ptx_subscription","params":{"subscription":"…","result":{"batchId":1,"receipts":[…]}}}
      ```

      The next batch comes after `ptx_ack [subscription]`. After `ptx_nack [subscription]` the same batch comes again, later. Neither is answered. Messages between members come in the same way, in order of `localSequence`: `pgroup_createMessageListener`, `pgroup_subscribe ["messages", name]`, `pgroup_subscription` with `messages`, `pgroup_ack` and `pgroup_nack`. Several subscriptions may share a listener; each batch goes to one of them. Who has not answered a batch for 30 s while another was ready gets no other before it answers; that answer counts for nothing else. What was not acknowledged when a connection ended is pushed to the next subscription: each receipt comes at least once, in order of `sequence`. A transaction that ended as reverted and is confirmed on the base ledger all the same gets a second receipt, a success under a later `sequence`: listeners see both, the later one holds, and `ptx_getTransactionReceipt` shows it. If the subscription ends by itself (the listener was deleted), `params` holds `error {code, message, data}`, and a `result` without rows.

      ## Events of contracts over a WebSocket

      On a chain. Create a listener with the events that it is to be told (`ptx_createBlockchainEventListener`), then `ptx_subscribe ["blockchainevents", name]`. Batches come and are acknowledged as those of receipts; `result` has `events` in place of `receipts`, each with its place, its contract and what it means by the source's ABI. Events of final blocks only, in the order of the chain.

      """;

  private static final String ABOUT_OBJECTS =
      "The fields of what is sent and answered; those in brackets may be left out.\n\n";

  private static final String ABOUT_FUNCTIONS =
      """
      What transactions name as `function` and send as `data` ([ptx_sendTransaction](ptx.md#ptx_sendtransaction)), and what calls ask ([ptx_call](ptx.md#ptx_call)). A field that a function does not know is refused, and so is one of another type: with its name and what it takes. The OpenRPC document has the same as JSON Schemas; `rpc.discover` of a node also those of its other domains.

      """;

  private static final String EVENTS =
      """
      ## Events of schedules over a WebSocket

      `schedule_subscribe` on a WebSocket; then events come as they happen, without acknowledgement:

      ```json
      {"jsonrpc":"2.0","method":"schedule_subscription","params":{"subscription":"…","result":{"queue":"default","events":[{"schedule":"gas-priority:0x…","type":"ended","owner":"alice","incarnation":1,"occurrence":0,"attempt":1,"outcome":"run","at":"2026-11-21T10:05:00Z","atNs":"1795255500000000000","note":"","cost":{"gasUnitPrice":"1","gasUsed":"10","charged":"10","refunded":"290"}}]}}}
      ```

      What a crash or a lost connection falls between is not told again. Who must miss nothing reads `events_read` from the `next` it had last, or creates a listener (`events_createListener`), which is told at least once and in order, in batches as those of receipts: `events_subscribe ["schedules", name]`, `events_subscription` with `events`, `events_ack` and `events_nack`.

      """;

  /** Over HTTP they answer that they need one. */
  static final Set<String> OVER_A_WEBSOCKET =
      Set.of(
          "ptx_subscribe",
          "ptx_ack",
          "ptx_nack",
          "ptx_unsubscribe",
          "pgroup_subscribe",
          "pgroup_ack",
          "pgroup_nack",
          "pgroup_unsubscribe",
          "schedule_subscribe",
          "schedule_unsubscribe",
          "events_subscribe",
          "events_ack",
          "events_nack",
          "events_unsubscribe");

  /** What a caller needs to send something, to see what came of it, and to have it run later. */
  private static final List<String> FIRST =
      List.of(
          "pgroup_createGroup",
          "ptx_sendTransaction",
          "ptx_getTransactionReceipt",
          "ptx_call",
          "recurring_schedulePrivateTransactionTask",
          "schedule_explain");

  /** What the methods of a page are for. */
  private static final Map<String, String> ABOUT =
      Map.ofEntries(
          entry("ptx", "transactions, private and public: to send, to look for, to be told of"),
          entry("sequencer", "what a node's sequencer does for a contract, and how to mend it"),
          entry("pgroup", "privacy groups, their calls and the messages of their members"),
          entry("eth", "what client libraries of Ethereum ask first"),
          entry("bidx", "blocks, transactions and events that the node has read"),
          entry("transport", "the node's name and its links to other nodes"),
          entry("reg", "who is known: nodes and their entries"),
          entry("keymgr", "keys of identities"),
          entry("domain", "domains and their contracts"),
          entry("pstate", "states, by schema"),
          entry("node", "the node's log and a report for those who help"),
          entry("events", "what has happened in a queue: to read, to be told, to be sent"),
          entry("schedule", "what all families of schedules share: accounts, lists, events"),
          entry("gasPriority", "executions in the order of what they pay for gas"),
          entry("recurring", "series: once, at a frequency, or by a cron expression"),
          entry("multiSignature", "executions that wait for signatures"),
          entry("plans", "plans that are purchased and then executed in windows"),
          entry("chaos", "faults, for tests"),
          entry("rpc", "the methods themselves, for programs"));

  /** Prefixes of one or two methods, and the prefix on whose page they stand. */
  private static final Map<String, String> BESIDE =
      Map.of("debug", "ptx", "net", "eth", "log", "node");

  private static final String OBJECTS = "objects";

  private final Collection<RpcMethod> methods;
  private final Collection<Domain> domains;
  private final JsonNode examples;

  /** By name. */
  private final TreeMap<String, ObjectNode> objects = new TreeMap<>();

  /** The page of each object: that of the only prefix which uses it, or one for all others. */
  private final Map<String, String> pageOfObject = new TreeMap<>();

  /** Where links are written now. */
  private String current = "";

  private ApiReference(
      Collection<RpcMethod> methods, Collection<Domain> domains, JsonNode examples) {
    this.methods = methods;
    this.domains = domains;
    this.examples = examples;
    for (var method : methods) {
      var used = new TreeMap<String, ObjectNode>();
      method.parameters().forEach(parameter -> parameter.format().schema(used));
      method.result().schema(used);
      objects.putAll(used);
      used.keySet()
          .forEach(
              name ->
                  pageOfObject.merge(
                      name, pageOf(method), (one, other) -> one.equals(other) ? one : OBJECTS));
    }
  }

  /**
   * @param before the calls that make what the examples name
   * @return the text of each page, by its path beneath the folder of the documentation
   */
  static SortedMap<String, String> write(
      Collection<RpcMethod> methods,
      Collection<Domain> domains,
      JsonNode examples,
      JsonNode before) {
    return new ApiReference(methods, domains, examples).pages(before);
  }

  private SortedMap<String, String> pages(JsonNode before) {
    var pages = new TreeMap<String, String>();
    pages.put("api.md", firstPage());
    pages.put("api/methods.md", MADE + allMethods());
    pages.put("api/schedule-examples.md", MADE + RUNNING + PrintedExamples.steps(before) + "```\n");
    pages.put("api/errors.md", MADE + errors());
    pages.put("api/functions.md", MADE + functions());
    for (var page : prefixes()) {
      pages.put("api/" + page + ".md", MADE + pageOfPrefix(page));
    }
    pages.put("api/objects.md", MADE + sharedObjects());
    return pages;
  }

  private String firstPage() {
    current = "";
    var page = new StringBuilder(MADE).append(HEAD);
    page.append("## The calls that everybody needs\n\n");
    for (var name : FIRST) {
      var method = method(name);
      page.append("[`%s`](%s) answers %s:\n\n".formatted(name, link(method), method.returns()));
      appendExample(page, method);
    }
    page.append("## Pages\n\n| methods | are for |\n|---|---|\n");
    for (var prefix : prefixes()) {
      page.append("| [%s](api/%s.md) | %s |\n".formatted(prefix, prefix, ABOUT.get(prefix)));
    }
    page.append(
        """

        [All methods](api/methods.md) on one page, [the functions of domains](api/functions.md), [objects that several pages use](api/objects.md), [errors](api/errors.md), and \
        [how to run the examples of the schedules](api/schedule-examples.md). The same for programs is [the OpenRPC document](api/openrpc.json), which a \
        node gives by `rpc.discover`.

        """);
    return page.append(QUERIES).append(EVENTS.stripTrailing()).append('\n').toString();
  }

  /** Each that has a page, in the order of the table of methods. */
  private Set<String> prefixes() {
    var prefixes = new LinkedHashSet<>(methods.stream().map(ApiReference::pageOf).toList());
    if (!prefixes.equals(ABOUT.keySet())) {
      throw new IllegalStateException("ABOUT has " + ABOUT.keySet() + " and not " + prefixes);
    }
    return prefixes;
  }

  private String allMethods() {
    current = "methods";
    var page = new StringBuilder("# All methods\n\n| method | answers |\n|---|---|\n");
    for (var method : methods) {
      page.append(
          "| [`%s`](%s) | %s |\n".formatted(method.name(), link(method), cell(method.returns())));
    }
    return page.toString();
  }

  /** By the schemas that the domains give, as the OpenRPC document has them. */
  private String functions() {
    var page = new StringBuilder("# Functions of the shipped domains\n\n").append(ABOUT_FUNCTIONS);
    domains.stream()
        .sorted(Comparator.comparing(Domain::name))
        .forEach(
            domain -> {
              page.append("## ").append(domain.name()).append("\n\n");
              page.append("| function | takes | |\n|---|---|---|\n");
              domain.functions().forEach(function -> page.append(row(function)));
              page.append('\n');
            });
    return page.toString().stripTrailing() + "\n";
  }

  private static String row(Domain.DescribedFunction function) {
    var schemas = JsonText.parse(function.schemas().toByteArray());
    var fields =
        schemas.at("/" + function.inputs()).path("properties").properties().stream()
            .map(field -> field(field, schemas.at("/" + function.inputs() + "/required"), schemas))
            .collect(Collectors.joining("<br>"));
    return "| `%s`%s | %s | %s |\n"
        .formatted(
            function.name(), function.readOnly() ? " (call)" : "", cell(fields), function.doc());
  }

  private static String field(
      Map.Entry<String, JsonNode> field, JsonNode required, JsonNode schemas) {
    boolean must =
        StreamSupport.stream(required.spliterator(), false)
            .anyMatch(name -> name.asText().equals(field.getKey()));
    var schema = field.getValue();
    var elements = schemas.path(schema.at("/items/$ref").asText().replaceFirst(".*/", ""));
    var type =
        elements.isMissingNode()
            ? schema.path("title").asText("any JSON")
            : "an array of {"
                + elements.path("properties").properties().stream()
                    .map(Map.Entry::getKey)
                    .collect(Collectors.joining(", "))
                + "}";
    return "`%s`%s: %s; %s"
        .formatted(
            field.getKey(), must ? "" : " (optional)", type, schema.path("description").asText());
  }

  private static String errors() {
    var page =
        new StringBuilder("# Errors\n\n| message starts with | code | meaning |\n|---|---|---|\n");
    for (var error : ErrorCode.values()) {
      page.append(
          "| `%s` | %d | %s |\n".formatted(error.code(), error.rpcCode(), cell(error.meaning())));
    }
    return page.toString();
  }

  private String pageOfPrefix(String prefix) {
    current = prefix;
    var page = new StringBuilder("# Methods of `").append(prefix).append("`: ");
    page.append(ABOUT.get(prefix)).append("\n\n");
    page.append("How to call them is told in [JSON-RPC](../api.md).\n\n");
    methods.stream()
        .filter(method -> pageOf(method).equals(prefix))
        .forEach(method -> write(page, method));
    if (pageOfObject.containsValue(prefix)) {
      page.append("## Objects\n\n").append(ABOUT_OBJECTS);
      writeObjects(page, prefix);
    }
    return page.toString().stripTrailing() + "\n";
  }

  private String sharedObjects() {
    current = OBJECTS;
    var page = new StringBuilder("# Objects that several pages use\n\n").append(ABOUT_OBJECTS);
    writeObjects(page, OBJECTS);
    return page.toString().stripTrailing() + "\n";
  }

  private RpcMethod method(String name) {
    return methods.stream().filter(method -> method.name().equals(name)).findAny().orElseThrow();
  }

  private static String pageOf(RpcMethod method) {
    var prefix = method.name().split("[_.]", 2)[0];
    return BESIDE.getOrDefault(prefix, prefix);
  }

  private void write(StringBuilder page, RpcMethod method) {
    page.append("## ").append(method.name()).append("\n\n");
    // Methods link pages as from the folder above.
    page.append(method.doc().replace("](", "](../")).append("\n\n");
    if (!method.parameters().isEmpty()) {
      page.append("| parameter | type | |\n|---|---|---|\n");
      for (var parameter : method.parameters()) {
        page.append(
            "| `%s`%s | %s | %s |\n"
                .formatted(
                    parameter.name(),
                    parameter.required() ? "" : " (optional)",
                    type(parameter),
                    cell(parameter.doc())));
      }
      page.append('\n');
    }
    page.append("Group: ").append(method.group().word()).append(". ");
    page.append("Result: ").append(method.returns()).append('.').append(objects(method));
    page.append("\n\n");
    appendExample(page, method);
  }

  private void appendExample(StringBuilder page, RpcMethod method) {
    var example = examples.path(method.name());
    if (OVER_A_WEBSOCKET.contains(method.name())) {
      page.append("Over a WebSocket:\n\n");
    }
    page.append("```json\n").append(PrintedExamples.requests(method.name(), example));
    if (example.has("result")) {
      page.append("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":%s}\n".formatted(pretty(example)));
    }
    if (example.has("error")) {
      page.append("{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":%s}\n".formatted(example.get("error")));
    }
    page.append("```\n\n");
  }

  /** What is sent and answered consists of, each once, from the shapes that read and write it. */
  private void writeObjects(StringBuilder page, String where) {
    objects.forEach(
        (name, schema) -> {
          if (!pageOfObject.get(name).equals(where)) {
            return;
          }
          page.append("### ").append(name).append("\n\n");
          if (!schema.has("properties")) {
            // The only one that is no object of its own.
            page.append(about(schema)).append(" [All of them](functions.md).\n\n");
            return;
          }
          page.append("| field | type | |\n|---|---|---|\n");
          var required = new HashSet<String>();
          schema.get("required").forEach(field -> required.add(field.textValue()));
          schema
              .get("properties")
              .fields()
              .forEachRemaining(
                  field ->
                      page.append(
                          "| %s | %s | %s |\n"
                              .formatted(
                                  required.contains(field.getKey())
                                      ? "`" + field.getKey() + "`"
                                      : "[`" + field.getKey() + "`]",
                                  type(field.getValue()),
                                  cell(about(field.getValue())))));
          page.append('\n');
        });
  }

  private static String about(JsonNode property) {
    var doc = property.path("description").asText();
    var standard = property.path("default");
    // What is left out as a whole has its own defaults within.
    return standard.isMissingNode() || standard.isContainerNode() || standard.asText().isEmpty()
        ? doc
        : (doc + " (default: `" + standard.asText() + "`)").strip();
  }

  /** In words, or where it consists of objects, with these. */
  private String type(Field<?> parameter) {
    var schema = parameter.format().schema(new TreeMap<>());
    return schema.findValue("$ref") == null ? parameter.format().type() : type(schema);
  }

  private String objects(RpcMethod method) {
    var names = new TreeSet<String>();
    method
        .result()
        .schema(new TreeMap<>())
        .findValuesAsText("$ref")
        .forEach(reference -> names.add(link(reference)));
    return names.isEmpty() ? "" : " Objects: " + String.join(", ", names) + ".";
  }

  /** To an object, from the page that is written. */
  private String link(String reference) {
    var name = reference.substring(reference.lastIndexOf('/') + 1);
    return "[%s](%s)".formatted(name, place(pageOfObject.get(name), name));
  }

  private String link(RpcMethod method) {
    return place(pageOf(method), method.name());
  }

  private String place(String page, String heading) {
    if (page.equals(current)) {
      return "#" + anchor(heading);
    }
    return (current.isEmpty() ? "api/" : "") + page + ".md#" + anchor(heading);
  }

  private static String anchor(String heading) {
    return heading.toLowerCase(Locale.ROOT).replace(".", "");
  }

  /** A schema in words. */
  private String type(JsonNode schema) {
    if (schema.has("$ref")) {
      return link(schema.get("$ref").textValue());
    } else if (schema.has("items")) {
      return "array of " + type(schema.get("items"));
    } else if (schema.has("additionalProperties")) {
      return "object of " + type(schema.get("additionalProperties"));
    } else if (schema.has("oneOf")) {
      var choices = new ArrayList<String>();
      schema.get("oneOf").forEach(choice -> choices.add(type(choice)));
      return String.join(" or ", choices);
    } else if (schema.has("enum")) {
      var words = new ArrayList<String>();
      schema.get("enum").forEach(word -> words.add("`" + word.textValue() + "`"));
      return words.size() <= MOST_WORDS
          ? String.join(", ", words)
          : "one of %d words, which `rpc.discover` lists".formatted(words.size());
    }
    return cell(schema.path("title").asText(schema.path("type").asText("any JSON")));
  }

  private static String pretty(JsonNode example) {
    try {
      return RunningRpc.JSON
          .writerWithDefaultPrettyPrinter()
          .writeValueAsString(example.get("result"));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String cell(String text) {
    return text.replace("|", "\\|");
  }
}
