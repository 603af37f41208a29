package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.transaction.SubmitMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** More transactions are open than a query may look at: 100 private ones, and 100 public ones. */
class OpenTransactionsTest {
  private static final int MOST = 50;
  private static final int FIRST = 1_000;

  /** The clock was an hour behind as this one was accepted. */
  private static final int SET_BACK = 180;

  private static final RpcSettings.Limits LIMITS =
      new RpcSettings.Limits(1 << 20, 10, 10, 100, MOST, 64, 64, 2, 10, 1 << 24);

  private static RunningRpc rpc;

  @BeforeAll
  static void start() {
    rpc = new RunningRpc(RpcSettings.loopback(0).withLimits(LIMITS));
    var store = rpc.node.store();
    for (int i = 0; i < 200; i++) {
      var id = Sample.id(FIRST + i);
      var sent =
          i % 2 == 0
              ? Sample.intent(id, "open-" + i, SubmitMode.AUTO)
              : Sample.publicly(id, Optional.empty());
      var accepted = Sample.NOW.plus(Duration.ofHours(i < 4 || i == SET_BACK ? 1 : 2));
      store.accept(
          List.of(
              new Intent(0, accepted, sent.idempotencyKey(), sent.bodyHash(), sent.transaction())));
    }
  }

  @AfterAll
  static void stop() {
    rpc.close();
  }

  private static JsonNode open(String query) {
    return rpc.call("ptx_queryPendingTransactions", "[{" + query + "}]");
  }

  private static List<String> ids(JsonNode answer) {
    var ids = new ArrayList<String>();
    answer.get("result").forEach(row -> ids.add(row.get("id").textValue()));
    return ids;
  }

  private static List<String> numbered(int... numbers) {
    return IntStream.of(numbers).mapToObj(i -> Sample.id(FIRST + i).toString()).toList();
  }

  @Test
  void aPageOfThemReadsNoMoreThanItHas() {
    assertThat(ids(open("\"limit\":3"))).isEqualTo(numbered(199, 198, 197));
    assertThat(ids(open("\"limit\":2,\"after\":\"" + Sample.id(FIRST + 120) + "\"")))
        .isEqualTo(numbered(119, 118));
    assertThat(
            ids(
                open(
                    "\"limit\":2,\"eq\":[{\"field\":\"id\",\"value\":\""
                        + Sample.id(FIRST + 7)
                        + "\"}]")))
        .isEqualTo(numbered(7));
  }

  @Test
  void theOldestAreFoundTooAndThoseOfBeforeATimeAlone() {
    var oldest = ids(open("\"limit\":20,\"sort\":[\"created\"]"));
    assertThat(oldest).hasSize(20).containsSubsequence(numbered(0, 1, 2, 3, 4));
    var old =
        "\"limit\":100,\"sort\":[\"created\"],\"lt\":[{\"field\":\"created\",\"value\":\"%s\"}]";
    assertThat(ids(open(old.formatted(Sample.NOW.plus(Duration.ofMinutes(90))))))
        .isEqualTo(oldest.subList(0, oldest.indexOf(numbered(4).getFirst())));
    var young = "\"limit\":100,\"gt\":[{\"field\":\"created\",\"value\":\"%s\"}]";
    assertThat(ids(open(young.formatted(Sample.NOW.plus(Duration.ofHours(3)))))).isEmpty();
    assertThat(
            ids(
                open(
                    young.replace("100", "40").formatted(Sample.NOW.plus(Duration.ofMinutes(90))))))
        .as("also behind what came while the clock was set back")
        .hasSize(40);
  }

  @Test
  void thoseThatAreSentToOneContractAreFoundPrivateOrPublic() {
    var to = "\"limit\":2,\"eq\":[{\"field\":\"to\",\"value\":\"" + Sample.CONTRACT + "\"}]";
    assertThat(ids(open(to))).isEqualTo(numbered(198, 196));
    assertThat(ids(open(to.replace("11".repeat(20), "33".repeat(20)))))
        .isEqualTo(numbered(199, 197));
  }

  @Test
  void whatTakesALookAtTooManyIsToldSoWithWhatToDo() {
    assertThat(open("\"limit\":2,\"sort\":[\"function\"]").at("/error/message").textValue())
        .startsWith("SQ010302: ");
  }

  @Test
  void pagesReachThemAll() {
    var seen = new ArrayList<String>();
    Optional<String> after = Optional.empty();
    do {
      var page =
          ids(open("\"limit\":40" + after.map(id -> ",\"after\":\"" + id + "\"").orElse("")));
      seen.addAll(page);
      after = page.isEmpty() ? Optional.empty() : Optional.of(page.getLast());
    } while (after.isPresent());
    assertThat(seen)
        .doesNotHaveDuplicates()
        .containsAll(
            IntStream.range(FIRST, FIRST + 200)
                .mapToObj(Sample::id)
                .map(TransactionId::toString)
                .toList());
  }

  @Test
  void ofTooManyThatWaitForOneTheOldestAreTold() {
    try (var own = new RunningRpc(RpcSettings.loopback(0).withLimits(LIMITS))) {
      var first = Sample.intent(Sample.id(1), "first", SubmitMode.AUTO);
      own.node.store().accept(List.of(first));
      for (int i = 0; i <= LIMITS.queryResults(); i++) {
        var sent = Sample.intent(Sample.id(FIRST + i), "waits-" + i, SubmitMode.AUTO);
        var waiting =
            sent.privately().orElseThrow().withDependsOn(List.of(first.transaction().id()));
        own.node
            .store()
            .accept(List.of(new Intent(0, Sample.NOW, Optional.empty(), sent.bodyHash(), waiting)));
      }

      var found =
          own.call("ptx_getTransactionDependencies", "[\"" + Sample.id(1) + "\"]").get("result");

      var ids = new ArrayList<String>();
      found.get("prereqOf").forEach(id -> ids.add(id.textValue()));
      assertThat(ids).isEqualTo(numbered(IntStream.range(0, LIMITS.queryResults()).toArray()));
    }
  }

  @Test
  void publicOnesArePagedToo() {
    var found = rpc.call("ptx_queryPendingPublicTransactions", "[{\"limit\":3}]");
    assertThat(found.at("/error").isMissingNode()).as(found.toString()).isTrue();
    assertThat(found.get("result")).hasSize(3);
    assertThat(
            rpc.call("ptx_queryPendingPublicTransactions", "[{\"limit\":3,\"sort\":[\"created\"]}]")
                .get("result"))
        .hasSize(3);
  }
}
