package dev.sequitur.ethereum;

import com.esaulpaugh.headlong.abi.ABIObject;
import com.esaulpaugh.headlong.abi.Address;
import com.esaulpaugh.headlong.abi.ContractError;
import com.esaulpaugh.headlong.abi.Event;
import com.esaulpaugh.headlong.abi.Function;
import com.esaulpaugh.headlong.abi.Tuple;
import com.esaulpaugh.headlong.abi.TupleType;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sequitur.protocol.digest.Digests;
import dev.sequitur.protocol.id.Bytes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The functions, events and errors of any contract, as a compiler describes them in JSON. Every
 * method that is given something by a caller throws {@link IllegalArgumentException} with a
 * sentence for that caller. Immutable.
 */
public final class ContractAbi {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** What Solidity itself has every contract say. */
  private static final ContractAbi SOLIDITY =
      read(
          """
          [{"type":"error","name":"Error","inputs":[{"name":"","type":"string"}]},
           {"type":"error","name":"Panic","inputs":[{"name":"","type":"uint256"}]}]
          """);

  private static final ContractError<Tuple> ERROR = SOLIDITY.errors().getFirst();
  private static final ContractError<Tuple> PANIC = SOLIDITY.errors().getLast();
  private static final int SELECTOR = 4;

  private final List<ABIObject> entries;

  private ContractAbi(List<ABIObject> entries) {
    this.entries = entries;
  }

  /**
   * An event as a contract told it.
   *
   * @param signature such as {@code Transfer(address,address,uint256)}
   * @param values as they were wanted
   */
  public record Told(String signature, String definition, JsonNode values) {}

  /**
   * What some bytes mean.
   *
   * @param values as they were wanted
   * @param entry of the ABI, by which they were read
   * @param sentence the same for people
   */
  public record Meaning(String signature, JsonNode values, JsonNode entry, String sentence) {}

  /** What Solidity itself has every contract say. */
  public static ContractAbi solidity() {
    return SOLIDITY;
  }

  /**
   * @param json an array of what a compiler's {@code abi} holds
   */
  public static ContractAbi read(String json) {
    try {
      var entries = new ArrayList<ABIObject>();
      for (var entry : JSON.readTree(json)) {
        entries.add(ABIObject.fromJson(entry.toString()));
      }
      return new ContractAbi(List.copyOf(entries));
    } catch (JsonProcessingException | RuntimeException e) {
      throw new IllegalArgumentException(
          "The ABI is not what a compiler writes as 'abi': " + e.getMessage(), e);
    }
  }

  /**
   * The data of a call.
   *
   * @param name the function's name, or its signature if there are several of that name; absent if
   *     the ABI has only one
   * @param inputs its parameters: an object by name, or an array
   */
  public Bytes call(Optional<String> name, JsonNode inputs) {
    var function = function(name);
    return bytes(function.encodeCall(AbiValues.tuple(function.getInputs(), inputs, "data")));
  }

  /** As {@link #call(Optional, JsonNode)}, of values as headlong has them. */
  static Bytes call(Function function, Object... values) {
    return bytes(function.encodeCallWithArgs(values));
  }

  /**
   * @param hex 20 bytes, however they are written
   */
  static Address address(String hex) {
    return Address.wrap(Address.toChecksumAddress(hex));
  }

  /**
   * What a function has returned.
   *
   * @param name as in {@link #call}
   */
  public JsonNode result(Optional<String> name, Bytes returned, ValueFormat format) {
    var types = function(name).getOutputs();
    try {
      return AbiValues.written(types, decoded(types, returned.toByteArray()), format);
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(
          "The contract returned something else than %s.".formatted(types.getCanonicalType()), e);
    }
  }

  private Function function(Optional<String> name) {
    var functions =
        entries.stream().filter(ABIObject::isFunction).map(ABIObject::asFunction).toList();
    var found =
        functions.stream()
            .filter(each -> each.getName() != null)
            .filter(each -> name.map(wanted -> isCalled(each, wanted)).orElse(true))
            .toList();
    if (found.size() != 1) {
      var all =
          (found.isEmpty() ? functions : found)
              .stream()
                  .filter(each -> each.getName() != null)
                  .map(Function::getCanonicalSignature)
                  .toList();
      throw new IllegalArgumentException(
          found.isEmpty()
              ? "The ABI has no function '%s': name one of %s.".formatted(name.orElse(""), all)
              : "The ABI has several such functions: name one of " + all + ".");
    }
    return found.getFirst();
  }

  private static boolean isCalled(Function function, String wanted) {
    return wanted.equals(function.getName())
        || wanted.replace(" ", "").equals(function.getCanonicalSignature());
  }

  /** The data of what makes a contract: its byte code, and what it is constructed with. */
  public Bytes construction(Bytes byteCode, JsonNode inputs) {
    var types =
        entries.stream()
            .filter(ABIObject::isFunction)
            .map(ABIObject::asFunction)
            .filter(each -> each.getType().toString().equalsIgnoreCase("constructor"))
            .findFirst()
            .<TupleType<Tuple>>map(Function::getInputs)
            .orElse(TupleType.EMPTY);
    var arguments = types.encode(AbiValues.tuple(types, inputs, "data"));
    return Bytes.of(
        ByteBuffer.allocate(byteCode.size() + arguments.remaining())
            .put(byteCode.toByteArray())
            .put(arguments)
            .array());
  }

  /** What the data of a call means, if it is one of a function here. */
  public Optional<Meaning> readCall(Bytes data, ValueFormat format) {
    return entries.stream()
        .filter(ABIObject::isFunction)
        .map(ABIObject::asFunction)
        .filter(function -> function.getName() != null)
        .flatMap(
            function ->
                meaning(
                    function, function.getCanonicalSignature(), function.getInputs(), data, format)
                    .stream())
        .findFirst();
  }

  /** What a contract meant as it reverted, if it is one of the errors here. */
  public Optional<Meaning> readError(Bytes said, ValueFormat format) {
    return errors().stream()
        .flatMap(
            error ->
                meaning(error, error.getCanonicalSignature(), error.getInputs(), said, format)
                    .stream())
        .findFirst();
  }

  /** What a contract told, if it is one of the events here. */
  public Optional<Meaning> readEvent(List<Bytes> topics, Bytes data, ValueFormat format) {
    return event(topics, data, format)
        .map(told -> new Meaning(told.signature(), told.values(), entry(told.signature()), ""));
  }

  private JsonNode entry(String signature) {
    return entries.stream()
        .filter(ABIObject::isEvent)
        .filter(each -> each.getCanonicalSignature().equals(signature))
        .map(ContractAbi::json)
        .findFirst()
        .orElseThrow();
  }

  private static Optional<Meaning> meaning(
      ABIObject entry, String signature, TupleType<Tuple> types, Bytes data, ValueFormat format) {
    return values(signature, types, data)
        .map(
            values ->
                new Meaning(
                    signature,
                    AbiValues.written(types, values, format),
                    json(entry),
                    sentence(signature.substring(0, signature.indexOf('(')), types, values)));
  }

  private static JsonNode json(ABIObject entry) {
    try {
      return JSON.readTree(entry.toJson(false));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("The library wrote no JSON: " + entry, e);
    }
  }

  /** A sentence on what a contract meant, if it is one of the errors here or of Solidity's own. */
  Optional<String> error(Bytes said) {
    return matching(ERROR, said)
        .map(values -> "\"" + values.get(0) + "\".")
        .or(() -> matching(PANIC, said).map(values -> "Panic " + panic(values.get(0).toString())))
        .or(
            () ->
                errors().stream()
                    .flatMap(error -> matching(error, said).map(it -> sentence(error, it)).stream())
                    .findFirst());
  }

  /** By Solidity alone. */
  static Optional<String> errorOfSolidity(Bytes said) {
    return SOLIDITY.error(said);
  }

  private static String panic(String code) {
    return switch (code) {
      case "1" -> "1: an assertion failed.";
      case "17" -> "17: an arithmetic operation overflowed.";
      case "18" -> "18: a division by zero.";
      case "33" -> "33: an invalid value of an enumeration.";
      case "49" -> "49: an empty array was popped.";
      case "50" -> "50: an index is out of bounds.";
      case "65" -> "65: too much memory was asked for.";
      case "81" -> "81: a function that is not set was called.";
      default -> code + ".";
    };
  }

  private List<ContractError<Tuple>> errors() {
    return entries.stream()
        .filter(ABIObject::isContractError)
        .map(ABIObject::<Tuple>asContractError)
        .toList();
  }

  private static Optional<Tuple> matching(ContractError<Tuple> error, Bytes said) {
    return values(error.getCanonicalSignature(), error.getInputs(), said);
  }

  /** What comes after the first four bytes, if these are the signature's. */
  private static Optional<Tuple> values(String signature, TupleType<Tuple> types, Bytes given) {
    var selector = Digests.keccak256(Bytes.utf8(signature)).toByteArray();
    var data = given.toByteArray();
    if (data.length < SELECTOR || !Arrays.equals(data, 0, SELECTOR, selector, 0, SELECTOR)) {
      return Optional.empty();
    }
    try {
      return Optional.of(decoded(types, Arrays.copyOfRange(data, SELECTOR, data.length)));
    } catch (RuntimeException notLaidOutSo) {
      return Optional.empty();
    }
  }

  /**
   * @throws IllegalArgumentException if the data is not laid out so
   */
  static Tuple decoded(TupleType<Tuple> types, byte[] data) {
    requirePlain(types, data);
    return types.decode(data);
  }

  private static void requirePlain(TupleType<?> types, byte[] data) {
    if (!AbiLayout.isPlain(types, data)) {
      throw new IllegalArgumentException("It is not laid out as " + types.getCanonicalType());
    }
  }

  private static void requirePlain(Event<Tuple> event, byte[] data) {
    requirePlain(event.getNonIndexedParams(), data);
    TupleType<?> indexed = event.getIndexedParams();
    for (int i = 0; i < indexed.size(); i++) {
      if (!AbiLayout.fitsTopic(indexed.get(i))) {
        throw new IllegalArgumentException(
            "A topic has its hash, which the library does not know.");
      }
    }
  }

  private static String sentence(ContractError<Tuple> error, Tuple values) {
    return sentence(error.getName(), error.getInputs(), values) + ".";
  }

  private static String sentence(String called, TupleType<?> types, Tuple values) {
    return IntStream.range(0, types.size())
        .mapToObj(
            i -> {
              var name = types.getElementName(i);
              var value = AbiValues.json(types.get(i), values.get(i), ValueFormat.STANDARD);
              var text = value.isTextual() ? value.textValue() : value.toString();
              return name == null || name.isEmpty() ? text : name + " " + text;
            })
        .collect(Collectors.joining(", ", called + "(", ")"));
  }

  /**
   * The first topics of all events here; empty if what an event begins with does not tell it, since
   * one is anonymous.
   */
  public Optional<Set<Bytes>> signatures() {
    var events =
        entries.stream().filter(ABIObject::isEvent).map(ABIObject::<Tuple>asEvent).toList();
    return events.stream().anyMatch(Event::isAnonymous)
        ? Optional.empty()
        : Optional.of(
            events.stream()
                .map(event -> Digests.keccak256(Bytes.utf8(event.getCanonicalSignature())))
                .map(digest -> Bytes.of(digest.toByteArray()))
                .collect(Collectors.toSet()));
  }

  /** Whether there is an event here. */
  public boolean hasEvents() {
    return entries.stream().anyMatch(ABIObject::isEvent);
  }

  /** What an event says, if it is one of those here. */
  public Optional<Told> event(List<Bytes> topics, Bytes data) {
    return event(topics, data, ValueFormat.STANDARD);
  }

  /** The same, its values written as somebody wants them. */
  public Optional<Told> event(List<Bytes> topics, Bytes data, ValueFormat format) {
    var given = topics.stream().map(Bytes::toByteArray).toArray(byte[][]::new);
    return entries.stream()
        .filter(ABIObject::isEvent)
        .map(ABIObject::<Tuple>asEvent)
        .flatMap(event -> told(event, given, data, format).stream())
        .findFirst();
  }

  private static Optional<Told> told(
      Event<Tuple> event, byte[][] topics, Bytes data, ValueFormat format) {
    var topic = Digests.keccak256(Bytes.utf8(event.getCanonicalSignature())).toByteArray();
    if (!event.isAnonymous() && (topics.length == 0 || !Arrays.equals(topics[0], topic))) {
      return Optional.empty();
    }
    try {
      requirePlain(event, data.toByteArray());
      Tuple values = event.decodeArgs(topics, data.toByteArray());
      return Optional.of(
          new Told(
              event.getCanonicalSignature(),
              EventDefinition.of(event),
              AbiValues.written(event.getInputs(), values, format)));
    } catch (RuntimeException notLaidOutSo) {
      return Optional.empty();
    }
  }

  private static Bytes bytes(ByteBuffer buffer) {
    return Bytes.of(buffer.array());
  }
}
