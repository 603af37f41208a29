package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Asking for what there is, and for what there is not. */
class ReadMethodsTest {
  private static final String NOBODY = "[\"6f1c6f0e-0000-4000-8000-00000000dead\"]";

  private static RunningRpc rpc;

  @BeforeAll
  static void start() {
    rpc = RunningRpc.withDefaults();
  }

  @AfterAll
  static void stop() {
    rpc.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ptx_getTransaction | [\"6f1c6f0e-0000-4000-8000-00000000dead\"]",
        "ptx_getTransactionFull | [\"6f1c6f0e-0000-4000-8000-00000000dead\"]",
        "ptx_getTransactionReceipt | [\"6f1c6f0e-0000-4000-8000-000000000003\"]",
        "ptx_getTransactionReceiptFull | [\"6f1c6f0e-0000-4000-8000-000000000003\"]",
        "ptx_getPreparedTransaction | [\"6f1c6f0e-0000-4000-8000-000000000001\"]",
        "ptx_getTransactionByIdempotencyKey | [\"never\"]",
        "ptx_getReceiptListener | [\"never\"]",
        "pgroup_getGroupByAddress | [\"0x2222222222222222222222222222222222222222\"]",
        "bidx_getBlockByNumber | [9]",
        "bidx_getBlockByNumber | [0]",
        "bidx_getBlockByNumber | [9223372036854775807]",
        "sequencer_getCoordinator | [\"0x2222222222222222222222222222222222222222\"]",
        "sequencer_getStatus | [\"0x2222222222222222222222222222222222222222\"]"
      })
  void whatThereIsNotIsNull(String method, String params) {
    var response = rpc.call(method, params);
    assertThat(response.has("error")).as(response.toString()).isFalse();
    assertThat(response.get("result").isNull()).isTrue();
  }

  @Test
  void theChainIdIsToldAsWalletsAskForIt() {
    assertThat(rpc.result("eth_chainId", "[]").textValue()).isEqualTo("0x539");
    assertThat(rpc.result("net_version", "[]").textValue()).isEqualTo("1337");
  }

  @Test
  void theReceiptOfAConfirmedTransactionTellsItsPlaceOnTheLedger() {
    var receipt = rpc.result("ptx_getTransactionReceipt", "[\"" + Sample.CONFIRMED + "\"]");
    assertThat(receipt.get("success").booleanValue()).isTrue();
    assertThat(receipt.get("sequence").longValue()).isEqualTo(1);
    assertThat(receipt.get("blockNumber").longValue()).isEqualTo(7);
    assertThat(receipt.get("transactionIndex").intValue()).isZero();
    assertThat(receipt.get("source").textValue()).isEqualTo(Sample.CONTRACT.value());
    assertThat(receipt.get("indexed").textValue()).isEqualTo("2026-11-21T10:00:02Z");
    assertThat(receipt.has("failureMessage")).isFalse();
  }

  @Test
  void theFullReceiptShowsTheStatesThatThisNodeHolds() {
    var states =
        rpc.result("ptx_getTransactionReceiptFull", "[\"" + Sample.CONFIRMED + "\"]").get("states");
    assertThat(states.get("spent").get(0).has("data")).isFalse();
    assertThat(states.get("confirmed").get(0).get("id").textValue())
        .isEqualTo(Sample.state("out").toString());
    assertThat(states.get("confirmed").get(0).get("data").get("amount").textValue())
        .isEqualTo("10");
    assertThat(states.get("confirmed").get(0).get("domain").textValue()).isEqualTo("token");
    assertThat(states.get("confirmed").get(0).get("schema"))
        .isEqualTo(rpc.result("pstate_getSchemaById", "[\"token\",\"coin\"]").get("id"));
  }

  @Test
  void theReceiptOfARevertedTransactionTellsWhy() {
    var receipt = rpc.result("ptx_getTransactionReceipt", "[\"" + Sample.REVERTED + "\"]");
    assertThat(receipt.get("success").booleanValue()).isFalse();
    assertThat(receipt.get("failureMessage").textValue()).contains("does not hold");
    assertThat(receipt.has("transactionHash")).isFalse();
  }

  @Test
  void theFullTransactionTellsItsStateAndWhoHasIt() {
    var flying = rpc.result("ptx_getTransactionFull", "[\"" + Sample.PENDING + "\"]");
    assertThat(flying.get("state").textValue()).isEqualTo("Delegated");
    assertThat(flying.get("delegate").textValue()).isEqualTo("node2");
    assertThat(flying.get("receipt").isNull()).isTrue();
    var confirmed = rpc.result("ptx_getTransactionFull", "[\"" + Sample.CONFIRMED + "\"]");
    assertThat(confirmed.get("state").textValue()).isEqualTo("Confirmed");
    assertThat(confirmed.get("receipt").get("success").booleanValue()).isTrue();
    assertThat(confirmed.get("public").get(0).get("blockNumber").longValue()).isEqualTo(7);
    var reverted = rpc.result("ptx_getTransactionFull", "[\"" + Sample.REVERTED + "\"]");
    assertThat(reverted.get("state").textValue()).isEqualTo("Reverted");
    assertThat(reverted.get("attempts").intValue()).isEqualTo(2);
    assertThat(reverted.get("history").findValuesAsText("what"))
        .containsExactly("Delegated to node2.", "The first reason.", "The second reason.");
    assertThat(reverted.at("/sequencerActivity").toString())
        .isEqualTo("[{\"activityType\":\"delegate\",\"sequencingNode\":\"node2\"}]");
    assertThat(reverted.has("waitsFor")).isFalse();
  }

  @Test
  void aGroupHasNoContractAddressUntilItIsConfirmed() {
    var group = rpc.result("pgroup_getGroupById", "[\"record\",\"" + Sample.UNCONFIRMED + "\"]");
    assertThat(group.get("contractAddress").isNull()).isTrue();
    assertThat(group.get("members").toString()).isEqualTo("[\"alice@node1\"]");
    var other = rpc.call("pgroup_getGroupById", "[\"token\",\"" + Sample.UNCONFIRMED + "\"]");
    assertThat(other.get("result").isNull()).isTrue();
  }

  /** Its maker may never deploy it (SEL-7). */
  @Test
  void aGroupOfAnotherNodeIsNotShownBeforeItIsConfirmed() {
    for (var domain : List.of("token", "")) {
      var found =
          rpc.call("pgroup_getGroupById", "[\"" + domain + "\",\"" + Sample.AWAITED + "\"]");
      assertThat(found.get("result").isNull()).isTrue();
    }
    var all = rpc.result("pgroup_queryGroups", "[{\"limit\":10}]");
    assertThat(all.findValuesAsText("id"))
        .contains(Sample.UNCONFIRMED.toString())
        .doesNotContain(Sample.AWAITED.toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"domain\":\"none\",\"members\":[\"alice@node1\"]} | SQ010209 | record, token",
        "{\"members\":[\"alice@node1\"]} | SQ010107 | params[0].domain is missing",
        "{\"domain\":\"token\"} | SQ010107 | params[0].members is missing or empty",
        "{\"domain\":\"token\",\"members\":[]} | SQ010107 | params[0].members is missing or empty",
        "{\"domain\":\"token\",\"members\":[7]} | SQ010107 | params[0].members[0] must be an identity, name@node",
        "{\"domain\":\"token\",\"members\":[\"a@b@c\"]} | SQ010107 | name@node",
        "{\"domain\":\"token\",\"members\":[\"dave@node9\"]} | SQ010211 | dave@node9",
        "{\"domain\":\"token\",\"members\":[\"alice@node1\",\"alice\"]} | SQ010107 | twice",
        "{\"domain\":\"token\",\"members\":[\"alice@node1\"],\"configuration\":7} | SQ010107 | params[0].configuration",
        "{\"domain\":\"token\",\"members\":[\"alice@node1\"],\"configuration\":{\"impossible\":1}} | SQ030003 | cannot be used"
      })
  void aGroupThatCannotBeIsRefused(String group, String code, String text) {
    assertThat(rpc.error("pgroup_createGroup", "[" + group + "]").get("message").textValue())
        .startsWith(code + ": ")
        .contains(text);
  }

  @Test
  void heartbeatsAreLeftOutOfATraceIfAskedFor() {
    var id = "\"" + Sample.PENDING + "\"";
    assertThat(traced("[" + id + "]")).endsWith("CoordinatorHeartbeatNotification").hasSize(3);
    assertThat(traced("[" + id + ",null,true]")).hasSize(3);
    assertThat(traced("[" + id + ",\"data\",false]"))
        .containsExactly("DelegationCommand", "DelegationAccepted");
    assertThat(
            rpc.result("sequencer_traceTransaction", "[" + id + ",\"mermaid\",false]").textValue())
        .contains("DelegationAccepted", "no answer from node3")
        .doesNotContain("Heartbeat");
  }

  private List<String> traced(String params) {
    return rpc.result("sequencer_traceTransaction", params).findValuesAsText("type");
  }

  @Test
  void theTraceIsDrawnIfAskedFor() {
    var diagram =
        rpc.result("sequencer_traceTransaction", "[\"" + Sample.PENDING + "\",\"mermaid\"]")
            .textValue();
    assertThat(diagram)
        .startsWith("sequenceDiagram")
        .contains("DelegationCommand")
        .contains("no answer from node3");
    assertThat(rpc.result("sequencer_traceTransaction", NOBODY).get("messages")).isEmpty();
    assertThat(
            rpc.error("sequencer_traceTransaction", "[\"" + Sample.PENDING + "\",\"pdf\"]")
                .get("message")
                .textValue())
        .startsWith("SQ010107: params[1] (format)");
  }

  @Test
  void onlyAParkedTransactionIsResumed() {
    assertThat(
            rpc.result("sequencer_resumeTransaction", "[\"" + Sample.PENDING + "\"]")
                .booleanValue())
        .isTrue();
    assertThat(rpc.result("sequencer_resumeTransaction", NOBODY).booleanValue()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ptx_resolveVerifier | [\"bob@node2\",\"rsa\",\"eth_address\"] | SQ010212",
        "ptx_resolveVerifier | [\"bob@node2\",\"ecdsa:secp256k1\",\"x\"] | SQ010212",
        "ptx_resolveVerifier | [\"bob@node9\",\"ecdsa:secp256k1\",\"eth_address\"] | SQ010211",
        "ptx_resolveVerifier | [\"@\",\"ecdsa:secp256k1\",\"eth_address\"] | SQ010107",
        "keymgr_resolveKey | [\"bob@node2\",\"ecdsa:secp256k1\",\"eth_address\"] | SQ020003"
      })
  void aVerifierThatCannotBeFoundIsRefused(String method, String params, String code) {
    assertThat(rpc.error(method, params).get("message").textValue()).startsWith(code + ": ");
  }

  @Test
  void aVerifierIsGivenAsAddressOrAsKey() {
    assertThat(
            rpc.result(
                    "ptx_resolveVerifier",
                    "[\"bob@node2\",\"ecdsa:secp256k1\",\"hex_pubkey_compressed_0x\"]")
                .textValue())
        .isEqualTo(Sample.VERIFIER.toString());
    // The address of the private key 1, known to every Ethereum library.
    assertThat(
            rpc.result("ptx_resolveVerifier", "[\"alice\",\"ecdsa:secp256k1\",\"eth_address\"]")
                .textValue())
        .isEqualTo("0x7e5f4552091a69125d5dfcb7b8c2659029395bdf");
  }
}
