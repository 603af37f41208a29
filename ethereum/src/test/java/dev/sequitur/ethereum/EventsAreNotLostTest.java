package dev.sequitur.ethereum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.port.LedgerUnreachableException;
import dev.sequitur.protocol.port.PublicContracts;
import dev.sequitur.protocol.port.PublicContracts.Placed;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** CHN-4: a node that lacks logs answers with fewer, and does not say so. */
class EventsAreNotLostTest {
  /** One log with one topic and no data, whatever it is called with. */
  private static final Bytes TELLING = Bytes.hex("6008600c60003960086000f3602a60006000a100");

  private static final Bytes TOPIC = Bytes.hex("0x" + "0".repeat(62) + "2a");
  private static final Bytes OTHER = Bytes.hex("0x" + "0".repeat(62) + "2b");

  private Anvil chain;
  private AlteringNode node;
  private ContractAddress contract;
  private long first;

  @BeforeEach
  void start() throws IOException {
    chain = Anvil.startWithHistory();
    node = new AlteringNode(chain.address());
    contract = new ContractAddress(chain.deploy(TELLING));
    first = head() + 1;
    for (int i = 0; i < 3; i++) {
      chain.send(chain.account(1), contract.value(), Bytes.EMPTY);
      chain.mine();
    }
  }

  @AfterEach
  void stop() {
    if (node != null) {
      node.close();
    }
    if (chain != null) {
      chain.close();
    }
  }

  private long head() {
    return Long.decode(chain.call("eth_blockNumber").asText());
  }

  private ChainContracts contracts() {
    // No call of a group is made here.
    var rpc = new ChainRpc(List.of(node.address()), ForkJoinPool.commonPool());
    return new ChainContracts(rpc, rpc, null);
  }

  private List<Placed> events(Bytes signature) {
    return contracts()
        .events(
            new PublicContracts.Wanted(
                new BlockHeight(first),
                new BlockHeight(head()),
                Set.of(contract),
                Set.of(signature)))
        .toCompletableFuture()
        .join();
  }

  private List<Long> heights() {
    return events(TOPIC).stream().map(placed -> placed.block().value()).toList();
  }

  private static boolean asks(JsonNode call, String method) {
    return call.path("method").asText().equals(method);
  }

  private void tellsNoLogsOf(long from) {
    node.alters(
        (call, answer) -> {
          if (asks(call, "eth_getLogs")) {
            for (var logs = answer.get("result").elements(); logs.hasNext(); ) {
              if (Long.decode(logs.next().get("blockNumber").asText()) >= from) {
                logs.remove();
              }
            }
          }
        });
  }

  @Test
  void whatANodeLeavesOutIsReadFromTheReceipts() {
    var all = events(TOPIC);
    assertThat(all)
        .extracting(Placed::block)
        .extracting(BlockHeight::value)
        .containsExactly(first, first + 2, first + 4);

    tellsNoLogsOf(first);
    assertThat(events(TOPIC)).isEqualTo(all);
    tellsNoLogsOf(first + 2);
    assertThat(events(TOPIC)).isEqualTo(all);
    assertThat(events(OTHER)).isEmpty();
  }

  private List<PublicContracts.Event> eventsOf(Placed placed) {
    return contracts().events(placed.transaction(), placed.block()).toCompletableFuture().join();
  }

  /** A node forgets by which hash an old transaction is found, and has the logs of its block. */
  @Test
  void whereTheReceiptOfATransactionIsGoneItsBlockHasTheEvents() {
    var placed = events(TOPIC).getFirst();
    var told = eventsOf(placed);
    assertThat(told).containsExactly(placed.event());
    node.alters(
        (call, answer) -> {
          if (asks(call, "eth_getTransactionReceipt")) {
            answer.putNull("result");
          }
        });

    assertThat(eventsOf(placed)).isEqualTo(told);
    var elsewhere = new BlockHeight(placed.block().value() - 1);
    assertThatThrownBy(
            () -> contracts().events(placed.transaction(), elsewhere).toCompletableFuture().join())
        .as("a block that has it not tells nothing of it")
        .hasCauseInstanceOf(LedgerUnreachableException.class);
  }

  /** Whoever asks has seen it in a block: a node that lacks both knows nothing of events. */
  @Test
  void whileNeitherReceiptNorLogsAreThereItIsNotSaidToHaveNoEvents() {
    var placed = events(TOPIC).getFirst();
    node.alters(
        (call, answer) -> {
          if (asks(call, "eth_getTransactionReceipt")) {
            answer.putNull("result");
          } else if (asks(call, "eth_getLogs")) {
            answer.putArray("result");
          }
        });

    assertThatThrownBy(() -> eventsOf(placed))
        .hasCauseInstanceOf(LedgerUnreachableException.class)
        .hasMessageContaining("do not have the receipt of " + placed.transaction())
        .hasMessageContaining("not the logs of its block");
  }

  /** What one block has comes in the order of the block, whoever told it. */
  @Test
  void severalLogsOfABlockKeepTheirOrder() {
    var transaction =
        Map.of("from", chain.account(1), "to", contract.value(), "gas", "0x30d40", "nonce", "0x3");
    chain.call("eth_sendTransaction", transaction);
    chain.call(
        "eth_sendTransaction",
        Map.of("from", chain.account(2), "to", contract.value(), "gas", "0x30d40"));
    chain.mine();
    var all = events(TOPIC);
    assertThat(all).hasSize(5);

    tellsNoLogsOf(first);

    assertThat(events(TOPIC)).isEqualTo(all);
  }

  @Test
  void whileTheReceiptsAreNotThereEitherNothingIsTakenForRead() {
    node.alters(
        (call, answer) -> {
          if (asks(call, "eth_getLogs")) {
            answer.putArray("result");
          } else if (asks(call, "eth_getTransactionReceipt")) {
            answer.putNull("result");
          }
        });

    assertThatThrownBy(this::heights)
        .hasCauseInstanceOf(LedgerUnreachableException.class)
        .hasMessageContaining("no logs of block " + first);
  }

  @Test
  void logsOfABlockThatIsNotTheChainsAreNotTaken() {
    node.alters(
        (call, answer) -> {
          if (asks(call, "eth_getLogs")) {
            answer
                .withArray("/result")
                .forEach(log -> ((ObjectNode) log).put("blockHash", "0x" + "9".repeat(64)));
          }
        });

    assertThatThrownBy(this::heights)
        .hasCauseInstanceOf(LedgerUnreachableException.class)
        .hasMessageContaining("reorganised");
  }

  @Test
  void aRangeWithABlockThatTheNodeDoesNotHaveIsNotRead() {
    node.alters(
        (call, answer) -> {
          if (asks(call, "eth_getBlockByNumber")
              && Long.decode(call.at("/params/0").asText()) == first + 1) {
            answer.putNull("result");
          }
        });

    assertThatThrownBy(this::heights)
        .hasCauseInstanceOf(LedgerUnreachableException.class)
        .hasMessageContaining("does not have block " + (first + 1));
  }
}
