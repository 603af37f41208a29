package dev.sequitur.scheduler.body;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.Utf8;
import dev.sequitur.schedule.RetryPolicy;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.signing.Action;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A private transaction as the parameters of a contract call: JSON with {@code domain}, {@code
 * function}, {@code from}, {@code inputs}, and {@code retry} if it may be tried again: {@code
 * maxAttempts}, and the pauses {@code first} and {@code most}, or {@code pauses}. It is signed, so
 * whatever another reader could take for something else is refused: a name that is not known, or
 * that stands there twice.
 */
final class CallParameters {
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          // What is signed is what runs, to the last digit.
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private static final Set<String> NAMES = Set.of("domain", "function", "from", "inputs", "retry");
  private static final Set<String> RETRY_NAMES = Set.of("maxAttempts", "first", "most", "pauses");

  private CallParameters() {}

  /**
   * @throws IllegalArgumentException if they are none
   */
  static Action.PrivateTransaction read(ContractAddress contract, String parameters) {
    try {
      var json = object(JSON.readTree(parameters), NAMES);
      var call =
          new Target.PrivateCall(
              contract,
              text(json, "domain"),
              text(json, "function"),
              Identity.parse(text(json, "from")),
              Bytes.of(JSON.writeValueAsBytes(json.path("inputs"))));
      return json.has("retry")
          ? new Action.PrivateTransaction(call, retry(object(json.get("retry"), RETRY_NAMES)))
          : Action.PrivateTransaction.once(call);
    } catch (IOException | ArithmeticException e) {
      throw new IllegalArgumentException("The parameters are no JSON.", e);
    }
  }

  private static JsonNode object(JsonNode json, Set<String> names) {
    if (json == null || !json.isObject()) {
      throw new IllegalArgumentException("It is no object.");
    }
    json.fieldNames()
        .forEachRemaining(
            name -> {
              if (!names.contains(name)) {
                throw new IllegalArgumentException("It has a name that is not known: " + name);
              }
            });
    return json;
  }

  private static String text(JsonNode json, String name) {
    var value = json.get(name);
    if (value == null
        || !value.isTextual()
        // Half of a character, by an escape: nothing could store it as it is.
        || !Utf8.isWhole(value.textValue())) {
      throw new IllegalArgumentException("It has no text '" + name + "'.");
    }
    return value.textValue();
  }

  private static RetryPolicy retry(JsonNode json) {
    var attempts = json.get("maxAttempts");
    if (attempts == null || !attempts.canConvertToInt() || !attempts.isIntegralNumber()) {
      throw new IllegalArgumentException("It has no number 'maxAttempts'.");
    }
    return new RetryPolicy(
        attempts.intValue(),
        new Backoff(duration(json, "first"), duration(json, "most")),
        pauses(json.get("pauses")));
  }

  private static List<Duration> pauses(JsonNode json) {
    var pauses = new ArrayList<Duration>();
    if (json != null) {
      if (!json.isArray() || json.isEmpty()) {
        throw new IllegalArgumentException("Its pauses are no durations.");
      }
      json.forEach(each -> pauses.add(duration(each)));
    }
    return pauses;
  }

  private static Duration duration(JsonNode text) {
    try {
      return Duration.parse(text.asText());
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("Its pauses are no durations.", e);
    }
  }

  private static Duration duration(JsonNode json, String name) {
    try {
      return Duration.parse(text(json, name));
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("It has no duration '" + name + "'.", e);
    }
  }

  /**
   * @throws IllegalArgumentException if the inputs are no JSON
   */
  static Bytes write(Action.PrivateTransaction action) {
    var call = action.call();
    var json =
        JSON.createObjectNode()
            .put("domain", call.domain())
            .put("function", call.function())
            .put("from", call.from().toString());
    try {
      json.set("inputs", JSON.readTree(Utf8.decode(call.inputs().toByteArray())));
      var retry = action.retry();
      if (!retry.equals(RetryPolicy.NEVER)) {
        var written = json.putObject("retry");
        written
            .put("maxAttempts", retry.maxAttempts())
            .put("first", retry.backoff().initial().toString())
            .put("most", retry.backoff().cap().toString());
        if (!retry.pauses().isEmpty()) {
          var pauses = written.putArray("pauses");
          retry.pauses().forEach(pause -> pauses.add(pause.toString()));
        }
      }
      return Bytes.of(JSON.writeValueAsBytes(json));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("The inputs are no JSON.", e);
    }
  }
}
