package dev.sequitur.ethereum;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.protocol.digest.Digests;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.abi.EvmAddress;
import dev.sequitur.schedule.chainexecution.ChainExecutionTerms;
import dev.sequitur.schedule.chainexecution.ChainPlan;
import dev.sequitur.schedule.chainexecution.Reading.End;
import dev.sequitur.schedule.chainexecution.Reading.Logged;
import dev.sequitur.schedule.chainexecution.Reading.PlanAdded;
import dev.sequitur.schedule.chainexecution.Reading.PlanRemoved;
import dev.sequitur.schedule.chainexecution.Reading.Requested;
import dev.sequitur.schedule.chainexecution.Reading.Seen;
import dev.sequitur.schedule.plan.PlanExecutionState;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.web3j.abi.FunctionEncoder;
import org.web3j.abi.FunctionReturnDecoder;
import org.web3j.abi.TypeReference;
import org.web3j.abi.datatypes.Address;
import org.web3j.abi.datatypes.Bool;
import org.web3j.abi.datatypes.DynamicBytes;
import org.web3j.abi.datatypes.Function;
import org.web3j.abi.datatypes.Type;
import org.web3j.abi.datatypes.Utf8String;
import org.web3j.abi.datatypes.generated.Bytes32;
import org.web3j.abi.datatypes.generated.Uint256;
import org.web3j.abi.datatypes.generated.Uint8;

/** The functions and events of the deployed {@code RIFScheduler}. Pure. */
final class PlanContractCalls {
  static final Hash PLAN_ADDED = topic("PlanAdded(uint256,uint256,address,uint256,uint256)");
  static final Hash PLAN_REMOVED = topic("PlanRemoved(uint256)");
  static final Hash REQUESTED = topic("ExecutionRequested(bytes32,uint256)");
  static final Hash EXECUTED = topic("Executed(bytes32,bool,bytes)");
  static final Hash CANCELLED = topic("ExecutionCancelled(bytes32)");
  static final Hash REFUNDED = topic("ExecutionRefunded(bytes32)");
  static final List<Hash> EVENTS =
      List.of(PLAN_ADDED, PLAN_REMOVED, REQUESTED, EXECUTED, CANCELLED, REFUNDED);

  /** {@code Error(string)}. */
  private static final String ERROR = "0x08c379a0";

  private static final int SELECTOR_DIGITS = 2 + 8;
  private static final int WORD_DIGITS = 2 + 64;
  private static final int MOST_SAID = 200;

  private PlanContractCalls() {}

  static Bytes execute(ScheduleId id) {
    return of("execute", id);
  }

  static Bytes state(ScheduleId id) {
    return of("getState", id);
  }

  static Bytes execution(ScheduleId id) {
    return of("getExecutionById", id);
  }

  static Bytes plan(long number) {
    return encoded(new Function("plans", List.of(new Uint256(number)), List.of()));
  }

  static Bytes paused() {
    return encoded(new Function("paused", List.of(), List.of()));
  }

  private static Bytes of(String function, ScheduleId id) {
    var argument = new Bytes32(id.value().toByteArray());
    return encoded(new Function(function, List.of(argument), List.of()));
  }

  private static Bytes encoded(Function function) {
    return Bytes.hex(FunctionEncoder.encode(function));
  }

  private static Hash topic(String event) {
    return Digests.keccak256(Bytes.utf8(event));
  }

  /** What {@code getState} answers; the enumeration has the contract's order. */
  static PlanExecutionState readState(String answer) {
    return PlanExecutionState.values()[number(answer).intValueExact()];
  }

  static boolean readPaused(String answer) {
    return number(answer).signum() != 0;
  }

  private static BigInteger number(String word) {
    return new BigInteger(word.substring(2), 16);
  }

  /** What {@code plans} answers. */
  static ChainPlan readPlan(String answer) {
    var fields =
        decoded(answer, Uint256.class, Uint256.class, Uint256.class, Address.class, Bool.class);
    return new ChainPlan(
        (BigInteger) fields.get(0).getValue(),
        address(fields.get(3)),
        ChainPlan.number((BigInteger) fields.get(1).getValue()),
        ChainPlan.number((BigInteger) fields.get(2).getValue()),
        (Boolean) fields.get(4).getValue());
  }

  /**
   * What {@code getExecutionById} answers.
   *
   * @param block of the request
   * @param answer empty if the contract fails over it, as it does if the end of its window is
   *     beyond all numbers: then it never runs
   */
  static Requested readRequested(long block, ScheduleId id, Optional<String> answer) {
    if (answer.isEmpty()) {
      return new Requested(
          block,
          id,
          new AccountId(EvmAddress.ZERO.toString()),
          new ChainExecutionTerms(0, EvmAddress.ZERO, 0, ChainPlan.MOST, BigInteger.ZERO));
    }
    // A tuple with content of its own: behind a word that says where it begins.
    var tuple = "0x" + answer.get().substring(WORD_DIGITS);
    var fields =
        decoded(
            tuple,
            Address.class,
            Uint256.class,
            Address.class,
            DynamicBytes.class,
            Uint256.class,
            Uint256.class,
            Uint8.class);
    return new Requested(
        block,
        id,
        new AccountId(address(fields.get(0)).toString()),
        new ChainExecutionTerms(
            ChainPlan.number((BigInteger) fields.get(1).getValue()),
            address(fields.get(2)),
            ((byte[]) fields.get(3).getValue()).length,
            ChainPlan.number((BigInteger) fields.get(4).getValue()),
            (BigInteger) fields.get(5).getValue()));
  }

  static ScheduleId id(JsonNode log) {
    return new ScheduleId(
        FamilyKind.CHAIN_EXECUTION, Hash.hex(log.path("topics").path(1).asText()));
  }

  static boolean isRequested(JsonNode log) {
    return event(log).equals(REQUESTED);
  }

  private static Hash event(JsonNode log) {
    return Hash.hex(log.path("topics").path(0).asText());
  }

  /** A log of any event but a request, which says too little. */
  static Optional<Logged> readLog(JsonNode log) {
    var event = event(log);
    long block = ChainJson.number(log, "blockNumber");
    if (event.equals(PLAN_ADDED)) {
      var fields =
          decoded(
              ChainJson.text(log, "data"),
              Uint256.class,
              Address.class,
              Uint256.class,
              Uint256.class);
      var plan =
          new ChainPlan(
              (BigInteger) fields.get(0).getValue(),
              address(fields.get(1)),
              ChainPlan.number((BigInteger) fields.get(2).getValue()),
              ChainPlan.number((BigInteger) fields.get(3).getValue()),
              true);
      return Optional.of(new PlanAdded(block, planOf(log), plan));
    } else if (event.equals(PLAN_REMOVED)) {
      return Optional.of(new PlanRemoved(block, planOf(log)));
    } else if (event.equals(EXECUTED)) {
      var fields = decoded(ChainJson.text(log, "data"), Bool.class, DynamicBytes.class);
      boolean success = (Boolean) fields.get(0).getValue();
      var result = Bytes.of((byte[]) fields.get(1).getValue());
      var failure = success ? Optional.<String>empty() : Optional.of(failedCall(result));
      return Optional.of(new Seen(block, id(log), new End.Executed(failure)));
    } else if (event.equals(CANCELLED)) {
      return Optional.of(new Seen(block, id(log), new End.Cancelled()));
    }
    return event.equals(REFUNDED)
        ? Optional.of(new Seen(block, id(log), new End.Refunded()))
        : Optional.empty();
  }

  private static long planOf(JsonNode log) {
    return ChainPlan.number(number(log.path("topics").path(1).asText()));
  }

  private static String failedCall(Bytes result) {
    return result.isEmpty()
        ? "The call that it makes failed, and said nothing."
        : "The call that it makes failed: " + reason(result.toHex());
  }

  /** What a contract said as it reverted, as a sentence. */
  static String reason(String data) {
    if (data.startsWith(ERROR)) {
      try {
        var text = decoded("0x" + data.substring(SELECTOR_DIGITS), Utf8String.class);
        var said = text.get(0).getValue().toString();
        return said.substring(0, Math.min(said.length(), MOST_SAID)) + ".";
      } catch (RuntimeException noText) {
        // Whoever is called may say anything; it is told as it came.
      }
    }
    return data.substring(0, Math.min(data.length(), MOST_SAID)) + ".";
  }

  private static EvmAddress address(Type<?> value) {
    return new EvmAddress(Bytes.hex(value.getValue().toString()));
  }

  @SafeVarargs
  @SuppressWarnings("unchecked")
  private static List<Type> decoded(String data, Class<? extends Type<?>>... types) {
    var outputs =
        Arrays.stream(types)
            .map(type -> (TypeReference<Type>) (TypeReference<?>) TypeReference.create(type))
            .toList();
    var fields = FunctionReturnDecoder.decode(data, outputs);
    if (fields.size() < types.length) {
      throw new IllegalArgumentException("The contract answers too little: " + data + ".");
    }
    return fields;
  }
}
