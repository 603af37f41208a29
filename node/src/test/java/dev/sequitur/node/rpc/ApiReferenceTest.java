package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.json.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The reference says what the node does: its examples are run, and it is made from the tables. */
class ApiReferenceTest {
  private static final Set<String> ON_METHODS = Set.of("rpc_methods", "rpc.discover");

  private static final Path EXAMPLES =
      Path.of("src/test/resources/dev/sequitur/node/rpc/examples.json");
  private static final Path BEFORE =
      Path.of("src/test/resources/dev/sequitur/node/rpc/before.json");
  private static final Path DOCS = Path.of("../docs");
  private static final Path OPEN_RPC = DOCS.resolve("api/openrpc.json");

  /** Those that another system knows too, whose callers may send more; and the operator's. */
  private static final Pattern TAKING_MORE =
      Pattern.compile(
          "(bidx|chaos|debug|domain|eth|keymgr|net|pgroup|pstate|ptx|reg|transport)_.*|events_query.*|rpc.*");

  private static final boolean UPDATE = Boolean.getBoolean("build.docs.write");

  private static RunningRpc rpc;
  private static ObjectNode examples;
  private static JsonNode before;

  @BeforeAll
  static void start() throws IOException {
    rpc = RunningRpc.withChaos();
    Sample.publics(rpc.node.store());
    examples = (ObjectNode) RunningRpc.JSON.readTree(EXAMPLES.toFile());
    before = RunningRpc.JSON.readTree(BEFORE.toFile());
    if (UPDATE) {
      update();
    }
  }

  @AfterAll
  static void stop() {
    rpc.close();
  }

  @Test
  void eachMethodHasAnExampleAndEachExampleAMethod() {
    var names = rpc.server.methods().methods().stream().map(method -> method.name()).toList();
    var exampleNames = new TreeSet<String>();
    examples.fieldNames().forEachRemaining(exampleNames::add);
    assertThat(exampleNames).containsExactlyInAnyOrderElementsOf(names);
  }

  @Test
  void thePagesAreMadeFromTheTablesAndTheExamples() throws IOException {
    if ("page".equals(System.getProperty("build.docs.write"))) {
      writePages();
    }
    var pages =
        ApiReference.write(
            rpc.server.methods().methods(), rpc.node.domains().values(), examples, before);
    for (var page : pages.entrySet()) {
      assertThat(DOCS.resolve(page.getKey()))
          .as("Run ApiReferenceTest with -Dbuild.docs.write=true")
          .hasContent(page.getValue());
    }
    assertThat(pages.keySet()).containsAll(pagesOfPrefixes());
  }

  /** A generator of clients reads it without a node. */
  @Test
  void theOpenRpcDocumentStandsBesideThePages() throws IOException {
    assertThat(RunningRpc.JSON.readTree(OPEN_RPC.toFile()))
        .as("Run ApiReferenceTest with -Dbuild.docs.write=true")
        .isEqualTo(rpc.result("rpc.discover", "[]"));
  }

  /** There are no ids and times in it, which are others each time. */
  @Test
  void whatANodeSaysOfItsMethodsIsShownInItsOwnWords() {
    assertThat(examples.at("/rpc_methods/result/0"))
        .isEqualTo(rpc.result("rpc_methods", "[]").get(0));
    var shown = examples.at("/rpc.discover/result");
    var said = rpc.result("rpc.discover", "[]");
    assertThat(shown.at("/methods/0")).isEqualTo(said.at("/methods/0"));
    var schemas = shown.at("/components/schemas");
    schemas
        .fieldNames()
        .forEachRemaining(
            name ->
                assertThat(schemas.get(name)).isEqualTo(said.at("/components/schemas").get(name)));
  }

  /** What the OpenRPC document says of a result holds for the result that the node gives. */
  @Test
  void eachFieldOfAResultIsInTheSchemaOfTheMethod() {
    var document = rpc.result("rpc.discover", "[]");
    var schemas = document.at("/components/schemas");
    assertThat(document.get("methods").findValuesAsText("name")).contains("ptx_sendTransaction");
    for (var method : document.get("methods")) {
      var result = examples.path(method.get("name").asText()).path("result");
      var unknown = Conformance.objections(result, method.at("/result/schema"), schemas);
      assertThat(unknown).as(method.get("name").asText()).isEmpty();
    }
  }

  /** Each example is sent as the document says. */
  @Test
  void eachFieldOfAnExampleIsInTheSchemaOfItsParameter() {
    var document = rpc.result("rpc.discover", "[]");
    for (var method : document.get("methods")) {
      var sent = examples.path(method.get("name").asText()).path("params");
      for (int i = 0; i < sent.size(); i++) {
        var schema = method.at("/params/" + i + "/schema");
        var unknown =
            Conformance.objections(sent.get(i), schema, document.at("/components/schemas"));
        assertThat(unknown).as(method.get("name").asText()).isEmpty();
      }
    }
  }

  /** The document has each object once, under its name: two of one name would be one of them. */
  @Test
  void noTwoObjectsShareAName() {
    var known = new TreeMap<String, ObjectNode>();
    for (var method : rpc.server.methods().methods()) {
      var formats = new ArrayList<Shape<?>>(List.of(method.result()));
      method.parameters().forEach(parameter -> formats.add(parameter.format()));
      for (var format : formats) {
        var named = new TreeMap<String, ObjectNode>();
        format.schema(named);
        named.forEach(
            (name, schema) -> {
              var other = known.putIfAbsent(name, schema);
              assertThat(schema).as(name).isEqualTo(other == null ? schema : other);
            });
      }
    }
  }

  @Test
  void noTwoErrorsShareACode() {
    var codes = new HashSet<String>();
    for (var error : ErrorCode.values()) {
      assertThat(codes.add(error.code())).as(error.name()).isTrue();
      assertThat(error.code()).matches("SQ\\d{6}");
      assertThat(error.meaning()).endsWith(".");
    }
  }

  /** The sequencer gives its codes as text: none may be left out of the table. */
  @Test
  void eachCodeThatTheSequencerGivesIsInTheTable() throws IOException {
    var literal = Pattern.compile("\"(SQ\\d{6})\"");
    try (var files = Files.walk(Path.of("../sequencer-actors/src/main/java"))) {
      for (var file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
        var found = literal.matcher(Files.readString(file));
        while (found.find()) {
          assertThat(ErrorCode.of(found.group(1))).as(found.group() + " in " + file).isPresent();
        }
      }
    }
  }

  @Test
  void thoseThatNeedAWebSocketSaySo() {
    for (var method : rpc.server.methods().methods()) {
      var params = examples.get(method.name()).get("params").toString();
      if (method.answered() && ApiReference.OVER_A_WEBSOCKET.contains(method.name())) {
        assertThat(rpc.error(method.name(), params).get("message").asText())
            .startsWith("SQ010108: ");
      }
    }
  }

  /** In the page's order, since a listener is created before it is subscribed to. */
  @TestFactory
  Stream<DynamicTest> theExampleIsAnsweredInTheDocumentedShape() {
    var socket = rpc.webSocket();
    var running = Examples.onRules(examples, rpc);
    return rpc.server.methods().methods().stream()
        .map(
            method ->
                DynamicTest.dynamicTest(
                    method.name(),
                    () -> {
                      var example = examples.get(method.name());
                      if (!method.answered()) {
                        socket.tell(method.name(), example.get("params").toString());
                        assertThat(example.has("result")).isFalse();
                        return;
                      }
                      var params = running.params(method.name());
                      if (!TAKING_MORE.matcher(method.name()).matches()) {
                        assertUnknownFieldsAreRefused(socket, method.name(), params);
                      }
                      var response = socket.call(method.name(), params.toString());
                      if (example.has("error")) {
                        assertThat(response.get("error")).isEqualTo(example.get("error"));
                        return;
                      }
                      assertThat(response.has("result")).as(response.toString()).isTrue();
                      running.answered(method.name(), response.get("result"));
                      assertSameShape("result", example.get("result"), response.get("result"));
                    }))
        .onClose(socket::close);
  }

  /** In each object but those that are somebody else's to read; and nothing is stored. */
  private static void assertUnknownFieldsAreRefused(
      WebSocketClient socket, String method, JsonNode params) {
    for (var pointer : objects("", params)) {
      var changed = params.deepCopy();
      ((ObjectNode) changed.at(pointer)).put("nobodyReadsThis", 1);
      var response = socket.call(method, changed.toString());
      assertThat(response.at("/error/message").asText())
          .as("%s of %s: %s", pointer, method, response)
          .contains("nobodyReadsThis is not known here.");
    }
  }

  private static List<String> objects(String pointer, JsonNode node) {
    var found = new ArrayList<String>();
    if (node.isObject()) {
      found.add(pointer);
      node.fields()
          .forEachRemaining(
              field -> {
                if (!field.getKey().equals("data")) {
                  found.addAll(objects(pointer + "/" + field.getKey(), field.getValue()));
                }
              });
    }
    for (int i = 0; node.isArray() && i < node.size(); i++) {
      found.addAll(objects(pointer + "/" + i, node.get(i)));
    }
    return found;
  }

  private static void assertSameShape(String path, JsonNode documented, JsonNode actual) {
    assertThat(actual.getNodeType()).as(path).isEqualTo(documented.getNodeType());
    if (path.endsWith(".schemas")) {
      return; // One is printed of many.
    }
    if (documented.isObject()) {
      var names = new TreeSet<String>();
      actual.fieldNames().forEachRemaining(names::add);
      var expected = new TreeSet<String>();
      documented.fieldNames().forEachRemaining(expected::add);
      assertThat(names).as(path).isEqualTo(expected);
      names.forEach(
          name -> assertSameShape(path + "." + name, documented.get(name), actual.get(name)));
    }
    if (documented.isArray() && !documented.isEmpty()) {
      assertThat(actual.isEmpty()).as(path).isFalse();
      assertSameShape(path + "[0]", documented.get(0), actual.get(0));
    }
  }

  private static void update() throws IOException {
    try (var fresh = RunningRpc.withChaos();
        var socket = fresh.webSocket()) {
      Sample.publics(fresh.node.store());
      var running = Examples.onRules(examples, fresh);
      for (var method : fresh.server.methods().methods()) {
        var example = (ObjectNode) examples.path(method.name());
        if (!method.answered()) {
          continue;
        }
        var params = running.params(method.name());
        var response = socket.call(method.name(), params.toString());
        if (example.has("error")) {
          example.set("error", response.get("error"));
          continue;
        }
        assertThat(response.has("result")).as(method.name() + ": " + response).isTrue();
        running.answered(method.name(), response.get("result"));
        if (ON_METHODS.contains(method.name()) || !holds(example, params, response.get("result"))) {
          example.set("params", params);
          example.set("result", response.get("result"));
        }
      }
    }
    // Too long to print, and it says what the page says already.
    keepFirst((ArrayNode) examples.at("/rpc_methods/result"));
    keepFirst((ArrayNode) examples.at("/rpc.discover/result/methods"));
    keepFirst((ArrayNode) examples.at("/rpc.discover/result/x-domains"));
    keepFirst((ArrayNode) examples.at("/rpc.discover/result/x-domains/0/functions"));
    var schemas = (ObjectNode) examples.at("/rpc.discover/result/components/schemas");
    schemas.retain(schemas.fieldNames().next());
    var writer = RunningRpc.JSON.writerWithDefaultPrettyPrinter();
    Files.writeString(EXAMPLES, writer.writeValueAsString(examples) + "\n");
    writePages();
  }

  private static void writePages() throws IOException {
    Files.createDirectories(OPEN_RPC.getParent());
    for (var gone : pagesOfPrefixes()) {
      Files.delete(DOCS.resolve(gone));
    }
    var pages =
        ApiReference.write(
            rpc.server.methods().methods(), rpc.node.domains().values(), examples, before);
    for (var page : pages.entrySet()) {
      Files.writeString(DOCS.resolve(page.getKey()), page.getValue());
    }
    var writer = RunningRpc.JSON.writerWithDefaultPrettyPrinter();
    Files.writeString(OPEN_RPC, writer.writeValueAsString(rpc.result("rpc.discover", "[]")) + "\n");
  }

  private static List<String> pagesOfPrefixes() throws IOException {
    try (var files = Files.list(OPEN_RPC.getParent())) {
      return files
          .map(file -> "api/" + file.getFileName())
          .filter(name -> name.endsWith(".md"))
          .toList();
    }
  }

  /** What is still true is kept, since ids and times are others each time. */
  private static boolean holds(JsonNode example, JsonNode params, JsonNode result) {
    if (!example.has("result")
        || !(example.has("template") || example.get("params").equals(params))) {
      return false;
    }
    try {
      assertSameShape("result", example.get("result"), result);
      return true;
    } catch (AssertionError changed) {
      return false;
    }
  }

  private static void keepFirst(ArrayNode all) {
    var first = all.get(0);
    all.removeAll().add(first);
  }
}
