package dev.sequitur.benchmarks.cluster;

import dev.sequitur.benchmarks.DelayedPort;
import dev.sequitur.benchmarks.schedules.LocalDatabase;
import dev.sequitur.client.NodeCalls;
import dev.sequitur.console.Console;
import dev.sequitur.console.StopSignal;
import dev.sequitur.laboratory.demo.GroupPlan;
import dev.sequitur.laboratory.load.NodeLoad;
import dev.sequitur.laboratory.load.RemoteEntrance;
import dev.sequitur.laboratory.load.Totals;
import dev.sequitur.laboratory.local.ClusterPlan;
import dev.sequitur.laboratory.local.ClusterPlan.Jvm;
import dev.sequitur.laboratory.local.LocalCluster;
import dev.sequitur.laboratory.soak.SoakGroups;
import dev.sequitur.persistence.postgres.PostgresSettings;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * A ledger, a PostgreSQL and nodes of several JVMs, each a process, of which the first node is
 * given transactions at all of its JVMs. Confined to one thread, which waits.
 */
final class ClusterUnderLoad implements AutoCloseable {
  private static final int CONNECTIONS = 4;
  private static final int CALLS = 20;
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final ClusterPlan plan;
  private final LocalDatabase database;
  private final Map<Jvm, DelayedPort> ports = new LinkedHashMap<>();
  private final LocalCluster cluster;
  private Map<GroupPlan, ContractAddress> groups = Map.of();
  private Identity sender = Identity.parse("nobody@nowhere");
  private final Totals totals = new Totals();
  private final ReceiptPages receipts;

  /**
   * What was used of each JVM, and by the database.
   *
   * @param nanos of the clock when it was asked
   * @param database seconds of the processor
   */
  record Moment(long nanos, Map<Jvm, Used> jvms, double database) {
    /** From an earlier one to this one. */
    Moment since(Moment earlier) {
      var used = new LinkedHashMap<Jvm, Used>();
      jvms.forEach((jvm, now) -> used.put(jvm, now.minus(earlier.jvms.get(jvm))));
      return new Moment(nanos - earlier.nanos, used, database - earlier.database);
    }
  }

  ClusterUnderLoad(int nodes, int jvms, Path directory, int port) throws IOException {
    database = LocalDatabase.start();
    var server = database.server();
    plan =
        new ClusterPlan(
            nodes,
            jvms,
            directory,
            port,
            Duration.ofSeconds(1),
            Optional.of(
                new PostgresSettings(server.url(), server.user(), server.password(), "any")),
            Map.of(),
            PATIENCE);
    for (var jvm : plan.jvms()) {
      ports.put(jvm, new DelayedPort(port(server.url()), Duration.ZERO));
    }
    cluster = new LocalCluster(plan, Console.system(), this::counted);
    receipts = new ReceiptPages(new NodeCalls(List.of(plan.rpc(plan.jvms().getFirst()))));
  }

  private static int port(String url) {
    return URI.create(url.substring("jdbc:".length())).getPort();
  }

  private PostgresSettings counted(PostgresSettings direct, Jvm jvm) {
    var url = direct.url();
    return new PostgresSettings(
        url.replace(":" + port(url) + "/", ":" + ports.get(jvm).port() + "/"),
        direct.user(),
        direct.password(),
        direct.schema());
  }

  /** Returns when each JVM serves and knows every group. */
  void start(int contracts) {
    cluster.start(new StopSignal());
    var members =
        IntStream.rangeClosed(1, plan.nodes())
            .mapToObj(node -> new Identity("member" + node, new NodeName("node" + node)))
            .toList();
    sender = members.getFirst();
    var calls = new LinkedHashMap<NodeName, NodeCalls>();
    members.forEach(
        member -> calls.put(member.node(), new NodeCalls(List.of(plan.rpc(first(member))))));
    groups =
        new SoakGroups(calls, new StopSignal())
            .create(
                IntStream.rangeClosed(1, contracts)
                    .mapToObj(number -> new GroupPlan(number, "record", members))
                    .toList());
  }

  private Jvm first(Identity member) {
    return plan.jvms().stream()
        .filter(jvm -> jvm.nodeName().equals(member.node().value()))
        .findFirst()
        .orElseThrow();
  }

  /**
   * Submits so many at the first node, at its JVMs in turn, and waits until all are confirmed.
   *
   * @param rate a second
   * @param outstanding without a receipt at most
   * @throws IllegalStateException if one is refused or reverted, or it takes too long
   */
  void complete(int number, double rate, int outstanding) {
    if (number == 0) {
      return;
    }
    var jvms = plan.jvmsOf(1);
    var connections =
        IntStream.range(0, CONNECTIONS * jvms.size())
            .mapToObj(i -> new NodeCalls(List.of(plan.rpc(jvms.get(i % jvms.size())))))
            .toList();
    totals.clear();
    try (var entrance = new RemoteEntrance(connections, CALLS)) {
      var load = new NodeLoad("node1", entrance, receipts, totals, false);
      var source = new Increments(groups, sender, number, rate);
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (!source.isDone() || load.outstanding() > 0) {
        load.step(source, outstanding - load.outstanding());
        totals
            .firstRefusal()
            .or(totals::firstRevert)
            .or(totals::lastFailure)
            .ifPresent(
                failure -> {
                  throw new IllegalStateException("A transaction was not done: " + failure);
                });
        if (System.nanoTime() > deadline) {
          throw new IllegalStateException(
              load.outstanding() + " transactions have no receipt after " + PATIENCE + ".");
        }
        LockSupport.parkNanos(TICK_NANOS);
      }
    }
  }

  Moment now() throws IOException {
    var used = new LinkedHashMap<Jvm, Used>();
    for (var jvm : plan.jvms()) {
      var page = new NodeCalls(List.of(plan.rpc(jvm))).get("/metrics").text();
      var traffic = ports.get(jvm).traffic();
      used.put(
          jvm,
          new Used(
              processor(jvm),
              traffic.roundTrips(),
              traffic.asked(),
              traffic.answered(),
              Figures.of(page, "sequitur_remoting_messages_total{direction=\"sent\"}"),
              Figures.of(page, "sequitur_remoting_bytes_total{direction=\"sent\"}"),
              Figures.of(page, "sequitur_transport_envelopes_total{direction=\"sent\"}"),
              Figures.of(page, "sequitur_transport_envelopes_total{direction=\"received\"}")));
    }
    return new Moment(System.nanoTime(), used, database.cpuSeconds());
  }

  private double processor(Jvm jvm) {
    return ProcessHandle.of(cluster.processes().get(jvm.fileName())).stream()
        .flatMap(process -> process.info().totalCpuDuration().stream())
        .mapToDouble(time -> time.toNanos() / 1e9)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(jvm.fileName() + " has ended."));
  }

  @Override
  public void close() throws IOException {
    cluster.close();
    for (var port : ports.values()) {
      port.close();
    }
    database.close();
  }
}
