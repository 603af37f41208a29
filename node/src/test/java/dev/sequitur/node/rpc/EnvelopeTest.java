package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.protocol.id.Bytes;
import java.net.http.HttpRequest;
import java.nio.charset.Charset;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a request looks like, and what comes back if it does not. */
class EnvelopeTest {
  private static final String NODE_NAME =
      "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"transport_nodeName\"}";

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
  @ValueSource(
      strings = {
        "7",
        "-1",
        "1.50",
        "\"a-7\"",
        "\"\"",
        "true",
        "[1,2]",
        "{\"a\":{\"b\":null}}",
        "123456789012345678901234567890"
      })
  void theIdIsEchoedAsItWasSent(String id) {
    var response = rpc.exchange(HttpRequest.BodyPublishers.ofString(NODE_NAME.formatted(id)));
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body())
        .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":\"node1\"}");
    assertThat(response.headers().firstValue("content-type")).contains("application/json");
  }

  @Test
  void aHugeNumberDoesNoHarm() {
    var response = rpc.post(NODE_NAME.formatted("1e999999999"));
    assertThat(response.get("result").textValue()).isEqualTo("node1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"jsonrpc\":\"2.0\",\"method\":\"transport_nodeName\"} | -32600 | SQ010102",
        "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"transport_nodeName\"} | -32600 | SQ010102",
        "{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"transport_nodeName\"} | -32600 | SQ010101",
        "{\"id\":1,\"method\":\"transport_nodeName\"} | -32600 | SQ010101",
        "{\"jsonrpc\":\"2.0\",\"id\":1} | -32600 | SQ010101",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":7} | -32600 | SQ010101",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"transport_nodeName\",\"params\":{}} | -32600 | SQ010101",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"transport_nodeName\",\"params\":null} | -32600 | SQ010101",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"transport_nodeName\",\"params\":[1]} | -32600 | SQ010106",
        "\"hello\" | -32600 | SQ010101",
        "17 | -32600 | SQ010101",
        "[] | -32600 | SQ010103",
        "`` | -32700 | SQ010001",
        "{\"jsonrpc\":\"2.0\", | -32700 | SQ010001",
        "{\"a\":NaN} | -32700 | SQ010001",
        "{} {} | -32700 | SQ010001",
        "nonsense | -32700 | SQ010001",
        "{\"id\":1,\"id\":2} | -32700 | SQ010002",
        "{\"id\":\"\\ud800\"} | -32700 | SQ010001",
        "{\"id\":1e99999999999999999999} | -32700 | SQ010001",
      })
  void aMistakeIsAnErrorWithACodeAndASentence(String body, int rpcCode, String code) {
    var error = rpc.post(body).get("error");
    assertThat(error.get("code").intValue()).isEqualTo(rpcCode);
    assertThat(error.get("message").textValue()).startsWith(code + ": ").endsWith(".");
  }

  @ParameterizedTest
  @ValueSource(strings = {"[", "{\"a\":"})
  void deepNestingIsRefused(String opening) {
    assertThat(message(rpc.post(opening.repeat(100_000)))).startsWith("SQ010003: ");
  }

  @Test
  void aNumberOfAThousandDigitsIsRefused() {
    assertThat(message(rpc.post(NODE_NAME.formatted("9".repeat(1_000))))).startsWith("SQ010003: ");
  }

  @Test
  void bytesThatAreNoUtf8AreRefused() {
    var body = HttpRequest.BodyPublishers.ofByteArray(new byte[] {'"', (byte) 0xff, '"'});
    assertThat(message(RunningRpc.parse(rpc.exchange(body).body()))).startsWith("SQ010001: ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"eda080", "c0af", "ff"})
  void anAccountThatIsNotUtf8IsNobodys(String bytes) {
    var call = RunningRpc.request("schedule_fund", "[{\"account\":\"~\",\"amount\":\"5\"}]");
    var hex = Bytes.utf8(call.toString()).toHex().replace("7e", bytes);
    var body = HttpRequest.BodyPublishers.ofByteArray(Bytes.hex(hex).toByteArray());
    assertThat(message(RunningRpc.parse(rpc.exchange(body).body()))).startsWith("SQ010001: ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\\ud800", "a\\uDFFF", "\\udc00\\ud800"})
  void anAccountOfHalfACharacterIsNobodys(String account) {
    var call = RunningRpc.request("schedule_fund", "[{\"account\":\"~\",\"amount\":\"5\"}]");
    assertThat(message(rpc.post(call.toString().replace("~", account)))).startsWith("SQ010001: ");
  }

  @Test
  void aLongNameIsShownInWholeCharacters() {
    var name = "x".repeat(63) + "\ud83d\ude00";
    assertThat(
            message(
                rpc.call(
                    "schedule_fund", "[{\"account\":\"a\",\"amount\":\"5\",\"" + name + "\":1}]")))
        .contains("x".repeat(63) + "…");
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32", "UTF-32LE"})
  void anotherEncodingThanUtf8IsRefused(String encoding) {
    // As UTF-16 the half surrogate would get past the look for one, and fail inside the node.
    var request = NODE_NAME.formatted("\"\\ud800\"").getBytes(Charset.forName(encoding));
    var body = HttpRequest.BodyPublishers.ofByteArray(request);
    assertThat(message(RunningRpc.parse(rpc.exchange(body).body())))
        .isEqualTo("SQ010001: The body is not JSON in UTF-8. Check how it is encoded.");
  }

  @Test
  void aParseErrorSaysWhereAndWhatInASentence() {
    assertThat(message(rpc.post("{\"id\":1,\"id\":2}")))
        .isEqualTo(
            "SQ010002: An object names the same field twice, at line 1, column 13. Send each field"
                + " once.");
    assertThat(message(rpc.post("{\"id\":1e99999999999}"))).contains("exponent is too large");
    assertThat(message(rpc.call("transport_nodeName", "[1]")))
        .isEqualTo("SQ010106: transport_nodeName takes no parameters; 1 came.");
  }

  @Test
  void aParseErrorQuotesNothingOfTheBody() {
    assertThat(rpc.post("{\"data\": hush-hush}").toString()).doesNotContain("hush");
    assertThat(rpc.post("{\"hush\":1,\"hush\":2}").toString()).doesNotContain("hush");
  }

  @Test
  void anUnknownMethodIsToldTheNearestName() {
    var error = rpc.error("ptx_sendTransactoin", "[]");
    assertThat(error.get("code").intValue()).isEqualTo(-32601);
    assertThat(error.get("message").textValue())
        .startsWith("SQ010105: ")
        .contains("Did you mean ptx_sendTransaction?");
  }

  @Test
  void aMethodNameOfAMegabyteIsNotEchoed() {
    assertThat(message(rpc.call("x".repeat(1 << 19), "[]"))).hasSizeLessThan(200);
  }

  @Test
  void aMethodNameIsEchoedWithoutControlCharacters() {
    assertThat(message(rpc.call("a\nb<c>", "[]"))).contains("a?b?c?");
  }

  @Test
  void theErrorOfARequestEchoesItsId() {
    var response = rpc.post("{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"none\"}");
    assertThat(response.get("id").textValue()).isEqualTo("x");
    assertThat(response.has("result")).isFalse();
  }

  @Test
  void aBatchIsAnsweredRequestByRequest() {
    var response =
        rpc.post(
            "["
                + NODE_NAME.formatted("1")
                + ","
                + NODE_NAME.formatted("null")
                + ",5,[],"
                + NODE_NAME.formatted("\"z\"")
                + "]");
    assertThat(response).hasSize(5);
    assertThat(response.get(0).get("result").textValue()).isEqualTo("node1");
    assertThat(message(response.get(1))).startsWith("SQ010102");
    assertThat(message(response.get(2))).startsWith("SQ010101");
    assertThat(message(response.get(3))).startsWith("SQ010101");
    assertThat(response.get(4).get("id").textValue()).isEqualTo("z");
  }

  @Test
  void aBatchOfTooManyIsRefusedWhole() {
    var batch =
        IntStream.rangeClosed(0, RpcSettings.Limits.DEFAULT.batchRequests())
            .mapToObj(i -> NODE_NAME.formatted(i))
            .collect(Collectors.joining(",", "[", "]"));
    var response = rpc.post(batch);
    assertThat(message(response)).startsWith("SQ010104: ");
    assertThat(response.get("id").isNull()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ptx_getTransaction | [7] | params[0] (id) must be a UUID in a string, not a number.",
        "ptx_getTransaction | [null] | params[0] (id) must be a UUID in a string, not null.",
        "ptx_getTransaction | [\"x\"] | A transaction id is a UUID, not 'x'.",
        "ptx_getTransaction | [\"1-1-1-1-1\"] | A transaction id is a UUID, not '1-1-1-1-1'.",
        "pgroup_getGroupByAddress | [\"0x12\"] | A contract address is 0x and 40",
        "bidx_getTransactionByHash | [\"0x12\"] | A hash is 0x and 64 hexadecimal digits.",
        "bidx_getBlockByNumber | [-1] | params[0] (number) must be a whole number",
        "bidx_getBlockByNumber | [1.5] | params[0] (number) must be a whole number",
        "bidx_getBlockByNumber | [\"seven\"] | decimal digits, or 0x and hexadecimal digits",
        "ptx_sendTransaction | [[]] | params[0] (transaction) must be an object, not an array.",
        "ptx_sendTransactions | [{}] | params[0] (transactions) must be an array, not an object.",
        "ptx_queryPendingTransactions | [{\"limit\":1},7] | params[1] (full) must be true or false, not a number.",
        "ptx_getReceiptListener | [\"\"] | has 1 to 256 characters",
      })
  void aWrongTypeNamesTheParameterAndWhatIsExpected(String method, String params, String text) {
    var error = rpc.error(method, params);
    assertThat(error.get("code").intValue()).isEqualTo(-32600);
    assertThat(error.get("message").textValue()).startsWith("SQ010107: ").contains(text);
  }

  @Test
  void tooFewParametersAreToldWhichThereAre() {
    assertThat(rpc.error("pgroup_getGroupById", "[\"token\"]").get("message").textValue())
        .isEqualTo(
            "SQ010106: pgroup_getGroupById takes the parameters [domain, id], in an array; 1 came.");
  }

  @Test
  void whatNeedsAWebSocketSaysSoOverHttp() {
    rpc.result("ptx_createReceiptListener", "[{\"name\":\"http\"}]");
    assertThat(message(rpc.call("ptx_subscribe", "[\"receipts\",\"http\"]")))
        .startsWith("SQ010108: ");
    assertThat(message(rpc.call("ptx_ack", "[\"x\"]"))).startsWith("SQ010108: ");
  }

  private static String message(JsonNode response) {
    return response.get("error").get("message").textValue();
  }
}
