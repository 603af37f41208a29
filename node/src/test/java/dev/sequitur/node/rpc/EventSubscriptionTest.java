package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.json.JsonText;
import dev.sequitur.protocol.digest.Digests;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.port.NodeStore.IndexedTo;
import dev.sequitur.protocol.port.PublicContracts.Event;
import dev.sequitur.protocol.port.PublicContracts.Placed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What contracts tell, over a WebSocket: at least once, in order, one batch at a time. */
class EventSubscriptionTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String STORED =
      "{'type':'event','name':'Stored','inputs':[{'name':'value','type':'uint256'}]}";
  private static final String OTHER =
      "{'type':'event','name':'Other','inputs':[{'name':'value','type':'uint256'}]}";
  private static final ContractAddress HERE = new ContractAddress("0x" + "aa".repeat(20));
  private static final ContractAddress THERE = new ContractAddress("0x" + "bb".repeat(20));

  private final RunningRpc rpc = RunningRpc.withDefaults();
  private final WebSocketClient socket = rpc.webSocket();

  @BeforeEach
  void start() {
    told(2, 0, HERE, "Stored", 20);
    told(2, 1, THERE, "Stored", 21);
    told(2, 2, HERE, "Other", 22);
    told(5, 0, HERE, "Stored", 50);
    told(8, 3, HERE, "Stored", 80);
  }

  @AfterEach
  void stop() {
    socket.abort();
    rpc.close();
  }

  @Test
  void eventsComeInOrderWithWhatTheyMean() {
    create("e", "'sources':[{'abi':[" + STORED + "]}]");
    subscribe(socket, "e");

    var batch = socket.next().get("params").get("result");

    assertThat(batch.get("batchId").textValue()).matches("[0-9a-f-]{36}");
    assertThat(batch.get("events").findValuesAsText("value"))
        .containsExactly("20", "21", "50", "80");
    var last = batch.get("events").get(3);
    assertThat(last.get("blockNumber").longValue()).isEqualTo(8);
    assertThat(last.get("logIndex").longValue()).isEqualTo(3);
    assertThat(last.get("address").textValue()).isEqualTo(HERE.value());
    assertThat(last.get("soliditySignature").textValue()).isEqualTo("event Stored(uint256 value)");
    assertThat(last.get("signature").textValue()).isEqualTo(topic("Stored").toHex());
  }

  @Test
  void theChainIsAskedForWhatTheSourcesNameAlone() {
    create("e", "'sources':[{'abi':[%s],'address':'%s'}]".formatted(STORED, HERE.value()));
    subscribe(socket, "e");

    assertThat(values(socket.next())).containsExactly("20", "50", "80");
    assertThat(rpc.node.ledger().asked.getFirst().contracts()).containsExactly(HERE);
    assertThat(rpc.node.ledger().asked.getFirst().signatures()).containsExactly(topic("Stored"));
  }

  @Test
  void eachOfSeveralSourcesTellsItsOwn() {
    create(
        "e",
        "'sources':[{'abi':[%s],'address':'%s'},{'abi':[%s]}]"
            .formatted(STORED, THERE.value(), OTHER));
    subscribe(socket, "e");

    assertThat(values(socket.next())).containsExactly("21", "22");
  }

  @Test
  void anAnonymousEventIsFoundThoughNothingNamesIt() {
    told(6, 0, THERE, "", 60);
    create(
        "e",
        "'sources':[{'abi':[%s]},{'abi':[%s],'address':'%s'}]"
            .formatted(
                STORED.replace("'name':'Stored'", "'name':'Any','anonymous':true"),
                OTHER,
                HERE.value()));
    subscribe(socket, "e");

    assertThat(values(socket.next())).containsExactly("22", "60");
    assertThat(rpc.node.ledger().asked.getFirst().signatures()).isEmpty();
    assertThat(rpc.node.ledger().asked.getFirst().contracts()).isEmpty();
  }

  @Test
  void aBatchHasAsManyAsItIsToldAndTheNextComesAfterItIsAcknowledged() {
    create("e", "'sources':[{'abi':[%s]}],'options':{'batchSize':2}".formatted(STORED));
    var subscription = subscribe(socket, "e");

    assertThat(values(socket.next())).containsExactly("20", "21");
    assertThat(status("e").at("/checkpoint/blockNumber").longValue()).isEqualTo(-1);
    socket.tell("ptx_ack", "[\"" + subscription + "\"]");
    assertThat(values(socket.next())).containsExactly("50", "80");
    // Of block 2 something may still come.
    assertThat(status("e").at("/checkpoint/blockNumber").longValue()).isEqualTo(1);
    socket.tell("ptx_nack", "[\"" + subscription + "\"]");
    assertThat(values(socket.next())).containsExactly("50", "80");
  }

  @Test
  void theNextSubscriptionGoesOnWithinABlock() {
    create("e", "'sources':[{'abi':[%s]}],'options':{'batchSize':1}".formatted(STORED));
    var subscription = subscribe(socket, "e");
    assertThat(values(socket.next())).containsExactly("20");
    socket.tell("ptx_ack", "[\"" + subscription + "\"]");
    assertThat(values(socket.next())).containsExactly("21");
    socket.abort();

    try (var again = rpc.webSocket()) {
      subscribe(again, "e");
      assertThat(values(again.next())).containsExactly("21");
    }
  }

  /** As `start --reindex` has it; what stands in the new blocks may be something else. */
  @Test
  void afterAForkAListenerIsToldAgainFromThereAndThatItIsAgain() {
    var store = rpc.node.store();
    store.putIndexedTo(new IndexedTo(new BlockHeight(4), new Hash(0, 0, 0, 4)));
    store.putIndexedTo(new IndexedTo(new BlockHeight(8), new Hash(0, 0, 0, 8)));
    create("e", "'sources':[{'abi':[" + STORED + "]}]");
    var subscription = subscribe(socket, "e");
    var first = socket.next();
    assertThat(again(first)).isEmpty();
    socket.tell("ptx_ack", "[\"" + subscription + "\"]");
    await().until(() -> !status("e").get("catchup").booleanValue());
    socket.abort();

    store.beginReindex(new IndexedTo(new BlockHeight(4), new Hash(0, 0, 0, 4)));
    told(8, 4, HERE, "Stored", 84);
    told(9, 0, HERE, "Stored", 90);
    rpc.node.height = new BlockHeight(9);

    try (var after = rpc.webSocket()) {
      subscribe(after, "e");
      var told = after.next();
      assertThat(values(told)).containsExactly("50", "80", "84", "90");
      assertThat(again(told)).containsExactly("50", "80", "84");
    }
  }

  private static List<String> again(JsonNode push) {
    var values = new ArrayList<String>();
    for (var event : push.at("/params/result/events")) {
      if (event.path("again").booleanValue()) {
        values.addAll(event.findValuesAsText("value"));
      }
    }
    return values;
  }

  @Test
  void aListenerFromTheLatestBlockIsToldWhatComesAndNothingOfBlocksThatAreNotFinal() {
    create("e", "'sources':[{'abi':[%s]}],'options':{'fromBlock':'latest'}".formatted(STORED));
    subscribe(socket, "e");
    told(9, 0, HERE, "Stored", 90);
    told(10, 0, HERE, "Stored", 100);

    rpc.node.height = new BlockHeight(9);

    assertThat(values(socket.next())).containsExactly("90");
  }

  @ParameterizedTest
  @CsvSource({"5, 50;80", "0x5, 50;80", "0, 20;21;50;80", "8, 80"})
  void aListenerBeginsWithABlock(String from, String values) {
    create("e", "'sources':[{'abi':[%s]}],'options':{'fromBlock':'%s'}".formatted(STORED, from));
    subscribe(socket, "e");

    assertThat(values(socket.next())).containsExactly(values.split(";"));
  }

  @Test
  void onceAllIsTakenTheListenerHasCaughtUp() {
    create("e", "'sources':[{'abi':[" + STORED + "]}]");
    assertThat(status("e").get("catchup").booleanValue()).isTrue();
    var subscription = subscribe(socket, "e");
    socket.next();

    socket.tell("ptx_ack", "[\"" + subscription + "\"]");

    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> assertThat(status("e").at("/checkpoint/blockNumber").longValue()).isEqualTo(8));
    assertThat(status("e").get("catchup").booleanValue()).isFalse();
    assertThat(rpc.result("ptx_getBlockchainEventListenerStatus", "[\"none\"]").isNull()).isTrue();
  }

  @Test
  void whereTheChainTellsOfFewBlocksAtOnceFewAreAskedFor() {
    rpc.node.ledger().mostBlocks = 2;
    create(
        "f",
        "'sources':[{'abi':[%s]}],'options':{'batchSize':4,'batchTimeout':'30s'}"
            .formatted(STORED));

    subscribe(socket, "f");

    assertThat(values(socket.next())).containsExactly("20", "21", "50", "80");
  }

  @Test
  void whatIsShownOfAListenerIsWhatWasSent() {
    var rest =
        "'sources':[{'abi':[%s],'address':'%s'}],'options':{'batchSize':7,'batchTimeout':'1m','fromBlock':'latest'}"
            .formatted(STORED, HERE.value());
    create("e", "'started':false," + rest);

    var shown = rpc.result("ptx_getBlockchainEventListener", "[\"e\"]");

    assertThat(shown.get("started").booleanValue()).isFalse();
    assertThat(shown.get("sources"))
        .isEqualTo(json("[{'abi':[%s],'address':'%s'}]".formatted(STORED, HERE.value())));
    assertThat(shown.get("options"))
        .isEqualTo(json("{'batchSize':7,'batchTimeout':'1m','fromBlock':'latest'}"));
    assertThat(rpc.result("ptx_queryBlockchainEventListeners", "[{\"limit\":5}]").get(0))
        .isEqualTo(shown);
    assertThat(rpc.result("ptx_queryReceiptListeners", "[{\"limit\":5}]")).isEmpty();
    create("e", rest);
    assertThat(refused("{'name':'e','sources':[{'abi':[" + OTHER + "]}]}"))
        .startsWith("SQ010402: ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'name':'x'} | is missing",
        "{'name':'x','sources':[]} | is empty",
        "{'name':'x','sources':[{}]} | abi is missing",
        "{'name':'x','sources':[{'abi':[]}]} | has no event",
        "{'name':'x','sources':[{'abi':[{'type':'nonsense'}]}]} | cannot be read",
        "{'name':'x','sources':[{'abi':[STORED],'address':'x'}]} | cannot be read",
        "{'name':'x','sources':[{'abi':[STORED]}],'options':{'batchSize':0}} | at least 1",
        "{'name':'x','sources':[{'abi':[STORED]}],'options':{'batchTimeout':'soon'}} | such as 75ms",
        "{'name':'x','sources':[{'abi':[STORED]}],'options':{'batchTimeout':'2m'}} | a minute at most",
        "{'name':'x','sources':[{'abi':[STORED]}],'options':{'fromBlock':'oldest'}} | fromBlock"
      })
  void whatCannotBeToldIsRefused(String sent, String why) {
    assertThat(refused(sent.replace("STORED", STORED))).contains(why.trim());
  }

  @Test
  void onALedgerWithoutContractsThereIsNothingToListenFor() {
    rpc.node.ledger().runsContracts = false;

    assertThat(refused("{'name':'x','sources':[{'abi':[" + STORED + "]}]}"))
        .contains("runs no contracts");
    assertThat(rpc.result("ptx_queryBlockchainEventListeners", "[{\"limit\":5}]")).isEmpty();
    assertThat(rpc.result("ptx_getBlockchainEventListener", "[\"x\"]").isNull()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'limit':9} | 80,50,22,21,20",
        "{'limit':2} | 80,50",
        "{'limit':9,'sort':['blockNumber','logIndex']} | 20,21,22,50,80",
        "{'limit':9,'lessThan':[{'field':'blockNumber','value':8}]} | 50,22,21,20",
        "{'limit':9,'equal':[{'field':'blockNumber','value':5}]} | 50",
        "{'limit':9,'greaterThan':[{'field':'blockNumber','value':2}]} | 80,50",
        "{'limit':9,'equal':[{'field':'signature','value':'OTHER'}]} | 22",
        "{'limit':9,'equal':[{'field':'signature','value':'none'}]} | -"
      })
  void eventsAreQueriedByTheirBlocksAndSignatures(String query, String values) {
    rpc.node.ledger().mostBlocks = 3;
    var sent = query.replace("OTHER", topic("Other").toHex()).replace('\'', '"');

    var found = rpc.result("bidx_queryIndexedEvents", "[" + sent + "]");

    var wanted = values.equals("-") ? List.of() : List.of(values.split(","));
    var places = new ArrayList<String>();
    found.forEach(
        event ->
            places.add(
                rpc.node.ledger().told.stream()
                    .filter(
                        it ->
                            it.block().value() == event.get("blockNumber").longValue()
                                && it.event().index() == event.get("logIndex").intValue())
                    .map(
                        it ->
                            Long.toString(
                                Long.parseLong(it.event().data().toHex().substring(2), 16)))
                    .findFirst()
                    .orElseThrow()));
    assertThat(places).isEqualTo(wanted);
  }

  private void create(String name, String rest) {
    rpc.result(
        "ptx_createBlockchainEventListener",
        "[{'name':'%s',%s}]".formatted(name, rest).replace('\'', '"'));
  }

  private String refused(String sent) {
    return rpc.error("ptx_createBlockchainEventListener", ("[" + sent + "]").replace('\'', '"'))
        .get("message")
        .textValue();
  }

  private JsonNode status(String name) {
    return rpc.result("ptx_getBlockchainEventListenerStatus", "[\"" + name + "\"]");
  }

  private static String subscribe(WebSocketClient on, String listener) {
    return on.call("ptx_subscribe", "[\"blockchainevents\",\"" + listener + "\"]")
        .get("result")
        .textValue();
  }

  private void told(long block, int index, ContractAddress contract, String name, long value) {
    rpc.node
        .ledger()
        .told
        .add(
            new Placed(
                new BlockHeight(block),
                0,
                new TransactionHash(Sample.hash(name + value)),
                new Event(
                    contract,
                    index,
                    name.isEmpty() ? List.of() : List.of(topic(name)),
                    Bytes.hex("0x" + "%064x".formatted(value)))));
  }

  private static Bytes topic(String name) {
    return Bytes.of(Digests.keccak256(Bytes.utf8(name + "(uint256)")).toByteArray());
  }

  private static JsonNode json(String text) {
    return JsonText.parse(text.replace('\'', '"'));
  }

  private static List<String> values(JsonNode push) {
    return push.at("/params/result/events").findValuesAsText("value");
  }
}
