package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * What Paladin's TypeScript client and its Go client send for each of their calls, letter by
 * letter, and what of an answer they read: {@code text}, {@code hash} (of 32 bytes), {@code
 * number}, {@code boolean}, {@code texts} (an object of texts, whatever their names), {@code any}
 * or {@code refused}, an array of one of these, or an object of them, where a name that ends in a
 * question mark may be absent. What the clients send was written down as they ran at commit
 * 4f46e1f63 of their repository, with names and ids of these tests; the domain in the one without
 * {@code to} is another. The Go client says null where there is nothing, and reads nothing of an
 * answer in which one value is of another type.
 */
class PaladinRequestsTest {
  private static final Path REQUESTS =
      Path.of("src/test/resources/dev/sequitur/node/rpc/paladin-requests.json");

  @TestFactory
  Stream<DynamicTest> whatTheClientSendsIsAnsweredAsItReadsIt() throws IOException {
    var requests = RunningRpc.JSON.readTree(REQUESTS.toFile());
    var rpc = RunningRpc.withDefaults();
    return IntStream.range(0, requests.size())
        .mapToObj(requests::get)
        .map(
            request ->
                DynamicTest.dynamicTest(
                    request.get("method").textValue() + " " + request.get("params"),
                    () -> replay(rpc, request)))
        .onClose(rpc::close);
  }

  private static void replay(RunningRpc rpc, JsonNode request) {
    var response = rpc.call(request.get("method").textValue(), request.get("params").toString());
    if (request.get("answer").asText().equals("refused")) {
      assertThat(response.at("/error/message").asText()).startsWith("SQ010206: ");
      return;
    }
    assertThat(response.has("result")).as(response.toString()).isTrue();
    assertRead("result", request.get("answer"), response.get("result"));
  }

  private static void assertRead(String path, JsonNode wanted, JsonNode given) {
    if (wanted.isObject()) {
      assertThat(given.isObject()).as("%s is %s", path, given).isTrue();
      wanted
          .fields()
          .forEachRemaining(field -> assertField(path, field.getKey(), field.getValue(), given));
    } else if (wanted.isArray()) {
      assertThat(given.isArray()).as("%s is %s", path, given).isTrue();
      given.forEach(element -> assertRead(path + "[]", wanted.get(0), element));
    } else {
      assertThat(isA(wanted.textValue(), given))
          .as("%s must be %s and is %s", path, wanted.textValue(), given)
          .isTrue();
    }
  }

  private static void assertField(String path, String name, JsonNode wanted, JsonNode object) {
    boolean optional = name.endsWith("?");
    var plain = optional ? name.substring(0, name.length() - 1) : name;
    if (!optional || object.has(plain)) {
      assertThat(object.has(plain)).as("%s.%s of %s", path, plain, object).isTrue();
      assertRead(path + "." + plain, wanted, object.get(plain));
    }
  }

  private static boolean all(JsonNode values, Predicate<JsonNode> hold) {
    return StreamSupport.stream(values.spliterator(), false).allMatch(hold);
  }

  private static boolean isA(String type, JsonNode given) {
    return switch (type) {
      case "text" -> given.isTextual();
      case "text or null" -> given.isTextual() || given.isNull();
      case "hash" -> given.asText().matches("0x[0-9a-f]{64}");
      case "texts" -> given.isObject() && all(given, JsonNode::isTextual);
      case "number" -> given.isIntegralNumber();
      case "boolean" -> given.isBoolean();
      case "any" -> true;
      default -> throw new IllegalArgumentException("No such type: " + type);
    };
  }
}
