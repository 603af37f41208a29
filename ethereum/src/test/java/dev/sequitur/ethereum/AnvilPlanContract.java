package dev.sequitur.ethereum;

import static org.assertj.core.api.Assertions.assertThat;

import com.esaulpaugh.headlong.abi.Function;
import com.esaulpaugh.headlong.abi.Tuple;
import com.esaulpaugh.headlong.abi.TupleType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.abi.EvmAddress;
import dev.sequitur.schedule.plan.PlanExecutionState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;

/**
 * The published byte code of {@code RIFScheduler} on a chain of a test. Its service provider is the
 * chain's account 0, its payee account 9, and account 1 requests what is to be executed. Its plans
 * cost nothing.
 */
public final class AnvilPlanContract {
  private static final int PROVIDER = 0;
  private static final int REQUESTOR = 1;
  private static final int PAYEE = 9;
  private static final long LEAST_AHEAD = 15;
  private static final int DATA = 40;
  private static final long GAS = 5_000_000;
  private static final long SCHEDULE_GAS = 500_000;
  private static final long FIRST_CALLED = 0x1000_0000;

  /** The event's topic. */
  private static final List<String> EXECUTED = List.of(PlanContractCalls.EXECUTED.toString());

  private final Anvil chain;
  private final String contract;

  private AnvilPlanContract(Anvil chain, String contract) {
    this.chain = chain;
    this.contract = contract;
  }

  public static AnvilPlanContract deploy(Anvil chain) {
    try {
      var file = Node.modules().resolve("@rsksmart/rif-scheduler-contracts/RIFScheduler.json");
      var artifact = JsonMapper.builder().build().readTree(Files.readString(file));
      TupleType<Tuple> parameters = TupleType.parse("(address,address,uint256)");
      var arguments =
          parameters.encode(
              Tuple.from(
                  ContractAbi.address(chain.account(PROVIDER)),
                  ContractAbi.address(chain.account(PAYEE)),
                  BigInteger.valueOf(LEAST_AHEAD)));
      var creation =
          Bytes.hex(
              artifact.get("bytecode").textValue()
                  + Bytes.of(arguments.array()).toHex().substring(2));
      return new AnvilPlanContract(chain, chain.deploy(creation));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  public EvmAddress address() {
    return new EvmAddress(Bytes.hex(contract));
  }

  /**
   * @param function its signature
   * @param arguments whole numbers as long, too
   */
  static Bytes call(String function, Object... arguments) {
    var values =
        Arrays.stream(arguments)
            .map(value -> value instanceof Long number ? BigInteger.valueOf(number) : value)
            .toArray();
    return ContractAbi.call(new Function(function), values);
  }

  /** No whole number of words, and no zero in it: what comes behind it is padding. */
  private static byte[] data() {
    var data = new byte[DATA];
    Arrays.fill(data, (byte) -1);
    return data;
  }

  static Bytes cancel(ScheduleId id) {
    return call("cancelScheduling(bytes32)", id.value().toByteArray());
  }

  private JsonNode send(int account, Bytes data) {
    var receipt = chain.send(chain.account(account), contract, data, GAS);
    assertThat(receipt.get("status").textValue()).isEqualTo("0x1");
    return receipt;
  }

  /** Comes before what offers less, in the next block. */
  void sendFirst(int account, Bytes data) {
    chain.call("anvil_setBalance", chain.account(account), "0xde0b6b3a7640000");
    chain.call(
        "eth_sendTransaction",
        Map.of(
            "from",
            chain.account(account),
            "to",
            contract,
            "data",
            data.toHex(),
            "gas",
            ChainJson.hex(GAS),
            "maxFeePerGas",
            "0x10",
            "maxPriorityFeePerGas",
            "0x10"));
  }

  /** The next plan. */
  public void addPlan(long window, long gas) {
    addPlan(BigInteger.valueOf(window), gas);
  }

  void addPlan(BigInteger window, long gas) {
    send(
        PROVIDER,
        call(
            "addPlan(uint256,uint256,uint256,address)",
            0L,
            window,
            gas,
            ContractAbi.address(EvmAddress.ZERO.toString())));
  }

  void removePlan(long plan) {
    send(PROVIDER, call("removePlan(uint256)", plan));
  }

  void purchase(long plan, long quantity) {
    send(REQUESTOR, call("purchase(uint256,uint256)", plan, quantity));
  }

  void refund(ScheduleId id) {
    send(REQUESTOR, call("requestExecutionRefund(bytes32)", id.value().toByteArray()));
  }

  /** Of plan 0. */
  public ScheduleId request(String to, long timestamp) {
    return request(0, to, timestamp);
  }

  ScheduleId request(long plan, String to, long timestamp) {
    purchase(plan, 1);
    return schedule(plan, to, timestamp);
  }

  ScheduleId schedule(long plan, String to, long timestamp) {
    var data =
        call(
            "schedule(uint256,address,bytes,uint256)",
            plan,
            ContractAbi.address(to),
            data(),
            timestamp);
    return requested(send(REQUESTOR, data));
  }

  /**
   * Requests many executions of plan 0 in few blocks, each of which calls an address of its own.
   *
   * @param first the time of the first ones, in seconds
   * @param eachSecond for the first second and for each of those that follow
   * @return in which second each is to run
   */
  public Map<ScheduleId, Long> request(long first, int eachSecond, int seconds) {
    int all = eachSecond * seconds;
    purchase(0, all);
    var hashes = new ArrayList<String>();
    for (int i = 0; i < all; i++) {
      var data =
          call(
              "schedule(uint256,address,bytes,uint256)",
              0L,
              ContractAbi.address("0x%040x".formatted(FIRST_CALLED + i)),
              data(),
              first + i / eachSecond);
      var transaction =
          Map.of(
              "from",
              chain.account(REQUESTOR),
              "to",
              contract,
              "data",
              data.toHex(),
              "gas",
              ChainJson.hex(SCHEDULE_GAS));
      hashes.add(chain.call("eth_sendTransaction", transaction).textValue());
    }
    var requested = new LinkedHashMap<ScheduleId, Long>();
    for (int i = 0; i < all; i++) {
      requested.put(requested(hashes.get(i)), first + i / eachSecond);
    }
    return requested;
  }

  private ScheduleId requested(String hash) {
    var receipt =
        Awaitility.await()
            .atMost(Duration.ofSeconds(60))
            .pollDelay(Duration.ZERO)
            .until(() -> chain.call("eth_getTransactionReceipt", hash), JsonNode::isObject);
    return requested(receipt);
  }

  private static ScheduleId requested(JsonNode receipt) {
    var topics = receipt.get("logs").get(0).get("topics");
    return new ScheduleId(FamilyKind.CHAIN_EXECUTION, Hash.hex(topics.get(1).textValue()));
  }

  /** How often each execution was executed, whether what it called succeeded or not. */
  public Map<ScheduleId, Integer> executed() {
    var executed = new HashMap<ScheduleId, Integer>();
    for (var event : executions()) {
      executed.merge(execution(event), 1, Integer::sum);
    }
    return executed;
  }

  private JsonNode executions() {
    return chain.call(
        "eth_getLogs",
        Map.of("fromBlock", "0x0", "toBlock", "latest", "address", contract, "topics", EXECUTED));
  }

  private static ScheduleId execution(JsonNode event) {
    return new ScheduleId(
        FamilyKind.CHAIN_EXECUTION, Hash.hex(event.get("topics").get(1).textValue()));
  }

  /** How often executions happened in a block of each second after the time that they asked for. */
  public SortedMap<Long, Integer> lateness(Map<ScheduleId, Long> asked) {
    var late = new TreeMap<Long, Integer>();
    var times = new HashMap<String, Long>();
    for (var event : executions()) {
      var block = event.get("blockNumber").textValue();
      long time = times.computeIfAbsent(block, this::timeOf);
      late.merge(time - asked.get(execution(event)), 1, Integer::sum);
    }
    return late;
  }

  private long timeOf(String block) {
    return Long.decode(
        chain.call("eth_getBlockByNumber", block, false).get("timestamp").textValue());
  }

  /** How many seconds the chain took for a block at most, on the average of so many in a row. */
  public double slowest(int blocks) {
    var times =
        LongStream.rangeClosed(1, Long.decode(chain.call("eth_blockNumber").textValue()))
            .map(block -> timeOf(ChainJson.hex(block)))
            .toArray();
    return IntStream.range(blocks, times.length)
        .mapToDouble(last -> (double) (times[last] - times[last - blocks]) / blocks)
        .max()
        .orElseThrow();
  }

  /** Transactions of an account, failed ones too. */
  public long sentBy(String account) {
    return Long.decode(chain.call("eth_getTransactionCount", account, "latest").textValue());
  }

  public PlanExecutionState state(ScheduleId id) {
    return PlanContractCalls.readState(chain.view(contract, PlanContractCalls.state(id)).toHex());
  }

  /** The time of the newest block. */
  public long now() {
    return timeOf("latest");
  }

  /** Makes a block of each second up to this one. */
  public void passTo(long time) {
    while (now() < time) {
      chain.mine();
    }
  }

  void mineAt(long time) {
    chain.call("evm_setNextBlockTimestamp", time);
    chain.call("evm_mine");
  }
}
