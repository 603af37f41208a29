package dev.sequitur.laboratory.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.abort;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.client.NodeCalls;
import dev.sequitur.console.StopSignal;
import dev.sequitur.fixture.FreePorts;
import dev.sequitur.laboratory.Main;
import dev.sequitur.laboratory.demo.DemoDirectory;
import dev.sequitur.laboratory.demo.GroupPlan;
import dev.sequitur.laboratory.demo.Intents;
import dev.sequitur.laboratory.demo.NodeOperations.All;
import dev.sequitur.laboratory.demo.Workload;
import dev.sequitur.laboratory.local.ClusterPlan;
import dev.sequitur.laboratory.local.ClusterPlan.Jvm;
import dev.sequitur.node.process.SequiturProcess;
import dev.sequitur.node.process.StartFailure.LeftOut;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The release before starts a network by its own command, with its own configurations, and takes
 * transactions and schedules. Then each of its processes is stopped in order and this release goes
 * on in its place, on its data, while transactions go on being sent. {@code .ci/upgrade} builds the
 * release before and names its jars.
 */
@Tag("slow")
@EnabledIfSystemProperty(named = UpgradeIT.BEFORE, matches = ".+")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class UpgradeIT {
  static final String BEFORE = "build.upgrade.from";

  /** Says that the one before was never released, so that its data may be refused. */
  private static final String UNRELEASED = "build.upgrade.unreleased";

  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final int NODES = 2;
  private static final int GROUPS = 4;
  private static final int RATE = 10;
  private static final int DURING_A_CHANGE = 150;

  /** One a second, so that some are due in each change. */
  private static final int SCHEDULES_FOR_A_CHANGE = 18;

  private static final long COINS = 8_000_000;
  private static final JsonMapper JSON = new JsonMapper();

  private final DemoDirectory directory = DemoDirectory.open(Optional.empty()).enterable();
  private final Map<Long, SequiturProcess> started = new LinkedHashMap<>();
  private RemoteLoad.Sent sent = new RemoteLoad.Sent(0, Set.of(), List.of());
  private final List<GroupPlan> groups = GroupPlan.of(NODES, GROUPS);
  private Optional<SequiturProcess> before = Optional.empty();
  private ClusterPlan plan;
  private Map<NodeName, NodeCalls> nodes;
  private Map<GroupPlan, ContractAddress> contracts;
  private int runs;

  @ParameterizedTest(name = "with {0} JVMs for each node")
  @ValueSource(ints = {1, 2})
  void thisReleaseGoesOnWhereTheOneBeforeWasStopped(int jvmsPerNode) {
    var processes = startTheReleaseBefore(jvmsPerNode);
    nodes = calls();
    contracts = new SoakGroups(nodes, new StopSignal()).create(groups);
    var mints = Workload.funding(groups);
    drive(new All(mints.size(), mints::get), 0, () -> {});
    var balances = balances();
    var schedules = scheduleTransactions();
    var later = scheduleForTomorrow();

    underLoad(() -> goOn(processes.get("ledger"), "The ledger is up", "ledger"));
    for (var jvm : plan.jvms()) {
      underLoad(() -> goOn(processes.get(jvm.fileName()), " is up;", jvm.fileName()));
    }

    assertThat(balances.values()).allMatch(sum -> sum == COINS * NODES);
    assertThat(balances()).isEqualTo(balances);
    assertThat(receipts()).hasSameSizeAs(sent.outcomes());
    assertThat(ask("schedule_get", later).path("state").asText()).isEqualTo("waiting");
    var scheduled = eachHasRunOnce(schedules);
    assertThat(ask("schedule_audit").path("conserved").asBoolean()).isTrue();
    standOnTheLedgerOnce(scheduled);
  }

  private Map<String, ProcessHandle> startTheReleaseBefore(int jvmsPerNode) {
    int port = FreePorts.inARow(20);
    plan =
        new ClusterPlan(
            NODES,
            jvmsPerNode,
            directory.path(),
            port,
            Duration.ofSeconds(1),
            Optional.empty(),
            Map.of(),
            PATIENCE);
    var cluster =
        SequiturProcess.start(
            directory.path(),
            Main.class.getName(),
            System.getProperty(BEFORE),
            List.of(),
            ("cluster --nodes %d --jvms-per-node %d --port %d --start-timeout 4m --data %s")
                .formatted(NODES, jvmsPerNode, port, directory.path())
                .split(" "));
    before = Optional.of(cluster);
    cluster.awaitLine("Ctrl-C stops everything");
    var processes = new HashMap<String, ProcessHandle>();
    for (var jvm : plan.jvms()) {
      var line = "%s +JVM %d .*process (\\d+)".formatted(jvm.nodeName(), jvm.number());
      processes.put(jvm.fileName(), handle(Long.parseLong(cluster.awaitLine(line).group(1))));
    }
    handle(cluster.pid())
        .children()
        .filter(child -> child.info().command().orElse("").endsWith("java"))
        .filter(child -> !processes.containsValue(child))
        .forEach(child -> processes.put("ledger", child));
    assertThat(processes).hasSize(1 + plan.jvms().size());
    return processes;
  }

  private static ProcessHandle handle(long pid) {
    return ProcessHandle.of(pid).orElseThrow();
  }

  /** On the same data and by the same configuration. */
  private void goOn(ProcessHandle former, String up, String name) {
    former.destroy();
    await(name).atMost(PATIENCE).until(() -> !former.isAlive());
    var file = directory.path().resolve(name + ".conf").toString();
    var command = name.equals("ledger") ? "ledger" : "start";
    SequiturProcess process;
    do {
      process =
          SequiturProcess.start(directory.path(), Main.class, List.of(), command, "--config", file);
      started.put(process.pid(), process);
    } while (!serves(process, up));
  }

  /** False if the others have left it out, as happens on a machine under load. */
  private static boolean serves(SequiturProcess process, String up) {
    try {
      process.awaitLine(up);
      return true;
    } catch (AssertionError e) {
      if (Boolean.getBoolean(UNRELEASED) && process.output().contains(" has disk format ")) {
        abort("Its formats were never released, and are refused: " + process.output());
      }
      if (!process.isAlive() && process.awaitExit() == LeftOut.EXIT_CODE) {
        return false;
      }
      throw e;
    }
  }

  private void underLoad(Runnable change) {
    runs++;
    var load = new Workload(groups, runs, 1, DURING_A_CHANGE);
    drive(new All(DURING_A_CHANGE, load::operation), RATE, change);
  }

  /** Returns when each has its receipt. */
  private void drive(All operations, int rate, Runnable meanwhile) {
    try (var load = new RemoteLoad(calls(), operations, new Intents(contracts), rate)) {
      var steps = new Thread(() -> stepUntilDone(load), "load");
      steps.start();
      try {
        meanwhile.run();
        await("receipts").atMost(PATIENCE).until(() -> !steps.isAlive());
      } finally {
        steps.interrupt();
      }
      sent = sent.plus(load.sent());
    }
  }

  private static void stepUntilDone(RemoteLoad load) {
    while (!load.isDone() && !Thread.currentThread().isInterrupted()) {
      load.step();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
    }
  }

  /** One for each second from now on, each a private transaction. */
  private List<String> scheduleTransactions() {
    ask("schedule_fund", object().put("account", "alice").put("amount", "1000000"));
    var from = Instant.now().plusSeconds(3);
    return IntStream.range(0, SCHEDULES_FOR_A_CHANGE * (1 + plan.jvms().size()))
        .mapToObj(number -> schedule(from.plusSeconds(number), "scheduled-" + number))
        .toList();
  }

  private String scheduleForTomorrow() {
    return schedule(Instant.now().plus(Duration.ofDays(1)), "later");
  }

  private String schedule(Instant at, String key) {
    var group = groups.get(1);
    var transaction =
        object()
            .put("senderAddr", "alice")
            .put("scheduledTimeMs", Instant.ofEpochMilli(at.toEpochMilli()).toString())
            .put("maxGasAmount", "100")
            .put("maxGasUnitPrice", "3")
            .put("idempotencyKey", key);
    var target = transaction.putObject("target");
    target
        .put("type", "private")
        .put("domain", group.domain())
        .put("from", group.members().get(0).toString())
        .put("to", contracts.get(group).toString())
        .put("function", "set");
    target.putObject("data").put("key", key).put("value", "done");
    return ask("gasPriority_insert", transaction).path("id").asText();
  }

  /**
   * Waits until each has its outcome.
   *
   * @return the transactions that they ran
   */
  private List<TransactionId> eachHasRunOnce(List<String> schedules) {
    await("schedules").atMost(PATIENCE).until(() -> outcomes().size() >= schedules.size());
    var outcomes = outcomes();
    assertThat(outcomes)
        .extracting(outcome -> outcome.path("schedule").asText())
        .containsExactlyInAnyOrderElementsOf(schedules);
    assertThat(outcomes)
        .extracting(outcome -> outcome.path("outcome").asText())
        .containsOnly("run");
    return outcomes.stream()
        .map(outcome -> TransactionId.parse(outcome.path("transaction").asText()))
        .toList();
  }

  private List<JsonNode> outcomes() {
    var page = ask("schedule_getOutcomes", object().put("from", "0").put("limit", 1_000));
    return IntStream.range(0, page.path("outcomes").size())
        .mapToObj(page.path("outcomes")::get)
        .toList();
  }

  private void standOnTheLedgerOnce(List<TransactionId> scheduled) {
    var account = LedgerAccount.read(plan.ledger());
    var others = new HashMap<>(account.fulfilled());
    for (var transaction : scheduled) {
      assertThat(others.remove(transaction)).as("%s", transaction).isEqualTo(1);
    }
    var tally = new LedgerAccount(account.audit(), others).compare(sent);
    assertThat(tally.lost()).isZero();
    assertThat(tally.duplicates()).isZero();
    assertThat(tally.contradicted()).isZero();
    assertThat(tally.confirmed()).isPositive();
    assertThat(account.audit().holds()).isTrue();
  }

  /** What the members of each group of tokens have, as the node of each says. */
  private Map<GroupPlan, Long> balances() {
    var sums = new HashMap<GroupPlan, Long>();
    for (var group : groups) {
      if (group.domain().equals("token")) {
        sums.put(group, sum(group));
      }
    }
    return sums;
  }

  private long sum(GroupPlan group) {
    long sum = 0;
    for (var member : group.members()) {
      var node = nodes.get(member.node());
      var byAddress = JSON.createArrayNode().add(contracts.get(group).toString());
      var call =
          object()
              .put("domain", group.domain())
              .put("group", ask(node, "pgroup_getGroupByAddress", byAddress).path("id").asText())
              .put("from", member.toString())
              .put("function", "balanceOf");
      call.putObject("input").put("owner", member.toString());
      var answer = ask(node, "pgroup_call", JSON.createArrayNode().add(call));
      sum += Long.parseLong(answer.path("balance").asText());
    }
    return sum;
  }

  private List<JsonNode> receipts() {
    return sent.outcomes().stream()
        .map(
            outcome ->
                ask(
                    nodes.get(new NodeName(outcome.node())),
                    "ptx_getTransactionReceipt",
                    JSON.createArrayNode().add(outcome.ended().id().toString())))
        .filter(JsonNode::isObject)
        .toList();
  }

  private JsonNode ask(String method, Object... parameters) {
    var all = JSON.createArrayNode();
    for (var parameter : parameters) {
      all.add(JSON.<JsonNode>valueToTree(parameter));
    }
    return ask(nodes.get(new NodeName("node1")), method, all);
  }

  private static JsonNode ask(NodeCalls node, String method, JsonNode parameters) {
    try {
      var answer = node.batch(method, List.of(parameters)).get(0);
      assertThat(answer.has("result")).as("%s: %s", method, answer).isTrue();
      return answer.get("result");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ObjectNode object() {
    return JSON.createObjectNode();
  }

  /** To be used by one thread at a time, since each keeps a connection. */
  private Map<NodeName, NodeCalls> calls() {
    var calls = new LinkedHashMap<NodeName, NodeCalls>();
    for (int node = 1; node <= NODES; node++) {
      var jvms = plan.jvmsOf(node).stream().map(plan::rpc).toList();
      calls.put(new NodeName(new Jvm(node, 1).nodeName()), new NodeCalls(jvms));
    }
    return calls;
  }

  @AfterEach
  void stopEverything() {
    // Those that serve a database stop last.
    var newestFirst = new ArrayList<>(started.values()).reversed();
    newestFirst.forEach(SequiturProcess::close);
    before.filter(SequiturProcess::isAlive).ifPresent(SequiturProcess::stop);
    directory.release();
  }
}
