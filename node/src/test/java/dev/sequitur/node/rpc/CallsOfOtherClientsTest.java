package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.protocol.digest.Digests;
import dev.sequitur.protocol.distribution.Asking;
import dev.sequitur.protocol.distribution.Lacking;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.NodeName;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients of Paladin nodes ask for besides transactions: keys, peers, domains, blocks. */
class CallsOfOtherClientsTest {
  private static final String SECP256K1 = "ecdsa:secp256k1";

  /** Of the key whose private key is 1. */
  private static final String COORDINATES =
      "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
          + "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8";

  private static RunningRpc rpc;

  @BeforeAll
  static void start() {
    rpc = RunningRpc.withDefaults();
  }

  @AfterAll
  static void stop() {
    rpc.close();
  }

  private static JsonNode result(String method, String params) {
    return rpc.result(method, params.replace('\'', '"'));
  }

  private static JsonNode error(String method, String params) {
    return rpc.error(method, params.replace('\'', '"'));
  }

  @ParameterizedTest
  @CsvSource({
    "eth_address, 0x7e5f4552091a69125d5dfcb7b8c2659029395bdf",
    "eth_address_checksum, 0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf",
    "hex_ecdsa_pubkey_uncompressed, " + COORDINATES,
    "hex_ecdsa_pubkey_uncompressed_0x, 0x" + COORDINATES
  })
  void aKeyIsResolvedInEachFormAndFoundByIt(String form, String verifier) {
    var key = result("keymgr_resolveKey", "['alice','" + SECP256K1 + "','" + form + "']");
    assertThat(key.at("/verifier/verifier").textValue()).isEqualTo(verifier);
    var found =
        result(
            "keymgr_reverseKeyLookup", "['" + SECP256K1 + "','" + form + "','" + verifier + "']");
    assertThat(found).isEqualTo(key);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "alice | opaque:rsv | 0x1901aa | begins with 0x19",
        "alice | opaque:rsv | 0x19457468657265756d | begins with 0x19",
        "alice | eip712 | 0x00 | must be opaque:rsv",
        "alice@node2 | opaque:rsv | 0x00 | on the node node2",
        "submitter.0x1111111111111111111111111111111111111111 | opaque:rsv | 0x00 | own transactions",
        "deployer.0x00 | opaque:rsv | 0x00 | own transactions",
        "funding.account | opaque:rsv | 0x00 | own transactions",
        "revoked | opaque:rsv | 0x00 | SQ020027: The key of revoked@node1 is revoked",
        "away | opaque:rsv | 0x00 | SQ020028: It is silent."
      })
  void whatOthersWouldUnderstandIsNotSigned(
      String name, String payloadType, String payload, String why) {
    var refusal =
        error(
            "keymgr_sign",
            "['%s','%s','eth_address','%s','%s']".formatted(name, SECP256K1, payloadType, payload));
    assertThat(refusal.get("message").textValue()).contains(why);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "opaque:rsv | 0x",
        "opaque:rsv | 0x0019",
        "opaque:rsv | 0x9b2055d370f73ec7d8a03e965129118dc8f5bf83dd06be6e4f2e2ab1e4e8ec4b"
      })
  void whatIsOpaqueIsSigned(String payloadType, String payload) {
    var signature =
        result(
            "keymgr_sign",
            "['alice','%s','eth_address','%s','%s']".formatted(SECP256K1, payloadType, payload));
    assertThat(signature.textValue()).hasSize(2 + 2 * 65).endsWith("00");
  }

  @Test
  void aVerifierOfNoMemberIsNotFound() {
    var refusal =
        error(
            "keymgr_reverseKeyLookup",
            "['" + SECP256K1 + "','eth_address','0x" + "77".repeat(20) + "']");
    assertThat(refusal.get("message").textValue()).startsWith("SQ010214: ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "bidx_queryIndexedBlocks | {'limit':2} | 8,7",
        "bidx_queryIndexedBlocks | {'limit':2,'sort':['number']} | 1,2",
        "bidx_queryIndexedBlocks | {'limit':9,'greaterThan':[{'field':'number','value':6}]} | 8,7",
        "bidx_queryIndexedBlocks | {'limit':9,'equal':[{'field':'number','value':3}]} | 3",
        "bidx_queryIndexedBlocks | {'limit':9,'equal':[{'field':'number','value':9}]} | ''",
        "bidx_queryIndexedBlocks | {'limit':9,'equal':[{'field':'hash','value':'none'}]} | ''"
      })
  void finalBlocksAreFound(String method, String query, String numbers) {
    assertThat(String.join(",", result(method, "[" + query + "]").findValuesAsText("number")))
        .isEqualTo(numbers);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'limit':5} | 1",
        "{'limit':5,'equal':[{'field':'blockNumber','value':7}]} | 1",
        "{'limit':5,'equal':[{'field':'blockNumber','value':6}]} | 0",
        "{'limit':5,'null':[{'field':'hash'}]} | 0",
        "{'limit':5,'equal':[{'field':'hash','value':'none'}]} | 0",
        "{'limit':5,'equal':[{'field':'result','value':'success'}],'sort':['nonce']} | 1"
      })
  void transactionsOfBlocksAreFoundAndBlocksAreNone(String query, int found) {
    assertThat(result("bidx_queryIndexedTransactions", "[" + query + "]")).hasSize(found);
  }

  @Test
  void aNonceThatNobodyHasUsedIsThatOfNoTransaction() {
    assertThat(result("bidx_getTransactionByNonce", "['0x" + "22".repeat(20) + "',5]").isNull())
        .isTrue();
  }

  @Test
  void onlyWhatIsPreparedIsListed() {
    var all = result("ptx_queryPreparedTransactions", "[{'limit':9}]");
    assertThat(all.findValuesAsText("id")).contains(Sample.EXTERNAL.toString());
    assertThat(all).hasSize(1);
    assertThat(
            result(
                "ptx_queryPreparedTransactions",
                "[{'limit':9,'equal':[{'field':'id','value':'" + Sample.CONFIRMED + "'}]}]"))
        .isEmpty();
  }

  @Test
  void aTransactionThatIsUnknownHasNoStates() {
    var states = result("ptx_getStateReceipt", "['" + Sample.id(77) + "']");
    assertThat(states.get("none").booleanValue()).isTrue();
    assertThat(states.get("confirmed")).isEmpty();
  }

  @Test
  void ofStatesThatAreNotHereTheIdsAreTold() {
    var states = result("ptx_getStateReceipt", "['" + Sample.CONFIRMED + "']");
    assertThat(states.get("spent")).isEmpty();
    assertThat(states.at("/unavailable/spent/0").textValue())
        .isEqualTo(Sample.state("in").value().toString());
    assertThat(states.at("/confirmed/0/data/amount").textValue()).isEqualTo("10");
  }

  @ParameterizedTest
  @CsvSource({"active, 3, false", "any, 3, true", "inactive, 0, false"})
  void allNodesAreActive(String filter, int found, boolean flagged) {
    var entries = result("reg_queryEntries", "['peers',{'limit':9},'" + filter + "']");
    assertThat(entries).hasSize(found).allMatch(entry -> entry.has("active") == flagged);
  }

  @Test
  void membersAreFoundInTheirGroups() {
    assertThat(result("pgroup_queryGroupsWithMember", "['alice',{'limit':9}]")).hasSize(2);
    assertThat(result("pgroup_queryGroupsWithMember", "['bob@node2',{'limit':9}]")).hasSize(1);
    assertThat(result("pgroup_queryGroupsWithMember", "['bob',{'limit':9}]")).isEmpty();
  }

  /** The Go client reads texts by name there, and nothing of an answer that has something else. */
  @Test
  void whatConfiguresAGroupIsShownAsTexts() {
    try (var other = RunningRpc.withDefaults()) {
      var group =
          other.result(
              "pgroup_createGroup",
              """
              [{"domain":"token","members":["alice@node1","bob@node2"],"name":"texts",
                "properties":{"desk":7,"tags":["a"]},
                "configuration":{"notary":"alice@node1","allowBurn":true,"none":null}}]
              """);
      assertThat(group.get("properties").toString())
          .isEqualTo("{\"desk\":\"7\",\"tags\":\"[\\\"a\\\"]\"}");
      assertThat(group.get("configuration").toString())
          .isEqualTo("{\"notary\":\"alice@node1\",\"allowBurn\":\"true\",\"none\":\"null\"}");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "block | 0x1 | must be latest",
        "dataFormat | mode=array | is for calls of public contracts",
        "dataFormat | mode=list | no way to write values",
        "domain | record | of the domain token"
      })
  void aCallThatIsServedOtherwiseIsRefused(String field, String value, String why) {
    var call =
        "[{'type':'private','from':'alice','to':'%s','function':'balanceOf','%s':'%s'}]"
            .formatted(Sample.CONTRACT, field, value);
    assertThat(error("ptx_call", call).get("message").textValue()).contains(why);
  }

  @Test
  void aLedgerWithoutContractsHasNoneToAsk() {
    var call = "[{'type':'public','from':'alice','to':'" + Sample.CONTRACT + "','data':'0x00'}]";
    try (var embedded = RunningRpc.withDefaults()) {
      embedded.node.ledger().runsContracts = false;
      assertThat(embedded.error("ptx_call", call.replace('\'', '"')).get("message").textValue())
          .startsWith("SQ020017: ");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'limit':5} | available | 1",
        "{'limit':5} | ALL | 1",
        "{'limit':5} | spent | 0",
        "{'limit':5} | unconfirmed | 0",
        "{'limit':5,'equal':[{'field':'amount','value':10}]} | confirmed | 1",
        "{'limit':5,'lessThan':[{'field':'amount','value':'0x0a'}]} | confirmed | 0",
        "{'limit':5,'equal':[{'field':'owner','value':'alice@node1'}]} | confirmed | 0",
        "{'limit':5,'null':[{'field':'owner'}]} | confirmed | 0"
      })
  void statesAreFoundByTheirLabels(String query, String status, int found) {
    var schema = result("pstate_listSchemas", "['token']").get(0).get("id");
    for (var kind : List.of(schema.toString(), "'coin'")) {
      assertThat(
              result("pstate_queryStates", "['token',%s,%s,'%s']".formatted(kind, query, status)))
          .hasSize(found);
    }
  }

  @Test
  void theStatesOfAnotherDomainOrKindAreNotThere() {
    assertThat(
            error("pstate_queryStates", "['token','bond',{'limit':1}]").get("message").textValue())
        .contains("pstate_listSchemas");
    assertThat(
            result(
                "pstate_queryContractStates",
                "['token','0x" + "77".repeat(20) + "','coin',{'limit':1}]"))
        .isEmpty();
    assertThat(
            error("pstate_queryStates", "['token','coin',{'limit':1},'" + Sample.id(1) + "']")
                .get("message")
                .textValue())
        .contains("must be available");
  }

  /** What the node lacks may be what is looked for (DST-5). */
  @ParameterizedTest
  @ValueSource(strings = {"available", "confirmed", "all"})
  void whereContentsAreLackingAQueryForAllIsRefusedAndSaysWhy(String status) {
    rpc.node.lacking =
        Optional.of(
            new Lacking(
                3,
                new BlockHeight(14),
                List.of(
                    new Lacking.Asked(new NodeName("node2"), Optional.of(Asking.Answer.NONE)),
                    new Lacking.Asked(new NodeName("node3"), Optional.empty()))));
    try {
      var refusal =
          error("pstate_queryStates", "['token','coin',{'limit':5},'%s']".formatted(status));
      assertThat(refusal.get("message").textValue())
          .contains(
              "SQ010303",
              "The contents of 3 states that block 14 and later ones made have not come to this"
                  + " node. It asks the other members of the group: node2 does not answer, node3 was"
                  + " not asked yet.");
      assertThat(result("pstate_queryStates", "['token','coin',{'limit':5},'held']")).hasSize(1);
    } finally {
      rpc.node.lacking = Optional.empty();
    }
  }

  /** Not even what it holds: some of that may be spent (DST-10). */
  @ParameterizedTest
  @ValueSource(strings = {"available", "confirmed", "held", "unconfirmed", "spent", "all"})
  void ofAGroupThatDiffersFromTheLedgerNoStatesAreTold(String status) {
    rpc.node.stopped = Optional.of("It differs since block 5: do this.");
    try {
      var refusal =
          error("pstate_queryStates", "['token','coin',{'limit':5},'%s']".formatted(status));
      assertThat(refusal.get("message").textValue())
          .contains("SQ010304", "It differs since block 5: do this.");
    } finally {
      rpc.node.stopped = Optional.empty();
    }
  }

  private static final String ABI =
      "[{'type':'function','name':'set','inputs':[{'name':'x','type':'uint256'}]},"
          + "{'type':'event','name':'Set','inputs':[{'name':'x','type':'uint256','indexed':true}]},"
          + "{'type':'error','name':'TooMuch','inputs':[{'name':'x','type':'uint256'}]}]";

  private static final String FIVE = "%064x".formatted(5);

  @Test
  void whatIsStoredSaysWhatCallsEventsAndErrorsMean() {
    assertThat(error("ptx_decodeCall", "['0x60fe47b1" + FIVE + "']").get("message").textValue())
        .startsWith("SQ010215: ");
    var hash = result("ptx_storeABI", "[" + ABI + "]");
    assertThat(result("ptx_storeABI", "[" + ABI + "]")).isEqualTo(hash);
    assertThat(result("ptx_getStoredABI", "[" + hash + "]").get("abi")).hasSize(3);
    assertThat(
            result(
                "ptx_queryStoredABIs",
                "[{'equal':[{'field':'hash','value':" + hash + "}],'limit':5}]"))
        .hasSize(1);

    var call = result("ptx_decodeCall", "['0x60fe47b1" + FIVE + "','']");
    assertThat(call.at("/data/x").textValue()).isEqualTo("5");
    assertThat(call.get("signature").textValue()).isEqualTo("set(uint256)");
    assertThat(call.at("/definition/name").textValue()).isEqualTo("set");
    assertThat(call.get("summary").textValue()).isEqualTo("set(x 5)");
    assertThat(decoded("mode=array&number=hex-0x")).isEqualTo("[\"0x5\"]");
    assertThat(decoded("pretty=true&number=JSON-number")).isEqualTo("{\"x\":5}");
    var topic = keccak("Set(uint256)");
    var event = result("ptx_decodeEvent", "[['" + topic + "','0x" + FIVE + "'],'0x']");
    assertThat(event.at("/data/x").textValue()).isEqualTo("5");
    assertThat(event.at("/definition/name").textValue()).isEqualTo("Set");
    var selector = keccak("TooMuch(uint256)").substring(0, 10);
    var error = result("ptx_decodeError", "['" + selector + FIVE + "',null]");
    assertThat(error.get("summary").textValue()).isEqualTo("TooMuch(x 5)");
  }

  private static String decoded(String format) {
    return result("ptx_decodeCall", "['0x60fe47b1" + FIVE + "','" + format + "']")
        .get("data")
        .toString();
  }

  private static String keccak(String signature) {
    return Digests.keccak256(Bytes.utf8(signature)).toString();
  }

  @Test
  void errorsOfSolidityAreKnownWithoutADescription() {
    var panic = result("ptx_decodeError", "['0x4e487b71" + "%064x".formatted(17) + "']");
    assertThat(panic.get("signature").textValue()).isEqualTo("Panic(uint256)");
    assertThat(panic.at("/data/0").textValue()).isEqualTo("17");
  }

  @Test
  void aDescriptionThatIsTooLongIsNotStored() {
    var one = "{'type':'error','name':'%s','inputs':[]}".formatted("E".repeat(66_000));
    assertThat(error("ptx_storeABI", "[[" + one + "]]").get("message").textValue())
        .contains("65536");
  }
}
