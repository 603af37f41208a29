package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.ethereum.ContractAbi;
import dev.sequitur.json.Field;
import dev.sequitur.json.Format;
import dev.sequitur.json.Formats;
import dev.sequitur.json.JsonText;
import dev.sequitur.json.ObjectFormat;
import dev.sequitur.json.Sent;
import dev.sequitur.json.Shape;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.LedgerTransaction.PublicCall;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.port.NodeStore.Prepared;
import dev.sequitur.protocol.transaction.PublicTransaction;
import java.math.BigInteger;
import java.util.Optional;
import java.util.regex.Pattern;

/** A public transaction as a caller wrote it, its data encoded by the ABI that came along. */
public record PublicDraft(Optional<String> idempotencyKey, PublicTransaction transaction) {
  /** What nodes of chains take into their pools. */
  private static final int MOST_BYTES = 120 * 1024;

  private static final BigInteger LONGEST = BigInteger.valueOf(Long.MAX_VALUE);
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,78}|0x[0-9a-fA-F]{0,64}");
  private static final String NUMBER_TYPE =
      "a whole number, or a string of decimal digits or of 0x and hexadecimal digits";

  private static final Field<ContractAddress> TO =
      Field.optional("to", Formats.ADDRESS, "the contract that is called; left out to make one");
  private static final Field<String> FUNCTION =
      Field.optional(
          "function",
          Format.of("a string", "add", text -> text.isEmpty() ? text : Formats.name(text)),
          "\"\" is as left out; the name or the signature of a function of `abi`, which may be left out if there is one");
  private static final Field<JsonNode> DATA =
      Field.optional(
          "data",
          Format.of(
              "an object, an array or 0x and hexadecimal digits", Shape.ANY, PublicDraft::readData),
          "the parameters, of the function or of the constructor; or the call's whole data in hex");
  private static final Field<JsonNode> ABI =
      Field.optional(
          "abi",
          Format.of("an array", Shape.ANY, PublicDraft::readAbi),
          "the functions, the constructor, events and errors, as a compiler writes them");
  private static final Field<Bytes> BYTECODE =
      Field.optional("bytecode", Formats.HEX, "of the contract to be made");
  private static final Field<BigInteger> VALUE =
      Field.or(
          "value",
          Format.of(NUMBER_TYPE, Shape.words(NUMBER_TYPE, "0"), PublicDraft::readNumber),
          BigInteger.ZERO,
          "goes along, in the chain's smallest unit");
  private static final Field<Long> GAS =
      Field.optional(
          "gas",
          Format.of(
              NUMBER_TYPE,
              Shape.NUMBER,
              (path, node) -> readNumber(path, node).min(LONGEST).longValue()),
          "it may use so much; left out or 0, what it would use now and a quarter more");

  private static final Field<JsonNode> NO_REFERENCE =
      Field.optional("abiReference", Formats.ANY, "refused: send `abi`");
  private static final Field<Hash> ABI_REFERENCE =
      Field.optional(
          "abiReference",
          Formats.HASH,
          "of an ABI that ptx_storeABI has stored, in place of `abi`");
  private static final Field<JsonNode> DEPENDS_ON =
      Field.optional("dependsOn", Formats.ANY, "refused: those of one `from` come in their order");

  private static final ObjectFormat WITHOUT_FROM =
      ObjectFormat.of(
          "PublicTransactionRequest",
          TO,
          FUNCTION,
          DATA,
          ABI,
          BYTECODE,
          VALUE,
          GAS,
          IntentDraft.IDEMPOTENCY_KEY,
          DEPENDS_ON);
  private static final ObjectFormat COMMON = WITHOUT_FROM.with(IntentDraft.FROM);

  /** What a schedule is to run, without its type. */
  public static final ObjectFormat SCHEDULED =
      COMMON.named("ScheduledPublicRequest").with(NO_REFERENCE);

  private static final Field<BigInteger> MAX_FEE =
      fee("maxFeePerGas", "it offers at least so much for each unit of gas");
  private static final Field<BigInteger> MAX_PRIORITY_FEE =
      fee("maxPriorityFeePerGas", "of it so much for who makes the block");
  private static final Field<BigInteger> GAS_PRICE = fee("gasPrice", "in place of both");

  /** The second parameter of {@code ptx_updateTransaction}. */
  static final ObjectFormat CHANGED =
      COMMON
          .named("ChangedTransactionRequest")
          .with(ABI_REFERENCE, MAX_FEE, MAX_PRIORITY_FEE, GAS_PRICE)
          .with(IntentDraft.unused("type", "domain"))
          .open();

  private static Field<BigInteger> fee(String name, String doc) {
    return Field.optional(
        name, Format.of(NUMBER_TYPE, Shape.words(NUMBER_TYPE, "0"), PublicDraft::readNumber), doc);
  }

  /** What is to be offered at least; by {@link #CHANGED}. */
  static Optional<Fees> fees(Sent sent) {
    if (sent.has(GAS_PRICE)) {
      sent.refuseBeside(GAS_PRICE, MAX_FEE, MAX_PRIORITY_FEE);
    }
    var max = sent.find(MAX_FEE).or(() -> sent.find(GAS_PRICE));
    var priority = sent.find(MAX_PRIORITY_FEE).or(() -> sent.find(GAS_PRICE));
    return max.isEmpty() && priority.isEmpty()
        ? Optional.empty()
        : Optional.of(new Fees(number(max.or(() -> priority)), number(priority)));
  }

  private static long number(Optional<BigInteger> price) {
    return price.map(it -> it.min(LONGEST).longValue()).orElse(0L);
  }

  /** The object of {@code ptx_sendTransaction}, without its type. */
  static final ObjectFormat FIELDS = called(COMMON);

  private static final Field<GivenIdentity> ASKING =
      Field.optional(
              "from",
              GivenIdentity.FORMAT,
              "whom the contract takes for its caller; left out, the address zero")
          .mentions(Field.Mention.IDENTITY);

  /** The object of {@code ptx_call}, without its type: who only looks needs be nobody. */
  static final ObjectFormat ASKED = called(WITHOUT_FROM.with(ASKING));

  private static ObjectFormat called(ObjectFormat fields) {
    return fields
        .with(ABI_REFERENCE)
        .with(IntentDraft.unused("maxFeePerGas", "maxPriorityFeePerGas", "gasPrice", "domain"))
        .open();
  }

  /** Whom a contract is to take for its caller; by {@link #ASKED}. */
  static Optional<Identity> asking(Sent sent, NodeName node) {
    return sent.find(ASKING).map(from -> from.at(node));
  }

  /**
   * By {@link #SCHEDULED}.
   *
   * @throws RpcFailure with a sentence
   */
  static PublicDraft ofScheduled(Sent sent, NodeName node, TransactionId id) {
    refuse(sent, NO_REFERENCE, " is not served: send the ABI itself as abi.");
    return of(sent, node, id, sent.find(ABI));
  }

  /** The call that fulfils what was prepared. */
  static PublicDraft fulfilling(TransactionId id, Identity from, Prepared prepared, Bytes data) {
    var nothing =
        new PublicTransaction.Source(Optional.empty(), Optional.empty(), Optional.empty());
    return new PublicDraft(
        Optional.empty(),
        new PublicTransaction(
            id,
            from,
            Optional.of(prepared.prepared().contract()),
            data,
            BigInteger.ZERO,
            0,
            nothing));
  }

  /** The contract that is called; by {@link #FIELDS}. */
  static Optional<ContractAddress> called(Sent sent) {
    return sent.find(TO);
  }

  /**
   * The private transaction that a call stands for, if it calls a function that the domain names:
   * by its name, or by data that says which.
   *
   * @param sent by {@link #FIELDS}
   */
  static Optional<JsonNode> inPrivate(Sent sent, Domain domain) {
    var function = function(sent);
    if (function.isPresent()) {
      return function
          .map(IntentDraft::functionName)
          .filter(domain.calledPublicly()::contains)
          .map(any -> sent.object());
    }
    return sent.find(DATA)
        .filter(JsonNode::isTextual)
        .flatMap(data -> domain.calledBy(Bytes.hex(data.textValue())))
        .map(
            call ->
                ((ObjectNode) sent.object().deepCopy())
                    .put(FUNCTION.name(), call.function())
                    .set(DATA.name(), JsonText.parse(call.inputs().toByteArray())));
  }

  /** The stored ABI that a transaction names. */
  static Optional<Hash> reference(Sent sent) {
    return sent.find(ABI_REFERENCE);
  }

  /**
   * By {@link #FIELDS}.
   *
   * @param abis those that it may refer to
   * @throws RpcFailure with a sentence
   */
  static PublicDraft of(Sent sent, NodeName node, TransactionId id, AbiReferences abis) {
    if (sent.has(ABI_REFERENCE)) {
      sent.refuseBeside(ABI_REFERENCE, ABI);
    }
    return of(sent, node, id, abi(sent, abis));
  }

  private static Optional<JsonNode> abi(Sent sent, AbiReferences abis) {
    return reference(sent)
        .map(hash -> abis.find(hash).orElseThrow(() -> unknown(sent.path(ABI_REFERENCE))))
        .or(() -> sent.find(ABI));
  }

  /**
   * What a contract is asked.
   *
   * @param source by which its answer is read
   */
  record Asked(PublicCall call, PublicTransaction.Source source) {}

  /**
   * By {@link #ASKED}.
   *
   * @throws RpcFailure with a sentence
   */
  static Asked asked(Sent sent, AbiReferences abis) {
    if (sent.has(ABI_REFERENCE)) {
      sent.refuseBeside(ABI_REFERENCE, ABI);
    }
    var abi = abi(sent, abis);
    refuseDependence(sent);
    return new Asked(
        new PublicCall(sent.find(TO), bounded(sent, abi), sent.get(VALUE)), source(sent, abi));
  }

  private static RpcFailure unknown(String path) {
    return new RpcFailure(
        ErrorCode.UNKNOWN_ABI,
        path + " names no ABI that was left with this node. Leave it with ptx_storeABI first.");
  }

  private static PublicDraft of(
      Sent sent, NodeName node, TransactionId id, Optional<JsonNode> abi) {
    refuseDependence(sent);
    var data = bounded(sent, abi);
    return new PublicDraft(
        sent.find(IntentDraft.IDEMPOTENCY_KEY),
        new PublicTransaction(
            id,
            sent.get(IntentDraft.FROM).at(node),
            sent.find(TO),
            data,
            sent.get(VALUE),
            sent.find(GAS).orElse(0L),
            source(sent, abi)));
  }

  private static void refuseDependence(Sent sent) {
    refuse(
        sent,
        DEPENDS_ON,
        " means nothing for a public transaction: those of one `from` are carried out in their"
            + " order. Leave it out.");
  }

  private static Bytes bounded(Sent sent, Optional<JsonNode> abi) {
    var data = data(sent, sent.find(DATA), abi);
    if (data.size() > MOST_BYTES) {
      throw sent.wrong(
          " has %d bytes of data; a chain takes at most %d.".formatted(data.size(), MOST_BYTES));
    }
    return data;
  }

  private static PublicTransaction.Source source(Sent sent, Optional<JsonNode> abi) {
    var inputs = sent.find(DATA);
    boolean raw = inputs.map(JsonNode::isTextual).orElse(true);
    return new PublicTransaction.Source(
        function(sent),
        raw ? Optional.empty() : inputs.map(it -> Bytes.of(JsonText.write(it))),
        abi.map(it -> Bytes.of(JsonText.write(it))));
  }

  private static void refuse(Sent sent, Field<?> field, String sentence) {
    if (sent.has(field)) {
      throw new RpcFailure(ErrorCode.UNSUPPORTED, sent.path(field) + sentence);
    }
  }

  private static Bytes data(Sent sent, Optional<JsonNode> inputs, Optional<JsonNode> description) {
    var byteCode = sent.find(BYTECODE);
    if (byteCode.isPresent()) {
      sent.refuseBeside(BYTECODE, TO);
      if (function(sent).isPresent()) {
        sent.refuseBeside(BYTECODE, FUNCTION);
      }
      return inputs.map(JsonNode::isTextual).orElse(false)
          ? joined(byteCode.get(), Bytes.hex(inputs.get().textValue()))
          : encoded(sent, description, abi -> abi.construction(byteCode.get(), parameters(inputs)));
    } else if (!sent.has(TO)) {
      throw sent.wrong(
          " has neither to nor bytecode: send to, the contract that is called, or bytecode to make"
              + " one.");
    } else if (description.isPresent() && !inputs.map(JsonNode::isTextual).orElse(false)) {
      return encoded(sent, description, abi -> abi.call(function(sent), parameters(inputs)));
    } else if (function(sent).isPresent()) {
      throw sent.wrong(
          FUNCTION, " needs the function's ABI and its parameters: send abi, and data by name.");
    }
    return inputs
        .map(
            data -> {
              if (!data.isTextual()) {
                throw sent.wrong(DATA, " needs an ABI to be encoded by: send abi, or data in hex.");
              }
              return Bytes.hex(data.textValue());
            })
        .orElse(Bytes.EMPTY);
  }

  /** Clients send an empty one with what makes a contract. */
  private static Optional<String> function(Sent sent) {
    return sent.find(FUNCTION).filter(name -> !name.isEmpty());
  }

  private static Bytes joined(Bytes byteCode, Bytes arguments) {
    return Bytes.hex(byteCode.toHex() + arguments.toHex().substring(2));
  }

  private static JsonNode parameters(Optional<JsonNode> inputs) {
    return inputs.orElse(MissingNode.getInstance());
  }

  private interface Encoding {
    Bytes by(ContractAbi abi);
  }

  private static Bytes encoded(Sent sent, Optional<JsonNode> description, Encoding encoding) {
    var json = description.orElseGet(JsonNodeFactory.instance::arrayNode);
    try {
      return encoding.by(ContractAbi.read(json.toString()));
    } catch (IllegalArgumentException e) {
      throw sent.wrong(" cannot be encoded. " + e.getMessage());
    }
  }

  /** Over everything a repeat of the idempotency key must have in common. */
  Hash bodyHash() {
    return new CanonicalDigest()
        .add(TransactionKind.PUBLIC.word())
        .add(transaction.from().toString())
        .add(PublicCall.of(transaction).hash())
        .add(transaction.gas())
        .finish();
  }

  private static JsonNode readData(String path, JsonNode node) {
    if (node.isTextual()) {
      Formats.HEX.read(path, node);
    } else if (!node.isContainerNode()) {
      throw Format.wrongType(path, "an object, an array or 0x and hexadecimal digits", node);
    }
    return node;
  }

  private static JsonNode readAbi(String path, JsonNode node) {
    if (!node.isArray()) {
      throw Format.wrongType(path, "an array", node);
    }
    return node;
  }

  private static BigInteger readNumber(String path, JsonNode node) {
    var text = node.isIntegralNumber() ? node.bigIntegerValue().toString() : node.asText("");
    if (!NUMBER.matcher(text).matches()) {
      throw Format.wrongType(path, NUMBER_TYPE, node);
    }
    var digits = text.startsWith("0x") ? "0" + text.substring("0x".length()) : text;
    var number = new BigInteger(digits, text.startsWith("0x") ? 16 : 10);
    if (number.bitLength() > 256) {
      throw new RpcFailure(ErrorCode.WRONG_TYPE, path + " must be below 2^256.");
    }
    return number;
  }
}
