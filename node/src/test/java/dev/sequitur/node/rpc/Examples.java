package dev.sequitur.node.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.schedule.signing.PublicKey;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.Signature;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * The examples of the reference page on one node. A {@code template} says what an example's
 * parameters are made of: {@code $method:/pointer} is what an earlier example answered, and {@code
 * {"build", "sigMap", "signer"}} a transaction that is built and signed, with keys that are
 * everybody's.
 */
final class Examples {
  private static final int KEY_BYTES = 32;

  /** Before a name: that key. */
  private static final String KEY = "$K:";

  private final JsonNode examples;
  private final BiFunction<String, String, JsonNode> call;
  private final Instant start;
  private final Map<String, JsonNode> results = new HashMap<>();
  private int signed;

  /**
   * @param call answers a method with its parameters: the result
   * @param start when transactions begin to be valid
   */
  Examples(JsonNode examples, BiFunction<String, String, JsonNode> call, Instant start) {
    this.examples = examples;
    this.call = call;
    this.start = start;
  }

  /** What to send, a JSON array. */
  ArrayNode params(String method) {
    var example = examples.get(method);
    if (!example.has("template")) {
      return (ArrayNode) example.get("params").deepCopy();
    }
    var template = resolve(example.get("template"));
    if (!template.path(0).has("build")) {
      return (ArrayNode) template;
    }
    return JsonNodeFactory.instance.arrayNode().add(signed((ObjectNode) template.get(0)));
  }

  void answered(String method, JsonNode result) {
    results.put(method, result);
  }

  private ObjectNode signed(ObjectNode template) {
    // By its start a transaction is told apart from the others of its payer.
    var validStart = start.minusMillis(++signed).toString();
    var build = ((ObjectNode) template.get("build")).put("validStart", validStart);
    if (template.has("sigMap")) {
      var sigMap = build.putArray("sigMap");
      var body = results.get("multiSignature_buildBody").get("transactionBody").asText();
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

  private JsonNode referred(String reference) {
    int colon = reference.indexOf(':');
    if (reference.startsWith(KEY)) {
      return JsonNodeFactory.instance.textNode(publicKey(reference.substring(KEY.length())));
    }
    var result = results.get(reference.substring(1, colon));
    if (result == null) {
      throw new AssertionError("The example of " + reference + " comes later or failed.");
    }
    return result.at(reference.substring(colon + 1));
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
