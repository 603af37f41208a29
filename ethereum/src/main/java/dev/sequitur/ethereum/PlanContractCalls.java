package dev.sequitur.ethereum;

import com.esaulpaugh.headlong.abi.Address;
import com.esaulpaugh.headlong.abi.Function;
import com.esaulpaugh.headlong.abi.Tuple;
import com.esaulpaugh.headlong.abi.TupleType;
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
import java.util.List;
import java.util.Optional;

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

  private static final Function EXECUTE = new Function("execute(bytes32)");
  private static final Function GET_STATE = new Function("getState(bytes32)");
  private static final Function GET_EXECUTION = new Function("getExecutionById(bytes32)");
  private static final Function PLANS = new Function("plans(uint256)");
  private static final Function PAUSED = new Function("paused()");

  /** {@code Error(string)}. */
  private static final String ERROR = "0x08c379a0";

  private static final int SELECTOR_DIGITS = 2 + 8;
  private static final int WORD_DIGITS = 2 + 64;
  private static final int MOST_SAID = 200;

  private PlanContractCalls() {}

  static Bytes execute(ScheduleId id) {
    return of(EXECUTE, id);
  }

  static Bytes state(ScheduleId id) {
    return of(GET_STATE, id);
  }

  static Bytes execution(ScheduleId id) {
    return of(GET_EXECUTION, id);
  }

  static Bytes plan(long number) {
    return ContractAbi.call(PLANS, BigInteger.valueOf(number));
  }

  static Bytes paused() {
    return ContractAbi.call(PAUSED);
  }

  private static Bytes of(Function function, ScheduleId id) {
    return ContractAbi.call(function, id.value().toByteArray());
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
    var fields = decoded(answer, "(uint256,uint256,uint256,address,bool)");
    return new ChainPlan(
        fields.<BigInteger>get(0),
        address(fields.get(3)),
        ChainPlan.number(fields.<BigInteger>get(1)),
        ChainPlan.number(fields.<BigInteger>get(2)),
        fields.<Boolean>get(4));
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
    var fields = decoded(tuple, "(address,uint256,address,bytes,uint256,uint256,uint8)");
    return new Requested(
        block,
        id,
        new AccountId(address(fields.get(0)).toString()),
        new ChainExecutionTerms(
            ChainPlan.number(fields.<BigInteger>get(1)),
            address(fields.get(2)),
            fields.<byte[]>get(3).length,
            ChainPlan.number(fields.<BigInteger>get(4)),
            fields.<BigInteger>get(5)));
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
      var fields = decoded(ChainJson.text(log, "data"), "(uint256,address,uint256,uint256)");
      var plan =
          new ChainPlan(
              fields.<BigInteger>get(0),
              address(fields.get(1)),
              ChainPlan.number(fields.<BigInteger>get(2)),
              ChainPlan.number(fields.<BigInteger>get(3)),
              true);
      return Optional.of(new PlanAdded(block, planOf(log), plan));
    } else if (event.equals(PLAN_REMOVED)) {
      return Optional.of(new PlanRemoved(block, planOf(log)));
    } else if (event.equals(EXECUTED)) {
      var fields = decoded(ChainJson.text(log, "data"), "(bool,bytes)");
      boolean success = fields.<Boolean>get(0);
      var result = Bytes.of(fields.<byte[]>get(1));
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
        var text = decoded("0x" + data.substring(SELECTOR_DIGITS), "(string)");
        var said = text.<String>get(0);
        return said.substring(0, Math.min(said.length(), MOST_SAID)) + ".";
      } catch (RuntimeException noText) {
        // Whoever is called may say anything; it is told as it came.
      }
    }
    return data.substring(0, Math.min(data.length(), MOST_SAID)) + ".";
  }

  private static EvmAddress address(Address value) {
    return new EvmAddress(Bytes.hex(value.toString()));
  }

  /**
   * @throws IllegalArgumentException if the contract has answered something else
   */
  private static Tuple decoded(String data, String types) {
    TupleType<Tuple> expected = TupleType.parse(types);
    try {
      return ContractAbi.decoded(expected, Bytes.hex(data).toByteArray());
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(
          "The contract answers something else than %s: %s.".formatted(types, data), e);
    }
  }
}
