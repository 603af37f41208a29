package dev.sequitur.node.rpc;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.recurring.RecurringSettings;
import dev.sequitur.schedule.signing.PublicKey;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.Signature;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * The examples of the reference page on one node. A {@code template} says what an example's
 * parameters are made of: a {@linkplain Placeholder placeholder} for what only a run knows, and
 * {@code {"build", "sigMap", "signers"}} for a transaction that is built and signed, with keys that
 * are everybody's.
 */
final class Examples {
  private static final int KEY_BYTES = 32;

  private final JsonNode examples;
  private final BiFunction<String, String, JsonNode> call;
  private final InstantSource clock;
  private final Instant start;
  private final Duration slot;
  private final Map<String, JsonNode> results = new HashMap<>();
  private int signed;

  /**
   * @param call answers a method with its parameters: the result
   * @param clock when transactions begin to be valid; the other times are counted from now
   * @param slot of the node's recurring tasks
   */
  Examples(
      JsonNode examples,
      BiFunction<String, String, JsonNode> call,
      InstantSource clock,
      Duration slot) {
    this.examples = examples;
    this.call = call;
    this.clock = clock;
    this.start = clock.instant();
    this.slot = slot;
  }

  /** On the rules alone, where what the calls before the examples make is there already. */
  static Examples onRules(JsonNode examples, RunningRpc rpc) {
    var running =
        new Examples(
            examples,
            rpc::result,
            InstantSource.fixed(Sample.NOW),
            RecurringSettings.DEFAULT.slot());
    var node = RunningRpc.JSON.createObjectNode();
    running.answered("toDelete", node.deepCopy().put("scheduleID", "0.0.1003"));
    var parked = rpc.result("schedule_list", "[{\"owner\": \"carol\"}]").at("/schedules/0/id");
    running.answered("parked", node.deepCopy().set("taskId", parked));
    return running;
  }

  /** What to send, a JSON array. */
  ArrayNode params(String method) {
    return params(examples.get(method));
  }

  private ArrayNode params(JsonNode example) {
    if (!example.has("template")) {
      return (ArrayNode) example.get("params").deepCopy();
    }
    var template = resolve(example.get("template"));
    if (!template.path(0).has("build")) {
      return (ArrayNode) template;
    }
    return JsonNodeFactory.instance.arrayNode().add(signed((ObjectNode) template.get(0)));
  }

  /** Makes what the examples name, and waits where that takes its time. */
  void prepare(JsonNode before) {
    for (var step : before) {
      var method = step.get("method").asText();
      var params = params(step).toString();
      if (step.has("until")) {
        var until = step.get("until");
        await()
            .atMost(Duration.ofSeconds(90))
            .until(
                () -> call.apply(method, params).at(until.get("pointer").asText()),
                until.get("is")::equals);
      } else {
        var result = call.apply(method, params);
        answered(step.path("as").asText(method), result);
      }
    }
  }

  void answered(String method, JsonNode result) {
    results.put(method, result);
  }

  private ObjectNode signed(ObjectNode template) {
    // By its start a transaction is told apart from the others of its payer.
    var validStart = clock.instant().minusMillis(++signed).toString();
    var build = ((ObjectNode) template.get("build")).put("validStart", validStart);
    if (template.has("sigMap")) {
      var sigMap = build.putArray("sigMap");
      var created = results.get("multiSignature_buildBody");
      var body = (build.has("transactionBody") ? build : created).get("transactionBody").asText();
      template.get("sigMap").forEach(name -> sigMap.add(signature(name.asText(), body)));
    }
    var params = JsonNodeFactory.instance.arrayNode().add(build).toString();
    var bytes = call.apply("multiSignature_buildTransaction", params).get("bodyBytes").asText();
    var command = JsonNodeFactory.instance.objectNode().put("bodyBytes", bytes);
    var signatures = command.putArray("signatures");
    template.get("signers").forEach(name -> signatures.add(signature(name.asText(), bytes)));
    return command;
  }

  private JsonNode resolve(JsonNode node) {
    if (node.isTextual() && node.textValue().startsWith("$")) {
      return referred(node.textValue());
    } else if (node.isObject()) {
      var object = JsonNodeFactory.instance.objectNode();
      node.fields()
          .forEachRemaining(field -> object.set(field.getKey(), resolve(field.getValue())));
      return object;
    } else if (node.isArray()) {
      var array = JsonNodeFactory.instance.arrayNode();
      node.forEach(element -> array.add(resolve(element)));
      return array;
    }
    return node;
  }

  private JsonNode referred(String text) {
    var placeholder = Placeholder.parse(text);
    var json = JsonNodeFactory.instance;
    var value = placeholder.value();
    return switch (placeholder.kind()) {
      case TIME -> json.textNode(in(value).toString());
      case MILLIS -> json.numberNode(in(value).toEpochMilli());
      case HOUR ->
          json.textNode(
              start
                  .truncatedTo(ChronoUnit.HOURS)
                  .plus(Duration.ofHours(Long.parseLong(value)))
                  .toString());
      case SLOT -> json.textNode(slot(Long.parseLong(value)).toString());
      case KEY -> json.textNode(publicKey(value));
      case ANSWER -> {
        var result = results.get(placeholder.of());
        if (result == null) {
          throw new AssertionError("The example of " + text + " comes later or failed.");
        }
        yield result.at(value);
      }
    };
  }

  private Instant in(String duration) {
    return start.truncatedTo(ChronoUnit.SECONDS).plus(Duration.parse(duration));
  }

  private Instant slot(long number) {
    long present = clock.instant().toEpochMilli() / slot.toMillis();
    return Instant.ofEpochMilli((present + number) * slot.toMillis());
  }

  /** As {@code publicKey} is written. */
  static String publicKey(String name) {
    var encoded = keys(name).getPublic().getEncoded();
    var key = Bytes.of(Arrays.copyOfRange(encoded, encoded.length - KEY_BYTES, encoded.length));
    return "ed25519:" + key.toHex().replaceFirst("^0x", "");
  }

  static PublicKey key(String name) {
    var hex = publicKey(name).substring("ed25519:".length());
    return new PublicKey(PublicKey.Algorithm.ED25519, Bytes.hex(hex));
  }

  /** As the parameter of the same name has it. */
  static ObjectNode signature(String name, String hex) {
    try {
      var signature = Signature.getInstance("Ed25519");
      signature.initSign(keys(name).getPrivate());
      signature.update(Bytes.hex(hex).toByteArray());
      return JsonNodeFactory.instance
          .objectNode()
          .put("publicKey", publicKey(name))
          .put("signature", Bytes.of(signature.sign()).toHex());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The same name is the same key. */
  private static KeyPair keys(String name) {
    try {
      var generator = KeyPairGenerator.getInstance("Ed25519");
      generator.initialize(255, new NamedSeed(name));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Not random at all. */
  private static final class NamedSeed extends SecureRandom {
    private static final long serialVersionUID = 1;
    private final String name;

    private NamedSeed(String name) {
      this.name = name;
    }

    @Override
    public void nextBytes(byte[] bytes) {
      var seed = Sample.hash(name).toByteArray();
      System.arraycopy(seed, 0, bytes, 0, Math.min(seed.length, bytes.length));
    }
  }
}
