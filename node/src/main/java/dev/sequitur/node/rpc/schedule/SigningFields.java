package dev.sequitur.node.rpc.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.json.Fields;
import dev.sequitur.node.rpc.json.JsonText;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.schedule.ConsensusTime;
import dev.sequitur.protocol.schedule.signing.EntityId;
import dev.sequitur.protocol.schedule.signing.Key;
import dev.sequitur.protocol.schedule.signing.PublicKey;
import dev.sequitur.protocol.schedule.signing.TransactionId;
import dev.sequitur.scheduler.body.CurvePoints;
import dev.sequitur.scheduler.body.SignaturePair;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads and writes keys, signatures and ids as the multi-signature methods spell them. */
final class SigningFields {
  private static final int MOST_KEYS = 1_000;
  private static final int MOST_SIGNATURES = 1_000;
  private static final String ED25519 = "ed25519:";
  private static final String SECP256K1 = "secp256k1:";
  private static final Pattern TRANSACTION_ID =
      Pattern.compile(
          "(0\\.0\\.[0-9]{1,18})@([0-9]{1,10})\\.([0-9]{9})(\\?scheduled)?(/[0-9]{1,10})?");

  private SigningFields() {}

  static EntityId entity(Fields fields, String name) {
    return fields.requiredParsed(name, "an id such as 0.0.1001", EntityId::parse);
  }

  /** A key by itself: {@code ed25519:} or {@code secp256k1:} and hexadecimal digits. */
  static PublicKey publicKey(String text) {
    var algorithm =
        text.startsWith(ED25519)
            ? PublicKey.Algorithm.ED25519
            : text.startsWith(SECP256K1) ? PublicKey.Algorithm.ECDSA_SECP256K1 : null;
    if (algorithm == null) {
      throw new IllegalArgumentException(
          "A key is ed25519: and 64 hexadecimal digits, or secp256k1: and 66.");
    }
    var key = new PublicKey(algorithm, Bytes.hex(text.substring(text.indexOf(':') + 1)));
    if (!CurvePoints.has(key)) {
      throw new IllegalArgumentException(
          "These bytes are no key, as no point of the curve has them: nobody could sign with it.");
    }
    return key;
  }

  static String text(PublicKey key) {
    var algorithm = key.algorithm() == PublicKey.Algorithm.ED25519 ? ED25519 : SECP256K1;
    var hex = key.value().toHex();
    return algorithm + (hex.startsWith("0x") ? hex.substring(2) : hex);
  }

  static Key requiredKey(Fields fields, String name) {
    return key(fields, name)
        .orElseThrow(
            () ->
                new RpcFailure(
                    ErrorCode.WRONG_TYPE,
                    fields.pathOf(name)
                        + " is missing: send a key, {\"keys\":[…]} or"
                        + " {\"threshold\":n,\"keys\":[…]}."));
  }

  static Optional<Key> key(Fields fields, String name) {
    return fields
        .any(name)
        .map(
            node ->
                node.isTextual()
                    ? key(fields.pathOf(name), node)
                    : key(fields.fields(name).orElseThrow()));
  }

  private static Key key(String path, JsonNode text) {
    return Fields.parse(path, text.textValue(), SigningFields::publicKey);
  }

  private static Key key(Fields fields) {
    var keys = new ArrayList<Key>();
    for (var element : fields.list("keys", MOST_KEYS)) {
      keys.add(
          element.isTextual()
              ? key(fields.pathOf("keys") + "[" + keys.size() + "]", element)
              : key(fields.element("keys", keys.size(), element)));
    }
    var threshold = new CommandFields(fields).optionalNumber("threshold");
    try {
      return threshold.isPresent()
          ? new Key.ThresholdKey((int) Math.min(threshold.get(), Integer.MAX_VALUE), keys)
          : new Key.KeyList(keys);
    } catch (IllegalArgumentException e) {
      throw new RpcFailure(ErrorCode.WRONG_TYPE, fields.path() + " is no key. " + e.getMessage());
    }
  }

  static JsonNode json(Key key) {
    return switch (key) {
      case PublicKey single -> JsonText.object().textNode(text(single));
      case Key.KeyList(var keys) -> json(JsonText.object(), keys);
      case Key.ThresholdKey(var threshold, var keys) ->
          json(JsonText.object().put("threshold", threshold), keys);
    };
  }

  private static JsonNode json(ObjectNode json, List<Key> keys) {
    var array = json.putArray("keys");
    keys.forEach(each -> array.add(json(each)));
    return json;
  }

  static List<SignaturePair> signatures(Fields fields, String name) {
    var pairs = new ArrayList<SignaturePair>();
    for (var element : fields.list(name, MOST_SIGNATURES)) {
      var pair = fields.element(name, pairs.size(), element);
      var key = pair.requiredParsed("publicKey", "a public key", SigningFields::publicKey);
      pairs.add(new SignaturePair(key.value(), key.algorithm(), requiredHex(pair, "signature")));
    }
    return pairs;
  }

  static Bytes requiredHex(Fields fields, String name) {
    return hex(fields, name)
        .orElseThrow(
            () ->
                new RpcFailure(
                    ErrorCode.WRONG_TYPE,
                    fields.pathOf(name) + " is missing: send 0x and hexadecimal digits."));
  }

  static Optional<Bytes> hex(Fields fields, String name) {
    return fields
        .text(name)
        .map(
            text -> {
              try {
                return Bytes.hex(text);
              } catch (IllegalArgumentException e) {
                throw new RpcFailure(
                    ErrorCode.WRONG_TYPE,
                    fields.pathOf(name) + " must be 0x and hexadecimal digits.");
              }
            });
  }

  /** As {@link TransactionId#toString} writes it. */
  static TransactionId transactionId(String text) {
    var parts = TRANSACTION_ID.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "The id of a transaction looks like 0.0.1001@1795255500.000000000, with ?scheduled and"
              + " /nonce where they are set.");
    }
    long seconds = Long.parseLong(parts.group(2));
    if (seconds >= ConsensusTime.END.getEpochSecond()) {
      throw new IllegalArgumentException("Its valid start is too far away. " + ConsensusTime.ENDS);
    }
    long nanos = ConsensusTime.ofSeconds(seconds).nanos() + Long.parseLong(parts.group(3));
    int nonce = parts.group(5) == null ? 0 : Integer.parseUnsignedInt(parts.group(5).substring(1));
    return new TransactionId(
        new ConsensusTime(nanos), EntityId.parse(parts.group(1)), parts.group(4) != null, nonce);
  }
}
