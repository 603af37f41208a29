package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.transaction.SubmitMode;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A node that has accepted a transaction while its clock was a year ahead. */
class ClockThatWasAheadTest {
  private static final Instant NOW = Instant.now().truncatedTo(ChronoUnit.SECONDS);

  /** Lower ones have the examples. */
  private static final int FIRST = 5_000;

  private final RunningRpc rpc = RunningRpc.withDefaults();

  @AfterEach
  void stop() {
    rpc.close();
  }

  @Test
  void whatComesLaterIsDatedByTheClockAgainAndIsFound() {
    accept(1, NOW.minusSeconds(60));
    accept(2, NOW.plus(Duration.ofDays(365)));
    accept(3, NOW.minusSeconds(50));
    assertThat(remarks()).anyMatch(remark -> remark.contains("is dated 3153"));

    rpc.node.store().pass(Duration.ofMinutes(10));
    accept(4, NOW.minusSeconds(40));

    assertThat(remarks()).noneMatch(remark -> remark.contains("is dated"));
    assertThat(openUntil(NOW)).containsExactly(id(1), id(4));
  }

  private void accept(int number, Instant clock) {
    var sent = Sample.intent(Sample.id(FIRST + number), "key-" + number, SubmitMode.AUTO);
    rpc.node
        .store()
        .accept(
            List.of(
                new Intent(0, clock, sent.idempotencyKey(), sent.bodyHash(), sent.transaction())));
  }

  private static String id(int number) {
    return Sample.id(FIRST + number).toString();
  }

  private List<String> openUntil(Instant time) {
    var query =
        "[{\"limit\":9,\"sort\":[\"created\"],\"gt\":[{\"field\":\"created\",\"value\":\"%s\"}],\"lt\":[{\"field\":\"created\",\"value\":\"%s\"}]}]";
    return texts(
        rpc.call("ptx_queryPendingTransactions", query.formatted(time.minusSeconds(300), time))
            .get("result"),
        "id");
  }

  private List<String> remarks() {
    var texts = new ArrayList<String>();
    var health = rpc.send(HttpRequest.newBuilder(rpc.uri("/health"))).body();
    RunningRpc.parse(health).get("remarks").forEach(remark -> texts.add(remark.textValue()));
    return texts;
  }

  private static List<String> texts(JsonNode rows, String field) {
    var texts = new ArrayList<String>();
    rows.forEach(row -> texts.add(row.get(field).textValue()));
    return texts;
  }
}
