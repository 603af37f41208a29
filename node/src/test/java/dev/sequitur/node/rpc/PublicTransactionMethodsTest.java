package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.TransactionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Public transactions as the base ledger knows them: two of alice's, of which the first has ended.
 */
class PublicTransactionMethodsTest {
  private static RunningRpc rpc;

  @BeforeAll
  static void start() {
    rpc = new RunningRpc(RpcSettings.loopback(0));
    Sample.publics(rpc.node.store());
  }

  @AfterAll
  static void stop() {
    rpc.close();
  }

  /** A chain forgets by which hash what is old is found, and a node has its receipts for good. */
  @Test
  void ofAnOldOneTheReceiptIsToldWithoutTheEventsThatTheChainHasNoMore() {
    var params = "[\"" + Sample.CALLED + "\"]";
    rpc.node.ledger().forgotten = Optional.of("It has neither receipt nor logs.");
    try {
      rpc.node.height = new BlockHeight(135);
      assertThat(rpc.call("ptx_getTransactionReceiptFull", params).at("/error/message").asText())
          .as("a chain's node may lie behind so far")
          .contains("neither receipt nor logs");
      rpc.node.height = new BlockHeight(136);
      var receipt = rpc.result("ptx_getTransactionReceiptFull", params);
      assertThat(receipt.get("eventsUnavailable").asText())
          .isEqualTo("It has neither receipt nor logs.");
      assertThat(receipt.has("events")).isFalse();
      assertThat(receipt.get("blockNumber").intValue()).isEqualTo(8);
      assertThat(
              rpc.call("bidx_getTransactionEventsByHash", "[\"" + Sample.CALL + "\"]")
                  .at("/error/message")
                  .asText())
          .as("no answer without a reason")
          .contains("neither receipt nor logs");
    } finally {
      rpc.node.height = FakeLedger.FINAL;
      rpc.node.ledger().forgotten = Optional.empty();
    }
    assertThat(rpc.result("ptx_getTransactionReceiptFull", params).has("events")).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | 6,5",
        "{\"sort\":[\"localId ASC\"]} | 5,6",
        "{\"sort\":[\"nonce DESC\"]} | 6,5",
        "{\"eq\":[{\"field\":\"transaction\",\"value\":\"6F1C6F0E-0000-4000-8000-000000000005\"}]} | 5",
        "{\"eq\":[{\"field\":\"sender\",\"value\":\"alice@node1\"}]} | 6,5",
        "{\"eq\":[{\"field\":\"from\",\"value\":\"0x7E5F4552091A69125D5DFCB7B8C2659029395BDF\"}]} | 6,5",
        "{\"eq\":[{\"field\":\"to\",\"value\":\"0x3333333333333333333333333333333333333333\"}]} | 6,5",
        "{\"eq\":[{\"field\":\"to\",\"value\":\"0x1111111111111111111111111111111111111111\"}]} | ''",
        "{\"gte\":[{\"field\":\"nonce\",\"value\":\"0x5\"}]} | 6",
        "{\"lt\":[{\"field\":\"nonce\",\"value\":5}]} | 5",
        "{\"eq\":[{\"field\":\"success\",\"value\":false}]} | 5",
        "{\"null\":[{\"field\":\"transactionHash\"}]} | 6",
        "{\"null\":[{\"field\":\"completedAt\",\"not\":true}]} | 5"
      })
  void theyAreFoundByEachField(String conditions, String found) {
    var query = conditions.replaceFirst("\\{", "{\"limit\":10,").replace(",}", "}");

    assertThat(ids(rpc.result("ptx_queryPublicTransactions", "[" + query + "]"))).isEqualTo(found);
  }

  /** Under the hash that ptx_storeABI answers for it, whatever the order of its fields. */
  @Test
  void theAbiThatOneCameWithIsNamedAndFoundBy() {
    var stored = rpc.result("ptx_storeABI", "[" + Sample.CALLED_ABI + "]").textValue();
    var other = rpc.result("ptx_storeABI", "[[]]").textValue();

    var one = rpc.result("ptx_getTransaction", "[\"" + Sample.CALLED + "\"]");
    assertThat(one.get("abiReference").textValue()).isEqualTo(stored);
    assertThat(rpc.result("ptx_getTransaction", "[\"" + Sample.CALLING + "\"]").has("abiReference"))
        .isFalse();
    assertThat(byAbi(stored)).containsExactly(Sample.CALLED.toString());
    assertThat(byAbi(other)).isEmpty();
  }

  /** PUB-8, in the form that clients of other nodes send. */
  @Test
  void onlyAPublicTransactionThatHasNotEndedIsChangedAndItsKeyStays() {
    var changed =
        "{\"type\":\"public\",\"from\":\"%s\",\"to\":\"0x%s\",\"data\":\"0x371303c0\",\"value\":\"0x0\"}";
    var alices = changed.formatted("alice@node1", "3".repeat(40));

    assertThat(refused("ptx_updateTransaction", Sample.CALLED, alices))
        .contains("SQ020023", "it has ended");
    assertThat(refused("sequencer_cancelTransaction", Sample.CALLED)).contains("it has ended");
    assertThat(
            refused(
                "ptx_updateTransaction",
                Sample.CALLING,
                changed.formatted("carol@node1", "3".repeat(40))))
        .contains("must stay alice@node1");
    assertThat(
            refused(
                "ptx_updateTransaction",
                Sample.CALLING,
                alices.replace("}", ",\"gasPrice\":1,\"maxFeePerGas\":1}")))
        .contains("gasPrice");
    assertThat(refused("sequencer_cancelTransaction", new TransactionId(new UUID(1, 1))))
        .contains("never sent");
    assertThat(
            rpc.result("ptx_updateTransaction", "[\"" + Sample.CALLING + "\"," + alices + "]")
                .textValue())
        .isEqualTo(Sample.CALLING.toString());
  }

  private static String refused(String method, TransactionId id, String... more) {
    var parameters = new ArrayList<String>(List.of("\"" + id + "\""));
    parameters.addAll(List.of(more));
    return rpc.call(method, "[" + String.join(",", parameters) + "]").toString();
  }

  private static List<String> byAbi(String hash) {
    var query = "[{\"limit\":10,\"equal\":[{\"field\":\"abiReference\",\"value\":\"%s\"}]}]";
    return rpc.result("ptx_queryTransactions", query.formatted(hash)).findValuesAsText("id");
  }

  @Test
  void whatIsPendingIsShownWithTheNonceAndTheSubmissionsThatItHasNow() {
    var pending = rpc.result("ptx_queryPendingPublicTransactions", "[{\"limit\":10}]");

    assertThat(ids(pending)).isEqualTo("6");
    assertThat(pending.get(0).get("nonce").asText()).isEqualTo("0x5");
    assertThat(pending.get(0).get("transactionHash").isNull()).isTrue();
    assertThat(pending.get(0).has("success")).isFalse();
    assertThat(pending.at("/0/submissions/0/maxFeePerGas").asText()).isEqualTo("0x7d0");
  }

  /** What people are shown of one transaction says it, too, as it does of a private one. */
  @Test
  void whatAPublicTransactionWaitsForIsToldUntilItHasEnded() {
    var pooled = "A final block that has it.";
    var poor = "Its key has not the 7 that it sends along.";

    assertThat(waitsFor(Sample.CALLING)).isEqualTo(pooled);
    rpc.node.publicsWaitFor = Optional.of(poor);
    assertThat(waitsFor(Sample.CALLING)).isEqualTo("The base ledger. " + poor);
    assertThat(
            rpc.result("ptx_queryPendingTransactions", "[{\"limit\":10}, true]")
                .findValuesAsText("waitsFor"))
        .contains("The base ledger. " + poor);
    rpc.node.publicsWaitFor = Optional.empty();
    assertThat(waitsFor(Sample.CALLED)).as("it has ended").isEmpty();
  }

  private static String waitsFor(TransactionId id) {
    return rpc.result("ptx_getTransactionFull", "[\"" + id + "\"]").path("waitsFor").asText();
  }

  @ParameterizedTest
  @CsvSource({"4, 5", "'\"0x5\"', 6", "6, ''", "0, ''"})
  void oneIsFoundByItsNonceWhetherItHasEndedOrNot(String nonce, String found) {
    var one =
        rpc.result("ptx_getPublicTransactionByNonce", "[\"" + Sample.SIGNER + "\"," + nonce + "]");

    assertThat(one.isNull() ? "" : one.get("localId").asText()).isEqualTo(found);
  }

  @Test
  void anotherKeysNonceIsAnothers() {
    var others = "[\"0x" + "0b".repeat(20) + "\", 4]";
    assertThat(rpc.result("ptx_getPublicTransactionByNonce", others).isNull()).isTrue();
  }

  @Test
  void oneIsFoundByItsHashAndSaysHowItEnded() {
    var one = rpc.result("ptx_getPublicTransactionByHash", "[\"" + Sample.CALL + "\"]");

    assertThat(one.get("transaction").asText()).isEqualTo(Sample.CALLED.toString());
    assertThat(one.get("success").asBoolean()).isFalse();
    assertThat(one.get("revertData").asText()).startsWith("0x4e487b71");
    assertThat(one.get("failureMessage").asText())
        .isEqualTo("The contract reverted: Panic 1: an assertion failed.");
    assertThat(one.has("submissions")).isFalse();
    var none = "[\"" + Sample.LEDGER_TRANSACTION + "\"]";
    assertThat(rpc.result("ptx_getPublicTransactionByHash", none).isNull())
        .as("that of a private one")
        .isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ptx_getPublicTransactionByNonce | [\"alice@node1\", 4] | A ledger address is 0x and 40",
        "ptx_getPublicTransactionByNonce | [\"0x7e5f4552091a69125d5dfcb7b8c2659029395bdf\"] | [from, nonce]",
        "ptx_getPublicTransactionByNonce | [\"0x7e5f4552091a69125d5dfcb7b8c2659029395bdf\", -1] | params[1]",
        "ptx_getPublicTransactionByHash | [\"0x12\"] | params[0]",
        "ptx_queryPublicTransactions | [{}] | params[0].limit",
        "ptx_queryPublicTransactions | [{\"limit\":1,\"eq\":[{\"field\":\"id\",\"value\":\"x\"}]}] | localId, transaction"
      })
  void whatIsSentWrongIsNamed(String method, String params, String named) {
    assertThat(rpc.error(method, params).get("message").asText()).contains(named);
  }

  private static String ids(JsonNode rows) {
    return StreamSupport.stream(rows.spliterator(), false)
        .map(row -> row.get("localId").asText())
        .collect(Collectors.joining(","));
  }
}
