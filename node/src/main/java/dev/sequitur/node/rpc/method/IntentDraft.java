package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.json.CanonicalJson;
import dev.sequitur.node.rpc.json.Fields;
import dev.sequitur.node.rpc.json.Formats;
import dev.sequitur.node.rpc.json.JsonText;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.schedule.OccurrenceKey;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.SubmitMode;
import java.util.List;
import java.util.Optional;

/**
 * A transaction as a caller wrote it, its types checked but nothing compared with what the node
 * knows.
 *
 * @param data an object or an array
 */
record IntentDraft(
    Optional<String> idempotencyKey,
    Optional<String> domain,
    String function,
    Identity from,
    ContractAddress to,
    JsonNode data,
    List<TransactionId> dependsOn,
    SubmitMode submitMode,
    Optional<Integer> maxAttempts) {
  /** Idempotency keys of the node's own schedules start so (SCH-13). */
  static final String RESERVED_PREFIX = OccurrenceKey.PREFIX;

  private static final String TYPE = "private";

  /** Reads the object of {@code ptx_sendTransaction}. */
  static IntentDraft read(Fields fields, NodeName node, SubmitMode submitMode) {
    refuseUnsupported(fields);
    return new IntentDraft(
        idempotencyKey(fields),
        fields.text("domain"),
        fields.requiredParsed(
            "function", "the name of one of the domain's functions", Formats::name),
        from(fields, node),
        fields.requiredParsed(
            "to", "the address of the privacy group's contract", ContractAddress::new),
        data(fields, "data"),
        dependsOn(fields),
        submitMode,
        maxAttempts(fields));
  }

  static Optional<String> idempotencyKey(Fields fields) {
    var key = fields.parsed("idempotencyKey", Formats::name);
    if (key.filter(text -> text.startsWith(RESERVED_PREFIX)).isPresent()) {
      throw new RpcFailure(
          ErrorCode.RESERVED_KEY,
          "%s starts with %s, which is kept for the node's schedules. Choose another key."
              .formatted(fields.pathOf("idempotencyKey"), RESERVED_PREFIX));
    }
    return key;
  }

  static Identity from(Fields fields, NodeName node) {
    return fields.requiredParsed(
        "from", "the identity that signs, name@node", text -> identity(text, node));
  }

  static List<TransactionId> dependsOn(Fields fields) {
    return fields
        .parsedList("dependsOn", PrivateTransaction.MAX_DEPENDENCIES, TransactionId::parse)
        .stream()
        .distinct()
        .toList();
  }

  static Optional<Integer> maxAttempts(Fields fields) {
    return fields
        .any("maxAttempts")
        .map(
            most -> {
              if (!most.canConvertToInt() || !most.isIntegralNumber() || most.intValue() < 1) {
                throw new RpcFailure(
                    ErrorCode.WRONG_TYPE,
                    fields.pathOf("maxAttempts")
                        + " must be a whole number, at least 1: a transaction is tried once or more.");
              }
              return most.intValue();
            });
  }

  /** A name without a node is one of this node. */
  static Identity identity(String text, NodeName node) {
    return text.indexOf('@') < 0 ? new Identity(text, node) : Identity.parse(text);
  }

  /** An object or an array; hexadecimal digits of their UTF-8; an empty object if absent. */
  static JsonNode data(Fields fields, String name) {
    var data = fields.any(name).orElseGet(JsonNodeFactory.instance::objectNode);
    if (data.isTextual()) {
      data = fromHex(fields.pathOf(name), data);
    }
    if (!data.isContainerNode()) {
      throw Fields.wrongType(fields.pathOf(name), "an object, an array or 0x and their hex", data);
    }
    return data;
  }

  private static JsonNode fromHex(String path, JsonNode hex) {
    try {
      return JsonText.parse(Bytes.hex(hex.textValue()).toByteArray());
    } catch (IllegalArgumentException | RpcFailure e) {
      // Not the parser's own words: they would quote what is private.
      throw new RpcFailure(
          ErrorCode.WRONG_TYPE,
          path
              + " is a string, but not 0x and the hexadecimal digits of a JSON object or array in"
              + " UTF-8. Send the object or array itself.");
    }
  }

  private static void refuseUnsupported(Fields fields) {
    var type = fields.requiredText("type");
    if (type.equals("public")) {
      throw new RpcFailure(
          ErrorCode.UNSUPPORTED,
          "%s is public, but this node sends private transactions only. Send type private."
              .formatted(fields.pathOf("type")));
    }
    if (!type.equals(TYPE)) {
      throw new RpcFailure(
          ErrorCode.WRONG_TYPE, fields.pathOf("type") + " must be \"private\". Send type private.");
    }
    if (fields.any("bytecode").isPresent()) {
      throw new RpcFailure(
          ErrorCode.UNSUPPORTED,
          "%s was sent, but contracts are made by pgroup_createGroup only. Leave it out."
              .formatted(fields.pathOf("bytecode")));
    }
  }

  /**
   * Over everything a repeat of the idempotency key must have in common.
   *
   * @param groupDomain the contract's: a repeat may name it or leave it out
   */
  Hash bodyHash(String groupDomain) {
    var digest = new CanonicalDigest();
    digest.add(TYPE).add(groupDomain).add(function).add(from.toString()).add(to.value());
    CanonicalJson.add(digest, data);
    digest.add(dependsOn.size());
    dependsOn.stream().sorted().forEach(id -> digest.add(id.toString()));
    digest.add(submitMode.name());
    maxAttempts.ifPresent(most -> digest.add("maxAttempts").add(most));
    return digest.finish();
  }
}
