package dev.sequitur.ethereum;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.schedule.FamilyKind;
import dev.sequitur.protocol.schedule.ScheduleId;
import dev.sequitur.protocol.schedule.abi.EvmAddress;
import dev.sequitur.protocol.schedule.plan.PlanExecutionState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.web3j.abi.FunctionEncoder;
import org.web3j.abi.datatypes.Address;
import org.web3j.abi.datatypes.DynamicBytes;
import org.web3j.abi.datatypes.Function;
import org.web3j.abi.datatypes.Type;
import org.web3j.abi.datatypes.generated.Bytes32;
import org.web3j.abi.datatypes.generated.Uint256;

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
      var arguments =
          FunctionEncoder.encodeConstructor(
              List.of(
                  new Address(chain.account(PROVIDER)),
                  new Address(chain.account(PAYEE)),
                  new Uint256(LEAST_AHEAD)));
      var creation = Bytes.hex(artifact.get("bytecode").textValue() + arguments);
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

  static Bytes call(String function, Type<?>... arguments) {
    return Bytes.hex(
        FunctionEncoder.encode(new Function(function, List.<Type>of(arguments), List.of())));
  }

  static Bytes cancel(ScheduleId id) {
    return call("cancelScheduling", new Bytes32(id.value().toByteArray()));
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
            "addPlan",
            new Uint256(0),
            new Uint256(window),
            new Uint256(gas),
            new Address(EvmAddress.ZERO.toString())));
  }

  void removePlan(long plan) {
    send(PROVIDER, call("removePlan", new Uint256(plan)));
  }

  void purchase(long plan, long quantity) {
    send(REQUESTOR, call("purchase", new Uint256(plan), new Uint256(quantity)));
  }

  void refund(ScheduleId id) {
    send(REQUESTOR, call("requestExecutionRefund", new Bytes32(id.value().toByteArray())));
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
            "schedule",
            new Uint256(plan),
            new Address(to),
            new DynamicBytes(new byte[DATA]),
            new Uint256(timestamp));
    var topics = send(REQUESTOR, data).get("logs").get(0).get("topics");
    return new ScheduleId(FamilyKind.CHAIN_EXECUTION, Hash.hex(topics.get(1).textValue()));
  }

  public PlanExecutionState state(ScheduleId id) {
    return PlanContractCalls.readState(chain.view(contract, PlanContractCalls.state(id)).toHex());
  }

  /** The time of the newest block. */
  public long now() {
    return Long.decode(
        chain.call("eth_getBlockByNumber", "latest", false).get("timestamp").textValue());
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
