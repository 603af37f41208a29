package dev.sequitur.node.rpc.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.json.Field;
import dev.sequitur.json.Format;
import dev.sequitur.json.Formats;
import dev.sequitur.json.JsonText;
import dev.sequitur.json.ObjectFormat;
import dev.sequitur.json.Sent;
import dev.sequitur.json.Shape;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.signing.AccountKey;
import dev.sequitur.schedule.signing.AccountTransactionId;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.PublicKey;
import dev.sequitur.scheduler.body.KeyText;
import dev.sequitur.scheduler.body.SignaturePair;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads and writes keys, signatures and ids as the multi-signature methods spell them. */
final class SigningFields {
  private static final int MOST_KEYS = 1_000;
  private static final int MOST_SIGNATURES = 1_000;
  private static final Pattern TRANSACTION_ID =
      Pattern.compile(
          "(0\\.0\\.[0-9]{1,18})@([0-9]{1,10})\\.([0-9]{9})(\\?scheduled)?(/[0-9]{1,10})?");

  static final Format<EntityId> ENTITY =
      Format.of("an id such as 0.0.1001", "0.0.1001", EntityId::parse);

  /** The number of a multi-signature schedule, in any of its spellings. */
  static final Format<EntityId> SCHEDULE =
      Format.of("an id such as 0.0.1003", "0.0.1003", CommandFields::parseEntity);

  static final Format<PublicKey> PUBLIC_KEY =
      Format.ofText("a public key", SigningShapes.PUBLIC_KEY, KeyText::parse);

  private static final Field<List<AccountKey>> KEYS =
      Field.or(
          "keys", Format.later("a key", SigningFields::keyFormat).list(MOST_KEYS), List.of(), "");
  private static final Field<Long> THRESHOLD =
      Field.optional(
          "threshold", CommandFields.NUMBER, "how many of them must sign (default: all)");
  private static final ObjectFormat SEVERAL = ObjectFormat.of("KeysRequest", KEYS, THRESHOLD);

  /** Nested to 15. */
  static final Format<AccountKey> KEY =
      Format.of(
          "a key, {\"keys\":[…]} or {\"threshold\":n,\"keys\":[…]}",
          Shape.oneOf(List.of(PUBLIC_KEY, SEVERAL), SigningFields::json),
          (path, node) ->
              node.isTextual()
                  ? PUBLIC_KEY.read(path, node)
                  : severalKeys(SEVERAL.read(path, node)));

  private static final Field<PublicKey> SIGNER = Field.of("publicKey", PUBLIC_KEY, "");
  private static final Field<Bytes> SIGNATURE = Field.of("signature", Formats.HEX, "");
  static final Format<List<Sent>> SIGNATURES =
      ObjectFormat.of("SignatureRequest", SIGNER, SIGNATURE).list(MOST_SIGNATURES);

  private SigningFields() {}

  private static Format<AccountKey> keyFormat() {
    return KEY;
  }

  static String text(PublicKey key) {
    return KeyText.of(key);
  }

  private static AccountKey severalKeys(Sent sent) {
    var keys = sent.get(KEYS);
    var threshold = sent.find(THRESHOLD);
    if (threshold.isPresent() && Set.copyOf(keys).size() < keys.size()) {
      throw sent.wrong(
          " has a key twice, so that one signature would count as two. Name each key once.");
    }
    try {
      return threshold.isPresent()
          ? new AccountKey.ThresholdKey((int) Math.min(threshold.get(), Integer.MAX_VALUE), keys)
          : new AccountKey.KeyList(keys);
    } catch (IllegalArgumentException e) {
      throw sent.wrong(" is no key. " + e.getMessage());
    }
  }

  static JsonNode json(AccountKey key) {
    return switch (key) {
      case PublicKey single -> JsonText.object().textNode(text(single));
      case AccountKey.KeyList(var keys) -> json(JsonText.object(), keys);
      case AccountKey.ThresholdKey(var threshold, var keys) ->
          json(JsonText.object().put("threshold", threshold), keys);
    };
  }

  private static JsonNode json(ObjectNode json, List<AccountKey> keys) {
    var array = json.putArray("keys");
    keys.forEach(each -> array.add(json(each)));
    return json;
  }

  /** Of what {@link #SIGNATURES} read. */
  static List<SignaturePair> pairs(List<Sent> signatures) {
    return signatures.stream()
        .map(
            sent -> {
              var key = sent.get(SIGNER);
              return new SignaturePair(key.value(), key.algorithm(), sent.get(SIGNATURE));
            })
        .toList();
  }

  /** As {@link AccountTransactionId#toString} writes it. */
  static AccountTransactionId transactionId(String text) {
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
    return new AccountTransactionId(
        new ConsensusTime(nanos), EntityId.parse(parts.group(1)), parts.group(4) != null, nonce);
  }
}
