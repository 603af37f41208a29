package dev.sequitur.node.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.crypto.FileKeys;
import dev.sequitur.crypto.Secp256k1Signatures;
import dev.sequitur.ethereum.Anvil;
import dev.sequitur.ethereum.ChainRpc;
import dev.sequitur.ethereum.Counter;
import dev.sequitur.ethereum.FactoryDeployment;
import dev.sequitur.node.configuration.LedgerAccess;
import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.node.process.Starter.NetworkLedger;
import dev.sequitur.node.process.Starter.NetworkPlan;
import dev.sequitur.node.rpc.WebSocketClient;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.port.BaseLedger;
import java.io.IOException;
import java.math.BigInteger;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Contracts of any kind, made and called through a node, on a chain in a process of its own. */
@Execution(ExecutionMode.CONCURRENT)
class PublicTransactionsTest {
  @TempDir private Path directory;
  private Anvil chain;
  private ChainRpc rpc;
  private LedgerAccess.Ethereum access;
  private RunningNetwork network;
  private JsonRpcCaller node;

  @BeforeEach
  void start() throws IOException {
    chain = Anvil.startWithBlocks();
    rpc = new ChainRpc(List.of(chain.address()), ForkJoinPool.commonPool());
    var keys = FileKeys.open(directory.resolve("operator"));
    var factory =
        new FactoryDeployment(
                rpc,
                BaseLedger.LOCAL_CHAIN,
                keys.signer("operator"),
                new Secp256k1Signatures(),
                Fees.flat(0))
            .deploy()
            .toCompletableFuture()
            .join();
    access = LedgerAccess.Ethereum.of(List.of(chain.address()), ChainRpc.KEY, factory);
    startNode();
  }

  private void startNode() {
    var plan = NodeConfiguration.embedded(new NodeName("node1"), directory.resolve("node1"));
    network =
        new ProcessStarter()
            .startNetwork(
                new NetworkPlan(
                    new NetworkLedger.Chain(access, BaseLedger.LOCAL_CHAIN),
                    List.of(plan.withRules(NodesOnEthereumTest.withoutPrice(plan.rules())))),
                started -> {});
    node = new JsonRpcCaller(network.nodes().getFirst().url());
  }

  @AfterEach
  void stop() {
    if (network != null) {
      network.close();
    }
    if (chain != null) {
      chain.close();
    }
  }

  private void restartNode() {
    network.close();
    startNode();
  }

  private static String deployment(String key) {
    return "{'type':'public','from':'alice','idempotencyKey':'%s','bytecode':'%s','abi':%s,'data':{'limit':10}}"
        .formatted(key, Counter.CREATION.toHex(), abi());
  }

  private static String abi() {
    return Counter.ABI.toString().replace('"', '\'');
  }

  private static String add(String to, String more, int amount, String note) {
    return "{'type':'public','from':'alice','to':'%s','function':'add','abi':%s,%s'data':{'amount':%d,'note':{'text':'%s','marks':[1,2]}}}"
        .formatted(to, abi(), more, amount, note);
  }

  private String send(String transaction) {
    return node.result("ptx_sendTransaction", "[" + transaction + "]").asText();
  }

  private String refused(String transaction) {
    return node.answer("ptx_sendTransaction", "[" + transaction + "]")
        .at("/error/message")
        .asText();
  }

  private JsonNode receipt(String id) {
    return node.awaitResult("ptx_getTransactionReceipt", "['" + id + "']");
  }

  private String deployed() {
    return receipt(send(deployment("make it"))).get("contractAddress").asText();
  }

  private long value(String contract) {
    var call = java.util.Map.of("to", contract, "data", "0x3fa4f245");
    return Long.decode(rpc.ask("eth_call", call, "latest").toCompletableFuture().join().asText());
  }

  @Test
  void aContractIsMadeAndCalledAndItsEventsAreTold() {
    var made = receipt(send(deployment("make it")));
    assertThat(made.get("success").asBoolean()).isTrue();
    assertThat(made.has("domain")).isFalse();
    var contract = made.get("contractAddress").asText();

    var id = send(add(contract, "", 3, "first"));
    var done = receipt(id);

    assertThat(done.get("success").asBoolean()).isTrue();
    assertThat(done.get("blockNumber").asLong()).isGreaterThan(made.get("blockNumber").asLong());
    assertThat(done.get("transactionHash").asText()).hasSize(66);
    assertThat(value(contract)).isEqualTo(3);
    var events = node.result("ptx_getTransactionReceiptFull", "['" + id + "']").get("events");
    assertThat(events).hasSize(1);
    assertThat(events.get(0).get("address").asText()).isEqualTo(contract);
    assertThat(events.get(0).get("data").get("value").asText()).isEqualTo("3");
    assertThat(events.get(0).get("data").get("note").get("text").asText()).isEqualTo("first");
    var sent = node.result("ptx_getTransaction", "['" + id + "']");
    assertThat(sent.get("type").asText()).isEqualTo("public");
    assertThat(sent.get("to").asText()).isEqualTo(contract);
    assertThat(
            node.result(
                "ptx_queryTransactions", "[{'limit':10,'eq':[{'field':'type','value':'public'}]}]"))
        .hasSize(2);
  }

  @Test
  void eachIsFoundByItsNonceBeforeItsBlockAndByItsHashAfterIt() {
    var contract = deployed();
    rpc.ask("evm_setIntervalMining", 0).toCompletableFuture().join();
    var id = send(add(contract, "'gas':200000,", 3, "first"));
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> pending().path(0).path("submissions").size() == 1);
    var waiting = pending().get(0);
    assertThat(waiting.get("transaction").asText()).isEqualTo(id);
    assertThat(waiting.get("nonce").asText()).isEqualTo("0x1");
    assertThat(waiting.get("gas").asText()).isEqualTo("0x30d40");
    assertThat(waiting.get("transactionHash").isNull()).isTrue();
    assertThat(byNonce(waiting, 1).get("transaction").asText()).isEqualTo(id);
    assertThat(byNonce(waiting, 0).get("contractAddress").asText()).isEqualTo(contract);
    assertThat(byNonce(waiting, 2).isNull()).isTrue();

    rpc.ask("evm_setIntervalMining", 1).toCompletableFuture().join();
    var hash = receipt(id).get("transactionHash").asText();

    var done = node.result("ptx_getPublicTransactionByHash", "['" + hash + "']");
    assertThat(done.get("transaction").asText()).isEqualTo(id);
    assertThat(done.get("success").asBoolean()).isTrue();
    assertThat(done).isEqualTo(byNonce(waiting, 1));
    assertThat(hash).isEqualTo(waiting.at("/submissions/0/transactionHash").asText());
    assertThat(pending()).isEmpty();
    restartNode();
    assertThat(byNonce(waiting, 1)).isEqualTo(done);
  }

  private JsonNode pending() {
    return node.result("ptx_queryPendingPublicTransactions", "[{'limit':10}]");
  }

  private JsonNode byNonce(JsonNode like, long nonce) {
    return node.result(
        "ptx_getPublicTransactionByNonce",
        "['%s', %d]".formatted(like.get("from").asText(), nonce));
  }

  @Test
  void whatWouldFailIsRefusedWithTheContractsReason() {
    var contract = deployed();

    assertThat(refused(add(contract, "", 11, "too much")))
        .startsWith("SQ020019")
        .contains("The contract reverted: TooMuch(asked 11, left 10).");
    assertThat(refused(add(contract, "", 1, ""))).contains("\"a note is needed\"");
    assertThat(value(contract)).isZero();
  }

  private static String asking(String contract, String what) {
    return "[{'type':'public','from':'alice','to':'%s','abi':%s,%s}]"
        .formatted(contract, abi(), what);
  }

  /** Nothing is sent for it: it is asked of the newest block. */
  @Test
  void aContractIsAskedAndItsAnswerIsToldByItsAbi() {
    var contract = deployed();
    receipt(send(add(contract, "", 3, "first")));

    var named = node.result("ptx_call", asking(contract, "'function':'value','data':{}"));
    var asked = asking(contract, "'function':'value','data':{}");
    assertThat(node.result("ptx_call", asked.replace("'from':'alice',", "")))
        .as("nobody needs to ask")
        .isEqualTo(named);
    assertThat(named.toString()).isEqualTo("{\"0\":\"3\"}");
    var bare =
        node.result(
            "ptx_call",
            "[{'type':'public','from':'alice','to':'%s','data':'0x3fa4f245'}]".formatted(contract));
    assertThat(new BigInteger(bare.asText().substring(2), 16)).isEqualTo(3);

    var described =
        node.result(
            "ptx_call",
            asking(contract, "'function':'value','data':{},'dataFormat':'mode=array&number=hex'"));
    assertThat(described.toString()).isEqualTo("[\"0x3\"]");

    assertThat(
            notAnswered(
                asking(
                    contract,
                    "'function':'add','data':{'amount':8,'note':{'text':'','marks':[]}}")))
        .contains("The contract reverted: TooMuch(asked 8, left 7).");
    assertThat(notAnswered(asking(contract, "'function':'fail','data':{}")))
        .contains("Panic 1: an assertion failed.");
    var sent =
        node.result(
            "ptx_queryTransactions", "[{'limit':20,'eq':[{'field':'type','value':'public'}]}]");
    assertThat(sent).hasSize(2);
  }

  /** However it is asked for: who knows only the hash has it of somebody else. */
  @Test
  void theChainsTransactionsAndEventsAreFoundByHashAndNonce() {
    var contract = deployed();
    var hash = receipt(send(add(contract, "", 3, "seen"))).get("transactionHash").asText();

    var onChain = node.result("bidx_getTransactionByHash", "['" + hash + "']");
    assertThat(onChain.get("result").asText()).isEqualTo("success");
    assertThat(
            node.result(
                    "bidx_getTransactionByNonce",
                    "['%s',%d]"
                        .formatted(onChain.get("from").asText(), onChain.get("nonce").asLong()))
                .get("hash")
                .asText())
        .isEqualTo(hash);
    assertThat(
            node.result(
                    "bidx_decodeTransactionEvents",
                    "['%s',%s,'pretty=true']".formatted(hash, abi()))
                .findValuesAsText("text"))
        .containsExactly("seen");
    assertThat(node.result("bidx_getTransactionEventsByHash", "['" + hash + "']")).hasSize(1);
  }

  @Test
  void anAbiThatIsStoredIsReferredTo() {
    var contract = deployed();
    var hash = node.result("ptx_storeABI", "[" + abi() + "]").asText();
    var referring =
        add(contract, "", 3, "by reference")
            .replace("'abi':" + abi(), "'abiReference':'" + hash + "'");

    assertThat(receipt(send(referring)).get("success").asBoolean()).isTrue();
    var asked =
        node.result(
            "ptx_call",
            asking(contract, "'function':'value','data':{}")
                .replace("'abi':" + abi(), "'abiReference':'" + hash + "'"));
    assertThat(asked.toString()).isEqualTo("{\"0\":\"3\"}");
    assertThat(refused(referring.replace(hash, "0x" + "00".repeat(32))))
        .contains("names no ABI that was left with this node");
    assertThat(refused(referring.replace("'abiReference'", "'abi':" + abi() + ",'abiReference'")))
        .contains("means nothing beside abiReference");
  }

  private String notAnswered(String call) {
    return node.answer("ptx_call", call).at("/error/message").asText();
  }

  @Test
  void whatNoBlockHasRoomForIsRefusedWithWhatABlockHas() {
    var block = rpc.ask("eth_getBlockByNumber", "latest", false).toCompletableFuture().join();
    long room = Long.decode(block.get("gasLimit").asText());

    assertThat(refused(add(deployed(), "'gas':" + (room + 1) + ",", 3, "first")))
        .contains("has room for " + room);
  }

  @Test
  void whatRevertsOnTheChainIsToldWithTheContractsReason() {
    var contract = deployed();

    var failed = receipt(send(add(contract, "'gas':200000,", 11, "too much")));
    assertThat(failed.get("success").asBoolean()).isFalse();
    assertThat(failed.get("failureMessage").asText())
        .isEqualTo("The contract reverted: TooMuch(asked 11, left 10).");
    assertThat(failed.get("revertData").asText()).hasSize(2 + 8 + 128);
    var panicked =
        receipt(
            send(
                "{'type':'public','from':'alice','to':'%s','gas':'0x30d40','data':'0xa9cc4718'}"
                    .formatted(contract)));
    assertThat(panicked.get("failureMessage").asText())
        .isEqualTo("The contract reverted: Panic 1: an assertion failed.");
    // The nonces of both are used: the next one comes into a block.
    assertThat(receipt(send(add(contract, "", 1, "fine"))).get("success").asBoolean()).isTrue();
  }

  /** PUB-7 and PUB-8, for others who share the key and for who has asked for it. */
  @Test
  void whatSendsMoneyThatItsKeyNeverHasHoldsUpNobodyAndIsChangedOrTakenBack() {
    var pays =
        "{'type':'public','from':'alice','to':'0x"
            + "ab".repeat(20)
            + "','data':'0x371303c0','gas':'30000','value':'%s'}";
    var changed = send(pays.formatted("1000000000000000000"));
    var takenBack = send(pays.formatted("2000000000000000000"));

    assertThat(receipt(send(deployment("after them"))).get("success").asBoolean()).isTrue();
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(pending())
                    .hasSize(2)
                    .allSatisfy(
                        row -> {
                          assertThat(row.get("nonce").isNull()).isTrue();
                          assertThat(row.path("waitsFor").asText()).contains("has not the");
                        }));

    node.result("sequencer_cancelTransaction", "['" + takenBack + "']");
    assertThat(receipt(takenBack).get("success").asBoolean()).isFalse();
    node.result("ptx_updateTransaction", "['" + changed + "'," + pays.formatted("0") + "]");
    assertThat(receipt(changed).get("success").asBoolean()).isTrue();
  }

  @Test
  void aRepeatedKeyIsAnsweredWithTheFirstIdAndCarriedOutOnce() {
    var contract = deployed();
    var call = add(contract, "'idempotencyKey':'once',", 3, "once");

    var first = send(call);
    assertThat(send(call)).isEqualTo(first);
    receipt(first);
    assertThat(send(call)).isEqualTo(first);

    assertThat(refused(add(contract, "'idempotencyKey':'once',", 4, "once")))
        .startsWith("SQ020007");
    assertThat(receipt(send(add(contract, "", 1, "last"))).get("success").asBoolean()).isTrue();
    assertThat(value(contract)).isEqualTo(4);
  }

  @Test
  void eachIsCarriedOutOnceInItsOrderWhateverRestartsBetween() {
    var contract = deployed();
    rpc.ask("evm_setIntervalMining", 0).toCompletableFuture().join();
    var ids = new ArrayList<String>();
    for (int i = 0; i < 5; i++) {
      ids.add(send(add(contract, "'gas':200000,", 1, "before")));
    }
    restartNode();
    for (int i = 0; i < 5; i++) {
      ids.add(send(add(contract, "'gas':200000,", 1, "after")));
    }
    // One too many.
    ids.add(send(add(contract, "'gas':200000,", 1, "beyond")));
    restartNode();
    rpc.ask("evm_setIntervalMining", 1).toCompletableFuture().join();

    for (var id : ids.subList(0, 10)) {
      assertThat(receipt(id).get("success").asBoolean()).isTrue();
    }
    assertThat(receipt(ids.getLast()).get("failureMessage").asText())
        .contains("TooMuch(asked 1, left 0)");
    restartNode();
    assertThat(value(contract)).isEqualTo(10);
    assertThat(receipt(ids.getFirst()).get("success").asBoolean()).isTrue();
  }

  /** A queue on the node's own key: the key of each attempt is an idempotency key of its own. */
  @Test
  void aScheduledCallIsCarriedOutOnceThoughTheNodeRestartsWhileItIsDue() {
    var contract = deployed();
    node.result(
        "schedule_fund", "[{'account':'alice','amount':'1000000','idempotencyKey':'fund'}]");
    // Ahead of when the last is taken, however slow the machine is.
    var due = Instant.now().truncatedTo(ChronoUnit.MILLIS).plusSeconds(6);
    for (int i = 0; i < 3; i++) {
      node.result(
          "gasPriority_insert",
          "[{'senderAddr':'alice','scheduledTimeMs':'%s','maxGasAmount':'200','maxGasUnitPrice':'1','target':%s}]"
              .formatted(due.plusMillis(300L * i), add(contract, "", 2, "scheduled " + i)));
    }
    await().atMost(Duration.ofSeconds(60)).until(() -> Instant.now().isAfter(due));
    restartNode();

    await().atMost(Duration.ofSeconds(60)).until(() -> value(contract) == 6);
    restartNode();
    assertThat(receipt(send(add(contract, "", 1, "last"))).get("success").asBoolean()).isTrue();
    assertThat(value(contract)).isEqualTo(7);
    var sent =
        node.result(
            "ptx_queryTransactions", "[{'limit':20,'eq':[{'field':'type','value':'public'}]}]");
    assertThat(sent).hasSize(5);
  }

  /** On a chain, where other contracts tell things too: the counter of another deployment. */
  @Test
  void eventsComeInOrderAndGoOnWhereTheyWereAcknowledgedThoughTheNodeRestarts() {
    var contract = deployed();
    var other = receipt(send(deployment("another"))).get("contractAddress").asText();
    var event = "[" + Counter.ABI.get(2).toString().replace('"', '\'') + "]";
    node.result(
        "ptx_createBlockchainEventListener",
        "[{'name':'counted','sources':[{'abi':%s,'address':'%s'}],'options':{'batchSize':2,'batchTimeout':'10s'}}]"
            .formatted(event, contract));
    add(contract, other, 1, 5);

    try (var socket = webSocket()) {
      var subscription = subscribe(socket);
      assertThat(texts(socket.next())).containsExactly("n1", "n2");
      socket.tell("ptx_ack", "[\"" + subscription + "\"]");
      assertThat(texts(socket.next())).containsExactly("n3", "n4");
    }
    restartNode();
    add(contract, other, 5, 7);

    try (var socket = webSocket()) {
      var subscription = subscribe(socket);
      assertThat(texts(socket.next())).as("not acknowledged").containsExactly("n3", "n4");
      socket.tell("ptx_ack", "[\"" + subscription + "\"]");
      assertThat(texts(socket.next())).containsExactly("n5", "n6");
    }
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                node.result("ptx_getBlockchainEventListenerStatus", "['counted']")
                        .at("/checkpoint/blockNumber")
                        .asLong()
                    > 0);
    assertThat(
            node.result(
                "bidx_queryIndexedEvents",
                "[{'limit':1000,'equal':[{'field':'signature','value':'%s'}],'sort':['blockNumber']}]"
                    .formatted(signature())))
        .as("of both contracts")
        .hasSize(12);
  }

  /** Calls of both contracts, each after the other. */
  private void add(String contract, String other, int from, int below) {
    var ids = new ArrayList<String>();
    for (int i = from; i < below; i++) {
      ids.add(send(add(contract, "", 1, "n" + i)));
      ids.add(send(add(other, "", 1, "other" + i)));
    }
    ids.forEach(id -> assertThat(receipt(id).get("success").asBoolean()).isTrue());
  }

  private String signature() {
    return node.result("bidx_queryIndexedEvents", "[{'limit':1}]").get(0).get("signature").asText();
  }

  private WebSocketClient webSocket() {
    return new WebSocketClient(
        HttpClient.newHttpClient(),
        URI.create(network.nodes().getFirst().url().toString().replaceFirst("http", "ws")));
  }

  private static String subscribe(WebSocketClient socket) {
    return socket
        .call("ptx_subscribe", "[\"blockchainevents\",\"counted\"]")
        .get("result")
        .asText();
  }

  private static List<String> texts(JsonNode push) {
    return push.at("/params/result/events").findValuesAsText("text");
  }
}
