package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A queue of three partitions is called as any other, and says where it cannot be (SCH-28). */
class SpreadQueueCallsTest {
  private static final List<String> OWNERS = List.of("ann", "ben", "cid", "dan", "eve", "fay");

  private final RunningRpc rpc = RunningRpc.withDefaults();
  private final ScheduleCalls calls = new ScheduleCalls(rpc);

  @AfterEach
  void stop() {
    calls.close();
  }

  private static String json(String text, Object... values) {
    return text.formatted(values).replace('\'', '"');
  }

  private JsonNode scheduled(String owner) {
    calls.result(
        "schedule_fund", json("{'account': '%s', 'amount': '100', 'queue': 'orders'}", owner));
    return calls
        .result(
            "gasPriority_insert",
            json(
                "{'senderAddr': '%s', 'scheduledTimeMs': '2026-11-21T10:20:00Z', 'maxGasAmount': '10',"
                    + " 'maxGasUnitPrice': '1', 'target': {'type': 'notify', 'message': 'hi'},"
                    + " 'queue': 'orders'}",
                owner))
        .get("id");
  }

  private JsonNode result(String method, String params) {
    return rpc.result(method, json(params));
  }

  private String error(String method, String params) {
    return rpc.error(method, json(params)).get("message").asText();
  }

  @Test
  void itIsOneQueueToItsCallers() {
    var ids = new ArrayList<String>();
    OWNERS.forEach(owner -> ids.add(scheduled(owner).asText()));

    var first = result("schedule_list", "[{'queue': 'orders', 'limit': 4}]");
    var rest =
        rpc.result(
            "schedule_list",
            json("[{'queue': 'orders', 'after': '%s'}]", first.get("next").asText()));
    var listed = new ArrayList<String>();
    first.get("schedules").forEach(each -> listed.add(each.get("id").asText()));
    rest.get("schedules").forEach(each -> listed.add(each.get("id").asText()));
    assertThat(listed).isEqualTo(ids.stream().sorted().toList());
    assertThat(rest.get("next").isNull()).isTrue();

    assertThat(result("schedule_getBalance", "['ben', 'orders']").asText()).isEqualTo("90");
    assertThat(
            rpc.result("schedule_get", json("['%s', 'orders']", ids.get(2))).get("owner").asText())
        .isEqualTo("cid");
    assertThat(result("schedule_overview", "['orders']").get("schedules").asInt()).isEqualTo(6);
    var partitions = result("schedule_overview", "['orders']").get("partitions");
    assertThat(partitions).hasSize(3);
    int together = 0;
    for (var each : partitions) {
      together += each.get("schedules").asInt();
      var alone = result("schedule_overview", "['orders/" + each.get("index").asInt() + "']");
      assertThat(alone.get("schedules")).isEqualTo(each.get("schedules"));
      assertThat(alone.get("firstDue")).isEqualTo(each.get("firstDue"));
      assertThat(alone.get("partitions")).isEmpty();
    }
    assertThat(together).isEqualTo(6);
    assertThat(result("schedule_audit", "['orders']").get("conserved").asBoolean()).isTrue();
    var cancel = json("{'id': '%s', 'as': 'ann', 'queue': 'orders'}", ids.get(0));
    calls.result("schedule_cancel", cancel);
    assertThat(
            result("schedule_getOutcomes", "[{'queue': 'orders', 'owner': 'ann'}]").get("outcomes"))
        .hasSize(1);
  }

  @Test
  void aStatementHasWhatWasPaidFromAnotherPartition() {
    calls.result("schedule_fund", json("{'account': 'ann', 'amount': '100', 'queue': 'orders'}"));
    var payees = List.of("ann2", "ben", "cid", "dan", "eve");
    for (var to : payees) {
      calls.result(
          "gasPriority_insert",
          json(
              "{'senderAddr': 'ann', 'scheduledTimeMs': '2026-11-21T10:05:00Z', 'maxGasAmount': '10', 'maxGasUnitPrice': '1', 'target': {'type': 'transfer', 'to': '%s', 'amount': '5'}, 'queue': 'orders'}",
              to));
    }
    rpc.scheduler.pass(Duration.ofMinutes(6));
    rpc.scheduler.pass(Duration.ofSeconds(1));
    rpc.scheduler.pass(Duration.ofSeconds(1));

    int elsewhere = 0;
    for (var to : payees) {
      var request = "{'account': '%s', 'queue': 'orders'}";
      var stated = calls.result("schedule_getStatement", json(request, to));
      assertThat(stated.get("lines")).as(to).hasSize(1);
      var line = stated.get("lines").get(0);
      assertThat(line.get("kind").asText()).isEqualTo("received");
      assertThat(line.get("with").asText()).isEqualTo("ann");
      elsewhere += line.has("partition") ? 1 : 0;

      assertThat(stated.get("nextOthers")).hasSize(2);
      var rest =
          calls.result(
              "schedule_getStatement",
              json(
                  "{'account': '%s', 'queue': 'orders', 'from': %s, 'fromOthers': %s}",
                  to, stated.get("next"), stated.get("nextOthers")));
      assertThat(rest.get("lines")).isEmpty();
    }
    assertThat(elsewhere).isPositive().isLessThan(payees.size());
    assertThat(
            error(
                "schedule_getStatement",
                "[{'account': 'ben', 'queue': 'orders', 'fromOthers': [1]}]"))
        .contains("which has 2");
  }

  @Test
  void itsCalendarIsOneAndItsSeriesAreFilledWhereTheyAre() {
    var ids = new ArrayList<JsonNode>();
    for (var owner : List.of("ann", "ben", "cid")) {
      calls.result(
          "schedule_fund", json("{'account': '%s', 'amount': '100', 'queue': 'orders'}", owner));
      var asked =
          "{'owner': '%s', 'providedId': 'walk', 'first': '2026-11-21T11:00:00Z',"
              + " 'frequency': 'PT1H', 'message': 'hi', 'queue': 'orders', 'dryRun': %s}";
      var tried = calls.result("recurring_scheduleNotifyTask", json(asked, owner, true));
      assertThat(tried.get("times").get(0).asText()).isEqualTo("2026-11-21T11:00:00Z");
      ids.add(
          calls.result("recurring_scheduleNotifyTask", json(asked, owner, false)).get("taskId"));
    }

    var until = "'until': '2026-11-21T13:30:00Z'";
    var first =
        result(
            "schedule_calendar",
            "[{'queue': 'orders', 'from': '2026-11-21T10:00:00Z', 'limit': 4, " + until + "}]");
    assertThat(first.get("times")).hasSize(3);
    var rest =
        rpc.result(
            "schedule_calendar",
            json("[{'queue': 'orders', 'from': '%s', " + until + "}]", first.get("next").asText()));
    var times = new ArrayList<String>();
    first.get("times").forEach(each -> times.add(each.get("at").asText()));
    rest.get("times").forEach(each -> times.add(each.get("at").asText()));
    assertThat(times)
        .isSorted()
        .hasSize(9)
        .containsOnly("2026-11-21T11:00:00Z", "2026-11-21T12:00:00Z", "2026-11-21T13:00:00Z");

    rpc.scheduler.pass(Duration.ofMinutes(150));
    var fill =
        "{'id': %s, 'as': '%s', 'from': '2026-11-21T11:00:00Z', 'until': '2026-11-21T11:00:00Z',"
            + " 'queue': 'orders'}";
    assertThat(calls.result("schedule_backFill", json(fill, ids.get(1), "ben")).get("runs"))
        .hasSize(1);
    assertThat(calls.error("schedule_backFill", json(fill, ids.get(1), "ann"))).contains("No such");
  }

  @Test
  void whereAPartitionIsIsAskedOfTheEntityThatItIs() {
    result("schedule_where", "['orders/0']");
    assertThat(rpc.node.lastSought).isEqualTo("orders");
    result("schedule_where", "['orders/2']");
    assertThat(rpc.node.lastSought).isEqualTo("orders/2");
  }

  @Test
  void whatItCannotDoAsAWholeIsRefusedInWordsAndDoneByAPartition() {
    scheduled("ann");

    assertThat(error("schedule_getOutcomes", "[{'queue': 'orders'}]"))
        .contains("The queue orders has 3 partitions")
        .contains("name one, orders/0 to orders/2.");
    assertThat(error("events_read", "[{'queue': 'orders'}]")).contains("name one, orders/0 to");
    assertThat(error("events_createListener", "[{'name': 'books', 'queue': 'orders'}]"))
        .contains("has an order in each of its 3 partitions, and none over all");
    assertThat(error("plans_executionsByRequestorCount", "['ann', 'orders']"))
        .contains("A queue of several partitions serves no plan-execution schedules");
    assertThat(error("recurring_freeSlots", "[{'queue': 'orders'}]"))
        .contains("name one, orders/0");
    result("events_createListener", "[{'name': 'books', 'queue': 'orders/1'}]");
    assertThat(result("events_read", "[{'queue': 'orders/1'}]").get("events")).isEmpty();
    assertThat(error("schedule_overview", "['orders/3']")).contains("There is no orders/3");
    assertThat(error("schedule_overview", "['default/1']")).contains("has no partitions");
    assertThat(error("schedule_pause", "[{'family': 'multi-signature', 'queue': 'orders'}]"))
        .contains("A queue of several partitions serves no multi-signature schedules");
  }
}
