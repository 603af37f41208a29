package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.transaction.NewGroup;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.protocol.transaction.SubmitMode;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Accepting transactions: what is stored, what is a repeat, what is refused and stores nothing. */
class SendTransactionTest {
  private static final String TO = "0x1111111111111111111111111111111111111111";
  private static final String VALID =
      "{\"type\":\"private\",\"from\":\"alice@node1\",\"to\":\"%s\",\"function\":\"transfer\",\"data\":{\"to\":\"bob@node2\",\"amount\":\"10\"}}"
          .formatted(TO);

  private static RunningRpc rpc;

  @BeforeAll
  static void start() {
    rpc = RunningRpc.withDefaults();
  }

  @AfterAll
  static void stop() {
    rpc.close();
  }

  @Test
  void whatWasSentIsWhatIsStored() {
    var id = send(with("idempotencyKey", "\"stored\""));
    var json = rpc.result("ptx_getTransaction", "[\"" + id + "\"]");
    assertThat(json.get("id").textValue()).isEqualTo(id);
    assertThat(json.get("submitMode").textValue()).isEqualTo("auto");
    assertThat(json.get("idempotencyKey").textValue()).isEqualTo("stored");
    assertThat(json.get("domain").textValue()).isEqualTo("token");
    assertThat(json.get("from").textValue()).isEqualTo("alice@node1");
    assertThat(json.get("to").textValue()).isEqualTo(TO);
    assertThat(json.get("data").toString()).isEqualTo("{\"to\":\"bob@node2\",\"amount\":\"10\"}");
  }

  @Test
  void aPreparedTransactionIsStoredWithExternalSubmission() {
    var id = rpc.result("ptx_prepareTransaction", "[" + VALID + "]").textValue();
    var intent = rpc.node.store().intent(TransactionId.parse(id)).toCompletableFuture().join();
    assertThat(intent.orElseThrow().privately().orElseThrow().submitMode())
        .isEqualTo(SubmitMode.EXTERNAL);
  }

  /** Once more it would revert, and cost gas. */
  @Test
  void whatHasEndedIsNotSubmittedOnceMore() {
    assertThat(refusal("ptx_submitPrepared", "\"" + Sample.CONFIRMED + "\""))
        .isEqualTo(
            "SQ020025: Nothing of %s is left to be sent: it has ended, as ptx_getTransactionReceipt says."
                .formatted(Sample.CONFIRMED));
  }

  @Test
  void aNameWithoutANodeIsOneOfThisNode() {
    var id = send(with("from", "\"alice\""));
    assertThat(rpc.result("ptx_getTransaction", "[\"" + id + "\"]").get("from").textValue())
        .isEqualTo("alice@node1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[\"bob@node2\",10] | [\"bob@node2\",10]",
        "\"0x7b2261223a317d\" | {\"a\":1}",
        "\"0x5b315d\" | [1]"
      })
  void dataMayBeAnArrayOrHexOfJson(String sent, String stored) {
    var id = send(with("data", sent));
    assertThat(rpc.result("ptx_getTransaction", "[\"" + id + "\"]").get("data").toString())
        .isEqualTo(stored);
  }

  private static final String TRANSFER_ABI =
      "[{\"type\":\"function\",\"name\":\"burn\",\"inputs\":[]},{\"type\":\"function\",\"name\":\"transfer\",\"inputs\":["
          + "{\"name\":\"to\",\"type\":\"string\"},{\"name\":\"amount\",\"type\":\"uint256\"},"
          + "{\"name\":\"more\",\"type\":\"tuple[]\",\"components\":[{\"name\":\"n\",\"type\":\"int8[]\"},{\"name\":\"\",\"type\":\"bytes\"}]}]}]";

  /** As Paladin's Go client writes them, by the format that its user has chosen. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[\"bob@node2\",\"0x0a\",[]] | {\"to\":\"bob@node2\",\"amount\":\"10\",\"more\":[]}",
        "[{\"name\":\"to\",\"type\":\"string\",\"value\":\"bob@node2\"},{\"name\":\"amount\",\"type\":\"uint256\",\"value\":10},{\"name\":\"more\",\"type\":\"tuple[]\",\"value\":[]}]"
            + " | {\"to\":\"bob@node2\",\"amount\":10,\"more\":[]}",
        "{\"to\":\"0x0b\",\"amount\":\"0xff\",\"more\":[[[\"-0x1\",\"2\"],\"0x03\"]],\"own\":\"0x1\"}"
            + " | {\"to\":\"0x0b\",\"amount\":\"255\",\"more\":[{\"n\":[\"-1\",\"2\"],\"1\":\"0x03\"}],\"own\":\"0x1\"}",
        "{\"amount\":\"7\"} | {\"amount\":\"7\"}"
      })
  void dataIsReadByTheAbiThatCameAlong(String sent, String stored) {
    var signature = "transfer(string,uint256,(int8[],bytes)[])";
    var id =
        send(
            "{\"type\":\"private\",\"from\":\"alice@node1\",\"to\":\"%s\",\"function\":\"%s\",\"abi\":%s,\"data\":%s}"
                .formatted(TO, signature, TRANSFER_ABI, sent));
    var json = rpc.result("ptx_getTransaction", "[\"" + id + "\"]");
    assertThat(json.get("data").toString()).isEqualTo(stored);
    assertThat(json.get("function").textValue()).isEqualTo("transfer");
  }

  @Test
  void anArrayThatDoesNotFitTheAbiIsRefused() {
    var refused =
        refusal(
            "ptx_sendTransaction",
            "{\"type\":\"private\",\"from\":\"alice@node1\",\"to\":\"%s\",\"function\":\"transfer\",\"abi\":%s,\"data\":[1]}"
                .formatted(TO, TRANSFER_ABI));
    assertThat(refused).contains("params[0].data is an array of 1, and transfer in abi takes 3");
  }

  @Test
  void theInputOfAGroupsTransactionIsReadByItsEntry() {
    var entry =
        "{\"type\":\"function\",\"name\":\"transfer\",\"inputs\":[{\"name\":\"to\",\"type\":\"string\"},{\"name\":\"amount\",\"type\":\"uint256\"}]}";
    var id =
        rpc.result(
                "pgroup_sendTransaction",
                "[{\"domain\":\"token\",\"group\":\"%s\",\"from\":\"alice@node1\",\"function\":%s,\"input\":[\"bob@node2\",\"0x3\"],\"publicTxOptions\":{}}]"
                    .formatted(Sample.GROUP, entry))
            .textValue();
    assertThat(rpc.result("ptx_getTransaction", "[\"" + id + "\"]").get("data").toString())
        .isEqualTo("{\"to\":\"bob@node2\",\"amount\":\"3\"}");
  }

  private static final String NEW_GROUP =
      "{\"type\":\"private\",\"domain\":\"token\",\"from\":\"alice@node1\",\"function\":\"\",\"data\":%s%s}";

  private static String newGroup(String data, String more) {
    return NEW_GROUP.formatted(data, more);
  }

  private static NewGroup stored(String id) {
    return rpc.node
        .store()
        .intent(TransactionId.parse(id))
        .toCompletableFuture()
        .join()
        .flatMap(Intent::newGroup)
        .orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"abi\":[{\"type\":\"function\",\"name\":\"spendLock\",\"inputs\":[]}],\"function\":\"spendLock\",\"data\":{\"lockId\":\"0x01\"}",
        "\"abi\":[{\"type\":\"function\",\"name\":\"spendLock\",\"inputs\":[]}],\"function\":\"spendLock(bytes32)\",\"data\":{\"lockId\":\"0x01\"}",
        "\"data\":\"0xbfc538bb01\""
      })
  void aPublicCallThatStandsForAFunctionOfTheDomainIsPrivate(String what) {
    var id =
        send(
            "{\"type\":\"public\",\"from\":\"alice@node1\",\"to\":\"%s\",%s}"
                .formatted(Sample.CONTRACT, what));

    var shown = rpc.result("ptx_getTransaction", "[\"" + id + "\"]");
    assertThat(shown.get("type").textValue()).isEqualTo("private");
    assertThat(shown.get("function").textValue()).isEqualTo("spendLock");
    assertThat(shown.get("data").toString()).isEqualTo("{\"lockId\":\"0x01\"}");
  }

  @Test
  void withoutToTheConstructorOfTheDomainMakesAGroup() {
    var id = send(newGroup("{\"name\":\"coins\",\"symbol\":\"C\"}", ""));

    assertThat(stored(id).request().name()).isEqualTo("coins");
    assertThat(stored(id).request().domain()).isEqualTo("token");
    assertThat(stored(id).request().members()).containsExactly(Sample.ALICE);
    assertThat(stored(id).request().configuration().toUtf8())
        .isEqualTo("{\"name\":\"coins\",\"symbol\":\"C\"}");
    assertThat(stored(id).request().request().toUtf8())
        .contains("\"members\":[\"alice@node1\"]", "\"domain\":\"token\"");
    var shown = rpc.result("ptx_getTransactionFull", "[\"" + id + "\"]");
    assertThat(shown.get("type").textValue()).isEqualTo("private");
    assertThat(shown.get("domain").textValue()).isEqualTo("token");
    assertThat(shown.has("to")).isFalse();
    assertThat(shown.has("function")).isFalse();
    assertThat(shown.get("data").toString()).isEqualTo("{\"name\":\"coins\",\"symbol\":\"C\"}");
    assertThat(shown.get("state").textValue()).isEqualTo("Pending");
    assertThat(rpc.result("ptx_queryPendingTransactions", "[{\"limit\":100}]").toString())
        .contains(id);
  }

  @Test
  void theContractOfAGroupThatIsMadeStandsInTheReceipt() {
    var made = stored(send(newGroup("{\"name\":\"made\"}", "")));
    var failed = stored(send(newGroup("{\"name\":\"failed\"}", "")));
    var place = Sample.confirmed(Sample.CONFIRMED).onLedger().orElseThrow();
    rpc.node
        .store()
        .complete(
            List.of(
                Receipt.made(made.id(), Sample.group(), place, Sample.NOW),
                Receipt.notMade(failed.id(), "token", "A node takes no part.", Sample.NOW)));

    var receipt = rpc.result("ptx_getTransactionReceiptFull", "[\"" + made.id() + "\"]");
    assertThat(receipt.get("success").booleanValue()).isTrue();
    assertThat(receipt.get("contractAddress").textValue()).isEqualTo(TO);
    assertThat(receipt.get("domain").textValue()).isEqualTo("token");
    assertThat(receipt.get("transactionHash").textValue()).isEqualTo(place.hash().toString());
    assertThat(receipt.has("events")).isFalse();
    var none = rpc.result("ptx_getTransactionReceiptFull", "[\"" + failed.id() + "\"]");
    assertThat(none.get("success").booleanValue()).isFalse();
    assertThat(none.get("failureMessage").textValue()).isEqualTo("A node takes no part.");
    assertThat(none.has("contractAddress")).isFalse();
  }

  @Test
  void whatMakesAGroupIsNamedByItsConstructorsAbiIfItIsAnArray() {
    var abi =
        ",\"abi\":[{\"type\":\"event\"},{\"type\":\"constructor\",\"inputs\":[{\"name\":\"name\"},{\"name\":\"symbol\"}]}]";

    var id = send(newGroup("[\"coins\",\"C\"]", abi));

    assertThat(stored(id).inputs().toUtf8()).isEqualTo("{\"name\":\"coins\",\"symbol\":\"C\"}");
    assertThat(refusal("ptx_sendTransaction", newGroup("[\"coins\"]", abi)))
        .contains("params[0].data", "takes 2");
    assertThat(refusal("ptx_sendTransaction", newGroup("[\"coins\"]", "")))
        .contains("no constructor in abi");
  }

  @Test
  void aRepeatThatMakesAGroupIsAnsweredAsTheFirst() {
    var key = ",\"idempotencyKey\":\"one-token\"";
    var first = send(newGroup("{\"name\":\"a\",\"b\":1}", key));

    assertThat(send(newGroup("{\"b\":1,\"name\":\"a\"}", key))).isEqualTo(first);
    assertThat(refusal("ptx_sendTransaction", newGroup("{\"name\":\"c\"}", key)))
        .contains("one-token");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "data | {} | The group has no name",
        "data | 7 | params[0].data must be an object",
        "function | \"mint\" | params[0].to is missing: send the address of the privacy group's contract, or leave",
        "domain | \"lottery\" | no such domain",
        "domain | null | params[0].to is missing: send the address",
        "maxAttempts | 2 | params[0].maxAttempts means nothing here",
        "deadline | \"2030-01-31T12:00:00Z\" | params[0].deadline means nothing here",
        "bytecode | \"0x00\" | params[0].bytecode was sent",
        "dependsOn | [\"6f1c6f0e-0000-4000-8000-000000000001\"] | params[0].dependsOn means nothing",
      })
  void whatMakesNoGroupIsRefusedWithASentence(String field, String value, String sentence) {
    int stored = rpc.node.store().intentCount();
    var transaction = (ObjectNode) RunningRpc.parse(newGroup("{\"name\":\"a\"}", ""));
    transaction.set(field, RunningRpc.parse(value));

    assertThat(refusal("ptx_sendTransaction", transaction.toString())).contains(sentence);

    assertThat(rpc.node.store().intentCount()).isEqualTo(stored);
  }

  @Test
  void whatMakesAGroupIsNotPrepared() {
    assertThat(refusal("ptx_prepareTransaction", newGroup("{\"name\":\"a\"}", "")))
        .contains("puts on the base ledger itself");
  }

  private static String refusal(String method, String transaction) {
    return rpc.error(method, "[" + transaction + "]").get("message").textValue();
  }

  @Test
  void aRepeatedKeyIsAnsweredWithTheOriginalId() {
    var first = send(with("idempotencyKey", "\"repeat\""));
    int stored = rpc.node.store().intentCount();
    var reordered =
        "{\"data\":{\"amount\":\"10\",\"to\":\"bob@node2\"},\"function\":\"transfer\",\"to\":\"%s\",\"from\":\"alice\",\"domain\":\"token\",\"type\":\"private\",\"idempotencyKey\":\"repeat\",\"gas\":\"0x1\"}"
            .formatted(TO.toUpperCase(Locale.ROOT).replace("0X", "0x"));
    assertThat(send(reordered)).isEqualTo(first);
    assertThat(rpc.node.store().intentCount()).isEqualTo(stored);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "data | {\"to\":\"bob@node2\",\"amount\":\"11\"}",
        "data | {\"to\":\"bob@node2\",\"amount\":10}",
        "function | \"mint\"",
        "dependsOn | [\"6f1c6f0e-0000-4000-8000-000000000001\"]"
      })
  void aRepeatedKeyWithAnotherBodyIsAConflictThatNamesTheOriginal(String field, String value) {
    var key = "\"conflict-" + field + value.hashCode() + "\"";
    var first = send(with("idempotencyKey", key));
    int stored = rpc.node.store().intentCount();
    var error =
        rpc.error("ptx_sendTransaction", "[" + with("idempotencyKey", key, field, value) + "]");
    assertThat(error.get("code").intValue()).isEqualTo(-32001);
    assertThat(error.get("message").textValue()).startsWith("SQ020007: ").contains(first);
    assertThat(rpc.node.store().intentCount()).isEqualTo(stored);
  }

  /** Where nobody is asked who calls. */
  @Test
  void aKeyIsItsSendersAndWhoAsksNamesTheSenderIfSeveralHaveUsedIt() {
    var key = "\"of-two\"";
    var call =
        "{\"type\":\"private\",\"domain\":\"token\",\"from\":\"%s\",\"data\":{\"name\":\"coins\"},\"idempotencyKey\":"
            + key
            + "}";
    var first = send(call.formatted("alice"));
    assertThat(rpc.result("ptx_getTransactionByIdempotencyKey", "[" + key + "]").get("id"))
        .hasToString("\"" + first + "\"");

    var second = send(call.formatted("shop"));

    assertThat(second).isNotEqualTo(first);
    assertThat(
            rpc.error("ptx_getTransactionByIdempotencyKey", "[" + key + "]")
                .get("message")
                .textValue())
        .startsWith("SQ020024: ")
        .contains("alice@node1, shop@node1: name the one");
    for (var each : Map.of("alice", first, "shop@node1", second).entrySet()) {
      assertThat(
              rpc.result(
                      "ptx_getTransactionByIdempotencyKey",
                      "[" + key + ", \"" + each.getKey() + "\"]")
                  .get("id"))
          .hasToString("\"" + each.getValue() + "\"");
    }
    assertThat(
            rpc.result(
                "ptx_queryTransactions",
                "[{\"limit\": 10, \"eq\": [{\"field\": \"idempotencyKey\", \"value\": \"of-two\"}]}]"))
        .hasSize(2);
  }

  @Test
  void aCallerMayAskForFewerTries() {
    var id = send(with("maxAttempts", "1"));
    var stored = rpc.result("ptx_getTransaction", "[\"" + id + "\"]");
    assertThat(stored.get("maxAttempts").intValue()).isEqualTo(1);

    var without = rpc.result("ptx_getTransaction", "[\"" + send(VALID) + "\"]");
    assertThat(without.has("maxAttempts")).isFalse();
  }

  @Test
  void aCallerMayAskToBeToldByATime() {
    var id = send(with("deadline", "\"2030-01-31T12:00:00Z\""));
    var stored = rpc.result("ptx_getTransaction", "[\"" + id + "\"]");
    assertThat(stored.get("deadline").textValue()).isEqualTo("2030-01-31T12:00:00Z");

    var without = rpc.result("ptx_getTransaction", "[\"" + send(VALID) + "\"]");
    assertThat(without.has("deadline")).isFalse();
  }

  @Test
  void theSameKeyWithAnotherDeadlineIsAConflict() {
    send(with("idempotencyKey", "\"by\"", "deadline", "\"2030-01-31T12:00:00Z\""));
    var other = with("idempotencyKey", "\"by\"", "deadline", "\"2030-01-31T12:00:01Z\"");
    assertThat(rpc.error("ptx_sendTransaction", "[" + other + "]").get("code").intValue())
        .isEqualTo(-32001);
  }

  @Test
  void theSameKeyWithOtherTriesIsAConflict() {
    send(with("idempotencyKey", "\"tries\"", "maxAttempts", "1"));
    var other = with("idempotencyKey", "\"tries\"", "maxAttempts", "2");
    assertThat(rpc.error("ptx_sendTransaction", "[" + other + "]").get("code").intValue())
        .isEqualTo(-32001);
  }

  @Test
  void aPublicTransactionIsRefusedByALedgerWithoutContracts() {
    var sent =
        "{\"type\":\"public\",\"from\":\"alice\",\"bytecode\":\"0x6001\",\"gas\":\"0x5208\"}";
    assertThat(rpc.error("ptx_sendTransaction", "[" + sent + "]").get("message").textValue())
        .startsWith("SQ020017: ")
        .contains("Ethereum chain");
  }

  /** As the clients of other nodes send it: what is refused here is the ledger alone. */
  @Test
  void anEmptyFunctionIsNone() {
    var sent =
        "{\"type\":\"public\",\"from\":\"alice\",\"function\":\"\",\"bytecode\":\"0x6001\",\"gas\":1}";
    assertThat(refusal("ptx_sendTransaction", sent)).startsWith("SQ020017: ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"value\":1 | neither to nor bytecode",
        "\"bytecode\":\"0x60\",\"to\":\"0x1111111111111111111111111111111111111111\" | means nothing",
        "\"bytecode\":\"0x6\" | params[0].bytecode",
        "\"bytecode\":\"0x60\",\"value\":\"-1\" | params[0].value must be a whole number",
        "\"bytecode\":\"0x60\",\"gas\":\"many\" | params[0].gas must be a whole number",
        "\"bytecode\":\"0x60\",\"data\":[1] | data has 1 parameters, not the 0 of ()",
        "\"bytecode\":\"0x60\",\"abi\":{} | params[0].abi must be an array",
        "\"bytecode\":\"0x60\",\"abiReference\":\"0x1\" | params[0].abiReference",
        "\"bytecode\":\"0x60\",\"abiReference\":\"0x0000000000000000000000000000000000000000000000000000000000000000\" | names no ABI that was left",
        "\"bytecode\":\"0x60\",\"dependsOn\":[] | are carried out in their order",
        "\"to\":\"0x1111111111111111111111111111111111111111\",\"data\":{} | send abi",
      })
  void aWrongPublicTransactionIsRefusedWithWhatToDo(String fields, String sentence) {
    var sent = "{\"type\":\"public\",\"from\":\"alice\"," + fields + "}";
    assertThat(rpc.error("ptx_sendTransaction", "[" + sent + "]").get("message").textValue())
        .contains(sentence);
  }

  @Test
  void theSameKeyPreparedInPlaceOfSentIsAConflict() {
    send(with("idempotencyKey", "\"mode\""));
    var error = rpc.error("ptx_prepareTransaction", "[" + with("idempotencyKey", "\"mode\"") + "]");
    assertThat(error.get("code").intValue()).isEqualTo(-32001);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "type | \"public\" | SQ010107 | params[0].function needs the function's ABI",
        "type | \"other\" | SQ010107 | params[0].type",
        "type | null | SQ010107 | params[0].type is missing",
        "type | 7 | SQ010107 | params[0].type must be a string, not a number.",
        "from | null | SQ010107 | params[0].from is missing",
        "from | \"al ice\" | SQ010107 | params[0].from",
        "from | \"alice@node1@x\" | SQ010107 | name@node",
        "from | \"bob@node2\" | SQ020003 | node2",
        "from | \"carol@node1\" | SQ020004 | carol@node1 is no member",
        "to | null | SQ010107 | params[0].to is missing",
        "to | \"0x11\" | SQ010107 | 40 hexadecimal digits",
        "to | \"0x2222222222222222222222222222222222222222\" | SQ020001 | 0x2222",
        "domain | \"record\" | SQ020002 | token",
        "function | null | SQ010107 | params[0].function is missing",
        "data | 7 | SQ010107 | params[0].data must be an object",
        "data | \"hush\" | SQ010107 | params[0].data",
        "data | \"0x6875736821\" | SQ010107 | params[0].data",
        "data | {\"amount\":\"0\"} | SQ030001 | positive",
        "data | {\"amount\":\"-5\"} | SQ030001 | positive",
        "dependsOn | [\"x\"] | SQ010107 | params[0].dependsOn[0]",
        "dependsOn | \"x\" | SQ010107 | params[0].dependsOn must be an array, not a string.",
        "idempotencyKey | \"\" | SQ010107 | params[0].idempotencyKey",
        "idempotencyKey | 5 | SQ010107 | params[0].idempotencyKey must be a string",
        "bytecode | \"0x60\" | SQ010206 | pgroup_createGroup",
        "maxAttempts | 0 | SQ010107 | params[0].maxAttempts must be a whole number, at least 1",
        "maxAttempts | 1.5 | SQ010107 | params[0].maxAttempts must be a whole number, at least 1",
        "maxAttempts | 2147483648 | SQ010107 | params[0].maxAttempts must be a whole number",
        "maxAttempts | \"1\" | SQ010107 | params[0].maxAttempts must be a whole number, at least 1",
        "deadline | \"soon\" | SQ010107 | params[0].deadline",
        "deadline | 5 | SQ010107 | params[0].deadline must be a",
      })
  void aMistakeIsRefusedAndNothingIsStored(String field, String value, String code, String text) {
    int stored = rpc.node.store().intentCount();
    var response = rpc.call("ptx_sendTransaction", "[" + with(field, value) + "]");
    var error = response.get("error");
    assertThat(error.get("code").intValue()).isEqualTo(-32600);
    assertThat(error.get("message").textValue()).startsWith(code + ": ").contains(text);
    assertThat(response.toString()).doesNotContain("hush");
    assertThat(rpc.node.store().intentCount()).isEqualTo(stored);
  }

  @Test
  void moreDependenciesThanAllowedAreRefused() {
    var many = Collections.nCopies(257, "\"6f1c6f0e-0000-4000-8000-000000000001\"");
    assertThat(
            rpc.error("ptx_sendTransaction", "[" + with("dependsOn", many.toString()) + "]")
                .get("message")
                .textValue())
        .isEqualTo("SQ010107: params[0].dependsOn has 257 elements; send at most 256.");
  }

  @Test
  void severalAreAcceptedAllOrNone() {
    int stored = rpc.node.store().intentCount();
    var bad = with("to", "\"0x2222222222222222222222222222222222222222\"");
    assertThat(
            rpc.error("ptx_sendTransactions", "[[" + VALID + "," + bad + "]]")
                .get("message")
                .textValue())
        .startsWith("SQ020001: ");
    var wrong = rpc.error("ptx_sendTransactions", "[[" + VALID + ",5]]").get("message").textValue();
    assertThat(wrong).contains("params[0][1] must be an object, not a number.");
    assertThat(rpc.node.store().intentCount()).isEqualTo(stored);

    var ids = rpc.result("ptx_sendTransactions", "[[" + VALID + "," + VALID + "]]");
    assertThat(ids).hasSize(2);
    assertThat(rpc.node.store().intentCount()).isEqualTo(stored + 2);
  }

  @Test
  void noneOrTooManyAtOnceAreRefused() {
    assertThat(rpc.error("ptx_sendTransactions", "[[]]").get("message").textValue())
        .startsWith("SQ010208: ");
    var many = "{},".repeat(1_000) + "{}";
    assertThat(rpc.error("ptx_sendTransactions", "[[" + many + "]]").get("message").textValue())
        .startsWith("SQ010208: ");
  }

  @Test
  void aGroupsTransactionIsTheSameAsOneToItsContract() {
    var id =
        rpc.result("pgroup_sendTransaction", "[" + groupTransaction(Sample.GROUP.toString()) + "]")
            .textValue();
    var json = rpc.result("ptx_getTransaction", "[\"" + id + "\"]");
    assertThat(json.get("to").textValue()).isEqualTo(TO);
    assertThat(json.get("function").textValue()).isEqualTo("transfer");
  }

  @Test
  void anUnknownGroupAndOneWithoutAContractAreRefused() {
    var unknown = groupTransaction(Sample.hash("nobody").toString());
    assertThat(rpc.error("pgroup_sendTransaction", "[" + unknown + "]").get("message").textValue())
        .startsWith("SQ020001: ");
    var early = groupTransaction(Sample.UNCONFIRMED.toString()).replace("\"token\"", "\"record\"");
    assertThat(rpc.error("pgroup_sendTransaction", "[" + early + "]").get("message").textValue())
        .startsWith("SQ010210: ");
    assertThat(rpc.error("pgroup_call", "[" + unknown + "]").get("message").textValue())
        .startsWith("SQ020001: ");
  }

  private static String groupTransaction(String group) {
    return "{\"domain\":\"token\",\"group\":\"%s\",\"from\":\"alice@node1\",\"function\":{\"type\":\"function\",\"name\":\"transfer\"},\"input\":{\"amount\":\"1\"}}"
        .formatted(group);
  }

  private static String send(String transaction) {
    return rpc.result("ptx_sendTransaction", "[" + transaction + "]").textValue();
  }

  private static String with(String field, String value) {
    var transaction = (ObjectNode) RunningRpc.parse(VALID);
    transaction.set(field, RunningRpc.parse(value));
    return transaction.toString();
  }

  private static String with(String field, String value, String other, String otherValue) {
    var transaction = (ObjectNode) RunningRpc.parse(with(field, value));
    transaction.set(other, RunningRpc.parse(otherValue));
    return transaction.toString();
  }
}
