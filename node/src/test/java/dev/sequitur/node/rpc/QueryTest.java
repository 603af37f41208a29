package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.protocol.transaction.SubmitMode;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Queries over HTTP: each comparison, the order, the limits. */
class QueryTest {
  /** More than a page of the store, more than a scan. */
  private static final int MORE = 1_000;

  private static RunningRpc rpc;

  @BeforeAll
  static void start() {
    rpc =
        new RunningRpc(
            RpcSettings.loopback(0)
                .withLimits(
                    new RpcSettings.Limits(1 << 20, 10, 10, 100, 800, 64, 64, 2, 10, 1 << 24)));
    var store = rpc.node.store();
    for (int i = 100; i < 100 + MORE; i++) {
      store.accept(List.of(Sample.intent(Sample.id(i), "key-" + i, SubmitMode.AUTO)));
      if (i < 100 + MORE / 2) {
        store.complete(List.of(Sample.confirmed(Sample.id(i))));
      }
    }
  }

  @AfterAll
  static void stop() {
    rpc.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"limit\":2} | 1099,1098",
        "{\"limit\":2,\"sort\":[\"created DESC\"]} | 1099,1098",
        "{\"eq\":[{\"field\":\"id\",\"value\":\"6F1C6F0E-0000-4000-8000-000000000002\"}],\"limit\":5} | 2",
        "{\"eq\":[{\"field\":\"id\",\"value\":\"none\"}],\"limit\":5} | ''",
        "{\"eq\":[{\"field\":\"idempotencyKey\",\"value\":\"invoice-7\"}],\"limit\":5} | 1",
        "{\"eq\":[{\"field\":\"idempotencyKey\",\"value\":\"key-150\"},{\"field\":\"domain\",\"value\":\"x\"}],\"limit\":5} | ''",
        "{\"in\":[{\"field\":\"idempotencyKey\",\"values\":[\"key-1001\",\"key-1003\"]}],\"limit\":2} | 1003,1001",
        "{\"like\":[{\"field\":\"idempotencyKey\",\"value\":\"key-10_7\"}],\"limit\":2} | 1097,1087",
        "{\"like\":[{\"field\":\"idempotencyKey\",\"value\":\"%99\"}],\"limit\":1} | 1099",
        "{\"neq\":[{\"field\":\"idempotencyKey\",\"value\":\"key-1099\"}],\"limit\":1} | 1098",
        "{\"eq\":[{\"field\":\"idempotencyKey\",\"value\":\"key-1099\",\"not\":true}],\"limit\":1} | 1098",
        "{\"lt\":[{\"field\":\"idempotencyKey\",\"value\":\"key-1098\"}],\"limit\":1} | 1097",
        "{\"lte\":[{\"field\":\"idempotencyKey\",\"value\":\"key-1098\"}],\"limit\":1} | 1098",
        "{\"gt\":[{\"field\":\"idempotencyKey\",\"value\":\"key-999\"}],\"limit\":1} | ERROR",
        "{\"gte\":[{\"field\":\"created\",\"value\":\"2026-11-21T10:00:00Z\"}],\"limit\":1} | 1099",
        "{\"null\":[{\"field\":\"idempotencyKey\",\"not\":true}],\"limit\":1} | 1099",
        "{\"or\":[{\"eq\":[{\"field\":\"idempotencyKey\",\"value\":\"key-1090\"}]},{\"like\":[{\"field\":\"idempotencyKey\",\"value\":\"key-1091\"}]}],\"limit\":2} | 1091,1090",
        "{\"eq\":[{\"field\":\"to\",\"value\":\"0x1111111111111111111111111111111111111111\"},{\"field\":\"submitMode\",\"value\":\"auto\"}],\"limit\":1} | 1099",
        "{\"null\":[{\"field\":\"idempotencyKey\"}],\"limit\":1} | ERROR",
        "{\"equal\":[{\"field\":\"id\",\"value\":\"6f1c6f0e-0000-4000-8000-000000000002\"}],\"limit\":5} | 2",
        "{\"equal\":[{\"field\":\"idempotencyKey\",\"value\":\"INVOICE-7\",\"caseInsensitive\":true}],\"limit\":1} | ERROR",
        "{\"equal\":[{\"field\":\"idempotencyKey\",\"value\":\"KEY-1099\",\"caseInsensitive\":true}],\"limit\":1} | 1099",
        "{\"neq\":[{\"field\":\"idempotencyKey\",\"value\":\"KEY-1099\",\"caseInsensitive\":true}],\"limit\":1} | 1098",
        "{\"like\":[{\"field\":\"idempotencyKey\",\"value\":\"KEY-109_\",\"caseInsensitive\":true}],\"limit\":1} | 1099",
        "{\"like\":[{\"field\":\"idempotencyKey\",\"value\":\"key-10%\",\"not\":true}],\"limit\":1} | 999",
        "{\"lessThan\":[{\"field\":\"idempotencyKey\",\"value\":\"key-1098\"}],\"limit\":1} | 1097",
        "{\"lessThanOrEqual\":[{\"field\":\"idempotencyKey\",\"value\":\"key-1098\"}],\"limit\":1} | 1098",
        "{\"greaterThan\":[{\"field\":\"idempotencyKey\",\"value\":\"key-1097\"}],\"lt\":[{\"field\":\"idempotencyKey\",\"value\":\"key-1099\"}],\"limit\":1} | 1098",
        "{\"greaterThanOrEqual\":[{\"field\":\"created\",\"value\":1732183200}],\"limit\":1} | 1099",
        "{\"gte\":[{\"field\":\"created\",\"value\":\"2026-11-21T11:00:00+01:00\"}],\"limit\":1} | 1099",
        "{\"nin\":[{\"field\":\"idempotencyKey\",\"values\":[\"key-1099\",\"key-1097\"]}],\"limit\":2} | 1098,1096",
        "{\"nin\":[{\"field\":\"idempotencyKey\",\"values\":[\"key-1090\"],\"not\":true}],\"limit\":1} | 1090",
        "{\"null\":{\"field\":\"idempotencyKey\",\"not\":true},\"limit\":1} | 1099",
        "{\"or\":[{\"equal\":[{\"field\":\"idempotencyKey\",\"value\":\"key-1090\"}]},{\"or\":[{\"equal\":[{\"field\":\"idempotencyKey\",\"value\":\"key-1091\"}]},{\"null\":[{\"field\":\"from\"}]}]}],\"limit\":2} | 1091,1090",
        "{\"limit\":2,\"sort\":[\"-created\"]} | 1099,1098",
        "{\"limit\":1,\"sort\":[\"idempotencyKey\"]} | ERROR",
        "{\"limit\":2,\"after\":\"6f1c6f0e-0000-4000-8000-000000001098\"} | 1097,1096",
        "{\"limit\":2,\"sort\":[\"created DESC\"],\"after\":\"6f1c6f0e-0000-4000-8000-000000001098\"} | 1097,1096",
        "{\"limit\":2,\"like\":[{\"field\":\"idempotencyKey\",\"value\":\"key-10_7\"}],\"after\":\"6f1c6f0e-0000-4000-8000-000000001097\"} | 1087,1077",
        "{\"limit\":1,\"eq\":[{\"field\":\"idempotencyKey\",\"value\":\"none\"}],\"after\":\"6f1c6f0e-0000-4000-8000-000000000100\"} | ''"
      })
  void transactionsAreFoundByEachComparison(String query, String numbers) {
    var response = rpc.call("ptx_queryTransactions", "[" + query + "]");
    if (numbers.equals("ERROR")) {
      assertThat(response.get("error").get("message").textValue()).startsWith("SQ010302: ");
    } else {
      assertThat(numbers(response.get("result"))).isEqualTo(numbers);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"limit\":2,\"after\":\"00000000-0000-4000-8000-000000000000\"} | is no transaction of this node",
        "{\"limit\":2,\"sort\":[\"created\"],\"after\":\"6f1c6f0e-0000-4000-8000-000000001098\"} | leave sort out"
      })
  void aPageGoesOnAfterATransactionThatIsThereInTheOrderOfAcceptance(String query, String why) {
    assertThat(rpc.error("ptx_queryTransactions", "[" + query + "]").get("message").textValue())
        .startsWith("SQ010301: ")
        .contains(why);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"limit\":2} | 502,501",
        "{\"limit\":2,\"sort\":[\"sequence DESC\"]} | 502,501",
        "{\"limit\":2,\"sort\":[\"sequence ASC\"]} | 1,2",
        "{\"limit\":2,\"sort\":[\"sequence\"],\"gt\":[{\"field\":\"sequence\",\"value\":300}]} | 301,302",
        "{\"limit\":2,\"gte\":[{\"field\":\"sequence\",\"value\":\"0x1f6\"}]} | 502",
        "{\"limit\":2,\"gt\":[{\"field\":\"sequence\",\"value\":9223372036854775807}]} | ''",
        "{\"limit\":1,\"gte\":[{\"field\":\"sequence\",\"value\":-9223372036854775808}]} | 502",
        "{\"limit\":2,\"eq\":[{\"field\":\"sequence\",\"value\":17}]} | 17",
        "{\"limit\":2,\"eq\":[{\"field\":\"success\",\"value\":false}]} | 2",
        "{\"limit\":2,\"lt\":[{\"field\":\"sequence\",\"value\":3}],\"sort\":[\"success\",\"sequence\"]} | 2,1",
        "{\"limit\":2,\"like\":[{\"field\":\"failureMessage\",\"value\":\"%amount%\"}]} | 2",
        "{\"limit\":2,\"lt\":[{\"field\":\"blockNumber\",\"value\":7}]} | ''",
        "{\"limit\":1,\"null\":[{\"field\":\"transactionHash\"}]} | 2"
      })
  void receiptsAreFoundByEachComparison(String query, String sequences) {
    var found = rpc.result("ptx_queryTransactionReceipts", "[" + query + "]");
    assertThat(
            String.join(
                ",",
                StreamSupport.stream(found.spliterator(), false)
                    .map(receipt -> receipt.get("sequence").asText())
                    .toList()))
        .isEqualTo(sequences);
  }

  @Test
  void pendingTransactionsAreThoseWithoutAReceipt() {
    var found = rpc.result("ptx_queryPendingTransactions", "[{\"limit\":2},true]");
    assertThat(numbers(found)).isEqualTo("1099,1098");
    assertThat(found.get(0).get("receipt").isNull()).isTrue();
    var old =
        rpc.result(
            "ptx_queryPendingTransactions",
            "[{\"eq\":[{\"field\":\"id\",\"value\":\"" + Sample.CONFIRMED + "\"}],\"limit\":2}]");
    assertThat(old).isEmpty();
    var elsewhere =
        rpc.result(
            "ptx_queryPendingTransactions",
            "[{\"eq\":[{\"field\":\"to\",\"value\":\"nowhere\"}],\"limit\":2}]");
    assertThat(elsewhere).isEmpty();
  }

  @Test
  void groupsAreSortedAsAsked() {
    var found = rpc.result("pgroup_queryGroups", "[{\"limit\":5,\"sort\":[\"name DESC\"]}]");
    assertThat(found.get(0).get("name").textValue()).isEqualTo("traders");
    var newest = rpc.result("pgroup_queryGroups", "[{\"limit\":5}]");
    assertThat(newest.get(0).get("name").textValue()).isEqualTo("ledgerless");
    var unconfirmed =
        rpc.result(
            "pgroup_queryGroups", "[{\"null\":[{\"field\":\"contractAddress\"}],\"limit\":5}]");
    assertThat(unconfirmed).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | params[0].limit is missing: send a whole number from 1 on.",
        "{\"limit\":0} | params[0].limit is 0",
        "{\"limit\":101} | params[0].limit is 101",
        "{\"limit\":\"5\"} | params[0].limit must be",
        "{\"limit\":1,\"equals\":[]} | Use eq, neq",
        "{\"limit\":1,\"lt\":[{\"field\":\"id\",\"value\":\"a\",\"caseInsensitive\":true}]} | of eq, neq and like only, not of lt",
        "{\"limit\":1,\"eq\":[{\"field\":\"created\",\"value\":1,\"caseInsensitive\":true}]} | 'created' is no text",
        "{\"limit\":1,\"nin\":[{\"field\":\"id\"}]} | nin needs at least one",
        "{\"limit\":1,\"eq\":[{\"field\":\"colour\",\"value\":1}]} | Use one of id, created",
        "{\"limit\":1,\"eq\":[{\"value\":1}]} | params[0].eq[0].field is missing",
        "{\"limit\":1,\"eq\":[{\"field\":\"id\"}]} | params[0].eq[0].value is missing",
        "{\"limit\":1,\"eq\":[{\"field\":\"id\",\"value\":1}]} | params[0].eq[0].value must be a string",
        "{\"limit\":1,\"eq\":[{\"field\":\"created\",\"value\":\"noon\"}]} | RFC 3339",
        "{\"limit\":1,\"like\":[{\"field\":\"created\",\"value\":\"2%\"}]} | is no text",
        "{\"limit\":1,\"in\":[{\"field\":\"id\",\"values\":[]}]} | params[0].in[0].values",
        "{\"limit\":1,\"eq\":{}} | params[0].eq must be an array",
        "{\"limit\":1,\"eq\":[5]} | params[0].eq[0] must be an object",
        "{\"limit\":1,\"or\":[{\"eq\":[{\"field\":\"x\",\"value\":1}]}]} | params[0].or[0].eq[0].field",
        "{\"limit\":1,\"sort\":[\"colour\"]} | Use one of id",
        "{\"limit\":1,\"sort\":[\"created SIDEWAYS\"]} | created DESC",
        "{\"limit\":1,\"sort\":\"created\"} | params[0].sort must be an array",
        "{\"limit\":1,\"null\":[{\"field\":\"id\",\"not\":5}]} | params[0].null[0].not"
      })
  void aQueryThatCannotBeReadIsToldWhy(String query, String text) {
    assertThat(rpc.error("ptx_queryTransactions", "[" + query + "]").get("message").textValue())
        .matches("SQ010(301|107): .*")
        .contains(text);
  }

  @Test
  void aQueryOfHundredsOfComparisonsIsRefused() {
    var one = "{\"field\":\"id\",\"value\":\"x\"}";
    var many = String.join(",", IntStream.range(0, 60).mapToObj(i -> one).toList());
    var query = "{\"limit\":1,\"neq\":[" + many + "],\"or\":[{\"neq\":[" + many + "]}]}";
    assertThat(rpc.error("ptx_queryTransactions", "[" + query + "]").get("message").textValue())
        .startsWith("SQ010301: ");
  }

  /** Transactions by the number that their id ends in. */
  private static String numbers(JsonNode found) {
    return String.join(
        ",",
        StreamSupport.stream(found.spliterator(), false)
            .map(transaction -> transaction.get("id").textValue().substring(24))
            .map(digits -> Long.toString(Long.parseLong(digits)))
            .toList());
  }
}
