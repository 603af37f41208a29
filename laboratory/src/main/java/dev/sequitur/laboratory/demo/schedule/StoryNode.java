package dev.sequitur.laboratory.demo.schedule;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.client.NodeCalls;
import dev.sequitur.laboratory.demo.DemoFailure;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/** One node as a story calls it: over HTTP, as anybody would. Blocks the caller. */
final class StoryNode {
  static final JsonMapper JSON =
      JsonMapper.builder().enable(JsonReadFeature.ALLOW_SINGLE_QUOTES).build();

  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Duration LOOK = Duration.ofMillis(100);

  private final NodeCalls calls;
  private final Stage stage;

  StoryNode(String url, Stage stage) {
    this.calls = new NodeCalls(List.of(URI.create(url)));
    this.stage = stage;
  }

  /**
   * Makes a call that must succeed.
   *
   * @param params a JSON array, quoted with ' or ", with places for {@code values}
   */
  JsonNode call(String method, String params, Object... values) {
    var answer = answer(method, params, values);
    if (!answer.has("result")) {
      throw new DemoFailure(method + " was refused: " + answer.at("/error/message").asText());
    }
    return answer.get("result");
  }

  private JsonNode answer(String method, String params, Object... values) {
    try {
      var array = (ArrayNode) JSON.readTree(params.formatted(values));
      return calls.batch(method, List.of(array)).get(0);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("These are no parameters: " + params, e);
    } catch (IOException e) {
      throw stage.unlessStopped(new DemoFailure("A node did not answer " + method + ".", e));
    }
  }

  /** Calls again and again until the result is as wanted. */
  JsonNode await(String what, Predicate<JsonNode> wanted, String method, String params) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    var result = call(method, params);
    while (!wanted.test(result)) {
      if (System.nanoTime() > deadline) {
        throw new DemoFailure(
            "%s did not come within %d minutes; last seen: %s"
                .formatted(what, PATIENCE.toMinutes(), result));
      }
      stage.pause(LOOK);
      result = call(method, params);
    }
    return result;
  }

  /** Waits until the contract of a group of tokens stands. */
  String contract(String group) {
    return await(
            "The group",
            found -> found.hasNonNull("contractAddress"),
            "pgroup_getGroupById",
            "['token','" + group + "']")
        .get("contractAddress")
        .asText();
  }

  /** Makes tokens for who asks for them, and waits until they are on the ledger. */
  void mint(String contract, String owner, long amount) {
    var mint =
        call(
                "ptx_sendTransaction",
                "[{'type':'private','from':'%s','to':'%s','function':'mint',"
                    + "'data':{'to':'%s','amount':'%d'}}]",
                owner,
                contract,
                owner,
                amount)
            .asText();
    await(
        "The mint's receipt",
        receipt -> receipt.path("success").asBoolean(),
        "ptx_getTransactionReceipt",
        "['" + mint + "']");
  }

  /** What an account of the default queue can spend. */
  long balance(String account) {
    return Long.parseLong(call("schedule_getBalance", "['%s']", account).asText());
  }

  void fund(String account, long amount) {
    call("schedule_fund", "[{'account':'%s','amount':'%d'}]", account, amount);
  }

  /** Waits until so many occurrences of a schedule have their outcomes; one entry for each. */
  JsonNode outcomes(String id, int count) {
    var explanation =
        await(
            "The outcomes of " + id,
            found -> each(found.get("history")).size() >= count,
            "schedule_explain",
            "['" + id + "']");
    return each(explanation.get("history"));
  }

  /** Occurrences that were missed together are told together. */
  private static ArrayNode each(JsonNode history) {
    var each = JsonNodeFactory.instance.arrayNode();
    for (var recorded : history) {
      long first = recorded.get("occurrence").asLong();
      for (int i = 0; i < recorded.path("occurrences").asInt(1); i++) {
        each.add(recorded.<ObjectNode>deepCopy().put("occurrence", first + i));
      }
    }
    return each;
  }
}
