package dev.sequitur.multijvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.node.network.Group;
import dev.sequitur.node.network.Jvm;
import dev.sequitur.node.network.LedgerOracle;
import dev.sequitur.node.network.Network;
import dev.sequitur.node.network.NetworkPlan;
import dev.sequitur.node.network.Parties;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The JVM of schedule queues dies while hundreds of their executions are due, among them private
 * transactions. The queues wake in the node's other JVM, and everything runs once. What they were
 * told before they still know there, also what is no longer in memory.
 */
@Timeout(1_500)
@Tag("slow")
@Tag("alone")
class QueueFailsIT {
  private static final int NODE = 1;

  /** So many that each JVM has some of them. */
  private static final int QUEUES = 12;

  private static final int EACH = 60;
  private static final int HUNDREDS = 200;

  /** Every so many runs a private transaction, the others transfer money. */
  private static final int PRIVATE_EVERY = 10;

  private static final int PRIVATE = QUEUES * EACH / PRIVATE_EVERY;

  /** In memory, of each queue; what was sent before is in the database only. */
  private static final int REMEMBERED = 10;

  /**
   * Everything is inserted before it is due: 720 calls, each of which the database stores. They
   * take ten times as long as the 24 before them, which come one after another; three times as long
   * they may take.
   */
  private static final int LEAD_FACTOR = 30;

  private static final Duration LEAST_LEAD = Duration.ofSeconds(15);

  /** A block takes so few that what is due at once is under way for seconds. */
  private static final String SETTINGS =
      NetworkPlan.ONE_RANGE
          + "scheduler.gas-priority { ready-limit = 1, expiry-ticks = 1000000 }\n"
          + "scheduler.remembered-commands = "
          + REMEMBERED
          + "\n";

  @TempDir Path directory;
  private Network network;
  private Group group;

  @BeforeEach
  void start() {
    network = Network.start(directory, NetworkPlan.of(SETTINGS, 2, 1));
    group = Group.create(network, 2);
  }

  @AfterEach
  void stop() {
    if (network != null) {
      network.close();
    }
  }

  /** Of a queue, in order of their insertion. */
  private record Schedules(String queue, List<String> ids) {}

  @Test
  void whatIsDueWhenItsJvmDiesRunsOnceInTheOther() throws SQLException {
    var began = Instant.now();
    queues().forEach(this::fund);
    var lead = Duration.between(began, Instant.now()).multipliedBy(LEAD_FACTOR);
    var due =
        Instant.now()
            .plus(lead.compareTo(LEAST_LEAD) < 0 ? LEAST_LEAD : lead)
            .truncatedTo(ChronoUnit.MILLIS);
    var schedules = queues().parallel().map(queue -> insertAll(queue, due)).toList();
    await().atMost(Parties.PATIENCE).until(() -> queues().anyMatch(queue -> paid(queue) > 0));
    var first = network.jvm(NODE, 1);
    var second = network.jvm(NODE, 2);
    var holder = open(first) > open(second) ? first : second;
    assertThat(open(holder)).as("schedules in the JVM that dies").isGreaterThan(HUNDREDS);
    holder.kill();

    schedules.forEach(this::awaitOneOutcomeEach);
    schedules.forEach(this::assertMoney);
    schedules.forEach(each -> assertRepeatsAreKnown(each, due));
    schedules.forEach(this::assertMoney);
    var oracle = LedgerOracle.read(network.ledger());
    assertThat(oracle.audit().holds()).as(oracle.audit().toString()).isTrue();
    assertThat(oracle.fulfilled()).as("private transactions on the ledger").hasSize(PRIVATE);
    assertThat(oracle.fulfilled().values()).allMatch(times -> times == 1);
    awaitCount();
    var database = network.postgres();
    Writers.read(database.url(), database.user(), database.password(), "node" + NODE)
        .assertOneAfterAnother("schedule-queue");
  }

  private static Stream<String> queues() {
    return IntStream.range(0, QUEUES).mapToObj(i -> "queue" + i);
  }

  private void fund(String queue) {
    call("schedule_fund", "[{'queue':'%s','account':'alice','amount':'1000000'}]", queue);
    call("schedule_fund", "[{'queue':'%s','account':'shop','amount':'1'}]", queue);
  }

  private JsonNode call(String method, String params, Object... values) {
    return network.result(NODE, method, params.formatted(values));
  }

  private Schedules insertAll(String queue, Instant due) {
    return new Schedules(
        queue, IntStream.range(0, EACH).mapToObj(i -> insert(queue, i, due)).toList());
  }

  private String insert(String queue, int number, Instant due) {
    var target =
        number % PRIVATE_EVERY == 0
            ? ("{'type':'private','domain':'record','from':'%s','to':'%s','function':'increment',"
                    + "'data':{'key':'visits','by':1}}")
                .formatted(Group.member(NODE), group.contract())
            : "{'type':'transfer','to':'shop','amount':'1'}";
    return call(
            "gasPriority_insert",
            "[{'queue':'%s','idempotencyKey':'insert-%d','senderAddr':'alice','scheduledTimeMs':'%s',"
                + "'maxGasAmount':'%d','maxGasUnitPrice':'3','target':%s}]",
            queue,
            number,
            due,
            200 + number,
            target)
        .get("id")
        .asText();
  }

  /** How often the shop of a queue was paid. */
  private int paid(String queue) {
    return call("schedule_getBalance", "['shop','%s']", queue).asInt() - 1;
  }

  /** Schedules of the queues that a JVM has in memory. */
  private static double open(Jvm jvm) {
    return Stream.of(jvm.caller().get("/metrics").split("\n"))
        .filter(line -> line.startsWith("sequitur_schedule_open"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  private JsonNode history(Schedules schedules, String id) {
    return call("schedule_explain", "['%s','%s']", id, schedules.queue()).get("history");
  }

  private void awaitOneOutcomeEach(Schedules schedules) {
    for (var id : schedules.ids()) {
      var history =
          await()
              .alias(id + " of " + schedules.queue() + " has an outcome")
              .atMost(Parties.PATIENCE)
              .pollDelay(Duration.ZERO)
              .until(() -> history(schedules, id), found -> !found.isEmpty());
      assertThat(history).as(id).hasSize(1);
      assertThat(history.get(0).get("outcome").asText()).as(history.toString()).isEqualTo("run");
    }
  }

  /** What was sent to the JVM that died is answered as it was, though its time has passed. */
  private void assertRepeatsAreKnown(Schedules schedules, Instant due) {
    for (int number = 0; number < EACH; number += REMEMBERED / 2) {
      assertThat(insert(schedules.queue(), number, due))
          .as("the repeat of insert-%d to %s", number, schedules.queue())
          .isEqualTo(schedules.ids().get(number));
    }
  }

  /** The audit holds, and the shop was paid by each transfer once. */
  private void assertMoney(Schedules schedules) {
    var audit = call("schedule_audit", "['%s']", schedules.queue());
    assertThat(audit.get("conserved").asBoolean()).as(audit.toString()).isTrue();
    assertThat(audit.get("held").asText()).as(audit.toString()).isEqualTo("0");
    assertThat(paid(schedules.queue()))
        .as("payments to the shop of %s", schedules.queue())
        .isEqualTo(EACH - EACH / PRIVATE_EVERY);
  }

  private void awaitCount() {
    for (int node = 1; node <= network.nodes(); node++) {
      int at = node;
      await()
          .alias("node" + node + " counts " + PRIVATE)
          .atMost(Parties.PATIENCE)
          .until(() -> group.visits(network, at) == PRIVATE);
    }
  }
}
