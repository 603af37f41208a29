package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.json.Field;
import dev.sequitur.json.Format;
import dev.sequitur.json.Formats;
import dev.sequitur.json.JsonDigest;
import dev.sequitur.json.JsonText;
import dev.sequitur.json.ObjectFormat;
import dev.sequitur.json.Sent;
import dev.sequitur.json.Shape;
import dev.sequitur.json.Unreadable;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.SubmitMode;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A transaction as a caller wrote it, its types checked but nothing compared with what the node
 * knows.
 *
 * @param data an object or an array
 */
@Copyable
public record IntentDraft(
    Optional<String> idempotencyKey,
    Optional<String> domain,
    String function,
    Identity from,
    ContractAddress to,
    JsonNode data,
    List<TransactionId> dependsOn,
    SubmitMode submitMode,
    Optional<Integer> maxAttempts,
    Optional<Instant> deadline)
    implements IntentDraftBuilder.With {
  private static final String PRIVATE = "private";
  private static final String FUNCTION_NAME = "the name of one of the domain's functions";

  static final Format<String> FUNCTION_FORMAT =
      Format.of(FUNCTION_NAME, "transfer", text -> functionName(Formats.name(text)));
  private static final Format<JsonNode> DATA_FORMAT =
      Format.of(
          "an object, an array or 0x and their hex",
          Shape.composed("any JSON", OpenRpc::functionInputs, (JsonNode node) -> node),
          IntentDraft::readData);

  static final Field<String> IDEMPOTENCY_KEY =
      Field.optional(
          "idempotencyKey",
          Formats.NAME,
          "of the caller at this node, or of `from` where nobody is asked who calls: a repeat under it"
              + " is answered as the first");
  static final Field<String> DOMAIN = Field.optional("domain", Formats.TEXT, "the contract's");
  private static final Field<String> FUNCTION =
      Field.of("function", FUNCTION_FORMAT, "its name; of a signature the name is meant");
  static final Field<GivenIdentity> FROM =
      Field.of("from", GivenIdentity.FORMAT, "the identity that signs")
          .mentions(Field.Mention.IDENTITY);
  static final Format<ContractAddress> CONTRACT_FORMAT =
      Format.of(
          "the address of the privacy group's contract",
          "0x1111111111111111111111111111111111111111",
          ContractAddress::new);
  private static final Field<ContractAddress> TO =
      Field.of("to", CONTRACT_FORMAT, "the privacy group's contract")
          .mentions(Field.Mention.CONTRACT);
  static final Field<JsonNode> DATA = data("data");
  static final Field<List<TransactionId>> DEPENDS_ON =
      Field.or(
          "dependsOn",
          Formats.TRANSACTION_ID
              .naming((id, told) -> told.accept(Field.Mention.TRANSACTION, id.toString()))
              .list(PrivateTransaction.MAX_DEPENDENCIES),
          List.of(),
          "at most 256 that must be confirmed before");
  static final Field<Integer> MAX_ATTEMPTS =
      Field.optional(
          "maxAttempts",
          Format.of("a whole number, at least 1", Shape.NUMBER, IntentDraft::readAttempts),
          "failed tries after which it ends as reverted: at most, and without it,"
              + " `sequencer.retries.max-attempts`");
  static final Field<Instant> DEADLINE =
      Field.optional(
          "deadline",
          Format.of(
              "a time such as 2030-01-31T12:00:00Z", "2030-01-31T12:00:00Z", IntentDraft::time),
          "what is not on its way to the base ledger by then ends as reverted, and says for whom it"
              + " waited; without it, it waits for whoever is silent");
  private static final Field<String> TYPE =
      Field.of(
          "type",
          Format.of("\"private\"", Shape.words("\"private\"", PRIVATE), IntentDraft::readType),
          "`private`");
  static final Field<JsonNode> ABI =
      Field.optional(
          "abi",
          Formats.ANY,
          "names what `data` has in an array, and tells what in it is a number, which may be in"
              + " hexadecimal digits; else accepted and not used");
  private static final Field<JsonNode> BYTECODE =
      Field.optional("bytecode", Formats.ANY, "refused: a group's contract is the node's own");

  /** Of a private transaction, wherever it stands, without its type. */
  public static final ObjectFormat FIELDS = fields(TO, FUNCTION);

  /** What a schedule is to run. */
  public static final ObjectFormat SCHEDULED =
      ObjectFormat.of("ScheduledPrivateRequest", TYPE).with(FIELDS.fields());

  /** One for a group as clients of other nodes write it, without its type. */
  static final ObjectFormat TRANSACTION = transaction(TO, FUNCTION);

  private static ObjectFormat fields(Field<ContractAddress> to, Field<String> function) {
    return ObjectFormat.of(
        "PrivateTransactionRequest",
        FROM,
        to,
        function,
        DATA,
        DOMAIN,
        IDEMPOTENCY_KEY,
        DEPENDS_ON,
        MAX_ATTEMPTS,
        DEADLINE,
        BYTECODE);
  }

  /** The object of {@code ptx_sendTransaction}, without its type. */
  static ObjectFormat transaction(Field<ContractAddress> to, Field<String> function) {
    return fields(to, function)
        .named("TransactionRequest")
        .with(unused("gas", "value", "maxFeePerGas", "maxPriorityFeePerGas"))
        .with(ABI)
        .open();
  }

  /** What other nodes of the field take. */
  static List<Field<JsonNode>> unused(String... names) {
    return Stream.of(names)
        .map(name -> Field.optional(name, Formats.ANY, "accepted and not used"))
        .toList();
  }

  static Field<JsonNode> data(String name) {
    return Field.or(
        name, DATA_FORMAT, JsonText.object(), "an object, an array, or the hex of their UTF-8");
  }

  /** Of a function's name or its signature. */
  static String functionName(String text) {
    int types = text.indexOf('(');
    return types > 0 && text.endsWith(")") ? text.substring(0, types) : text;
  }

  /** By {@link #TRANSACTION}: what an ABI says of the data is carried out. */
  static IntentDraft ofTransaction(Sent sent, NodeName node, SubmitMode submitMode) {
    var draft = of(sent, node, submitMode);
    return sent.find(ABI)
        .flatMap(abi -> NamedInputs.function(abi, draft.function))
        .map(entry -> NamedInputs.of(sent, DATA, draft.function + " in abi", entry, draft.data))
        .map(draft::withData)
        .orElse(draft);
  }

  /** By {@link #FIELDS}. */
  static IntentDraft of(Sent sent, NodeName node, SubmitMode submitMode) {
    refuseByteCode(sent);
    return new IntentDraft(
        sent.find(IDEMPOTENCY_KEY),
        sent.find(DOMAIN),
        sent.get(FUNCTION),
        sent.get(FROM).at(node),
        sent.get(TO),
        sent.get(DATA),
        dependsOn(sent),
        submitMode,
        sent.find(MAX_ATTEMPTS),
        sent.find(DEADLINE));
  }

  static void refuseByteCode(Sent sent) {
    if (sent.has(BYTECODE)) {
      throw new RpcFailure(
          ErrorCode.UNSUPPORTED,
          sent.path(BYTECODE)
              + " was sent, but a group's contract is the node's own: pgroup_createGroup makes one."
              + " Leave it out.");
    }
  }

  static List<TransactionId> dependsOn(Sent sent) {
    return sent.get(DEPENDS_ON).stream().distinct().toList();
  }

  private static Instant time(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("A time looks like 2030-01-31T12:00:00Z.", e);
    }
  }

  private static Integer readAttempts(String path, JsonNode most) {
    if (!most.canConvertToInt() || !most.isIntegralNumber() || most.intValue() < 1) {
      throw new RpcFailure(
          ErrorCode.WRONG_TYPE,
          path + " must be a whole number, at least 1: a transaction is tried once or more.");
    }
    return most.intValue();
  }

  private static JsonNode readData(String path, JsonNode sent) {
    var data = sent.isTextual() ? fromHex(path, sent) : sent;
    if (!data.isContainerNode()) {
      throw Format.wrongType(path, DATA_FORMAT.type(), data);
    }
    return data;
  }

  private static JsonNode fromHex(String path, JsonNode hex) {
    try {
      return JsonText.parse(Bytes.hex(hex.textValue()).toByteArray());
    } catch (IllegalArgumentException | Unreadable e) {
      // Not the parser's own words: they would quote what is private.
      throw new RpcFailure(
          ErrorCode.WRONG_TYPE,
          path
              + " is a string, but not 0x and the hexadecimal digits of a JSON object or array in"
              + " UTF-8. Send the object or array itself.");
    }
  }

  private static String readType(String path, JsonNode type) {
    var text = Formats.TEXT.read(path, type);
    if (text.equals("public")) {
      throw new RpcFailure(
          ErrorCode.UNSUPPORTED,
          "%s is public, but this takes private transactions only. Send type private."
              .formatted(path));
    }
    if (!text.equals(PRIVATE)) {
      throw new RpcFailure(ErrorCode.WRONG_TYPE, path + " must be \"private\". Send type private.");
    }
    return text;
  }

  /**
   * Over everything a repeat of the idempotency key must have in common.
   *
   * @param groupDomain the contract's: a repeat may name it or leave it out
   */
  Hash bodyHash(String groupDomain) {
    var digest = new CanonicalDigest();
    digest.add(PRIVATE).add(groupDomain).add(function).add(from.toString()).add(to.value());
    JsonDigest.add(digest, data);
    digest.add(dependsOn.size());
    dependsOn.stream().sorted().forEach(id -> digest.add(id.toString()));
    digest.add(submitMode.name());
    maxAttempts.ifPresent(most -> digest.add("maxAttempts").add(most));
    deadline.ifPresent(time -> digest.add("deadline").add(time.toString()));
    return digest.finish();
  }
}
