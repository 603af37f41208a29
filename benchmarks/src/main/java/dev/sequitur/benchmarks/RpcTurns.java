package dev.sequitur.benchmarks;

import static dev.sequitur.benchmarks.Benchmarks.print;

import dev.sequitur.client.Credentials;
import dev.sequitur.client.NodeCalls;
import dev.sequitur.laboratory.load.RemoteEntrance;
import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.node.guard.GuardSettings;
import dev.sequitur.node.guard.GuardSettings.Audit;
import dev.sequitur.node.guard.GuardSettings.Authentication;
import dev.sequitur.node.guard.GuardSettings.Writing;
import dev.sequitur.node.guard.TokenFile;
import dev.sequitur.node.process.LogFile;
import dev.sequitur.protocol.guard.ApiToken;
import dev.sequitur.protocol.guard.MethodGroup;
import dev.sequitur.protocol.guard.Named;
import dev.sequitur.protocol.guard.Role;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * What something costs that a node may do or not: two networks in this process, one that does it
 * and one that does not, under full load by JSON-RPC by turns. The other one stands idle meanwhile.
 */
@Command(
    name = "rpc",
    description =
        "Measures what tokens, the audit or traces cost under full load by JSON-RPC: by turns"
            + " without and with, in one process.")
public final class RpcTurns implements Callable<Integer> {
  private static final Duration SETTLE = Duration.ofSeconds(4);
  private static final double TRACED = 0.01;
  private static final int CHANCE = 40;

  /** Requests under way at one node, each on a connection of its own. */
  private static final int CONNECTIONS = 8;

  @Option(
      names = "--of",
      defaultValue = "tokens",
      description =
          "tokens: each caller shows one, and roles say what it may do; audit: each call is written"
              + " down, beside tokens; traces: one in a hundred transactions is told to a collector;"
              + " nothing: two networks that are the same, whose difference is what the others"
              + " cannot be told from.")
  private Compared compared;

  @Option(names = "--turns", defaultValue = "10", description = "Of each of the two.")
  private int turns;

  @Option(names = "--seconds", defaultValue = "20", description = "Measured in each turn.")
  private int seconds;

  @Option(names = "--warm-up", defaultValue = "40", description = "Seconds of each before that.")
  private int warmUp;

  @Option(names = "--outstanding", defaultValue = "750", description = "At most, on each node.")
  private int outstanding;

  @Option(names = "--members", defaultValue = "4", description = "Each has a node.")
  private int members;

  @Option(
      names = "--calls",
      defaultValue = "20",
      description = "Of ptx_sendTransaction in each HTTP request; 1: a request for each.")
  private int calls;

  /** The values of {@code --of}. */
  private enum Compared {
    TOKENS,
    AUDIT,
    TRACES,
    NOTHING
  }

  /** One of the two. */
  private record Side(BenchmarkNetwork network, Load load, List<RemoteEntrance> entrances)
      implements AutoCloseable {
    @Override
    public void close() {
      entrances.forEach(RemoteEntrance::close);
      network.close();
    }
  }

  /** Of one turn. */
  private record Turn(double perSecond, double cpuMillis) {}

  /** One turn without and one with. */
  private record Pair(Turn without, Turn with) {
    double lostPercent() {
      return 100 * (1 - with.perSecond() / without.perSecond());
    }

    double moreProcessorPercent() {
      return 100 * (with.cpuMillis() / without.cpuMillis() - 1);
    }
  }

  @Override
  public Integer call() throws IOException {
    // The JDK keeps five connections to an address open, unless it is told before its first call.
    System.setProperty("http.maxConnections", "" + CONNECTIONS);
    var directory = Files.createTempDirectory("sequitur-benchmark-");
    LogFile.under(directory);
    print(
        "%s, load average %.1f%n%s; %d calls a request, %d members, at most"
            + " %d outstanding on each node",
        Resources.machine(),
        Resources.loadAverage(),
        compared.name().toLowerCase(Locale.ROOT),
        calls,
        members,
        outstanding);
    try (var collector = new Collector();
        var without = start(directory.resolve("without"), false, collector);
        var with = start(directory.resolve("with"), true, collector)) {
      measure(without, Duration.ofSeconds(warmUp));
      measure(with, Duration.ofSeconds(warmUp));
      report(turns(without, with));
      if (compared == Compared.TRACES) {
        print("requests with spans        %d", collector.requests());
      }
    }
    return 0;
  }

  private List<Pair> turns(Side without, Side with) {
    var pairs = new ArrayList<Pair>();
    for (int i = 0; i < turns; i++) {
      // Who goes first takes turns, too: what grows with time is not one side's.
      Pair pair;
      if (i % 2 == 0) {
        var first = measure(without, SETTLE);
        pair = new Pair(first, measure(with, SETTLE));
      } else {
        var first = measure(with, SETTLE);
        pair = new Pair(measure(without, SETTLE), first);
      }
      pairs.add(pair);
      print(
          "%2d  without %,5.0f/s %.3f ms  with %,5.0f/s %.3f ms  throughput lost %+5.1f %%,"
              + " processor time %+5.1f %%",
          i + 1,
          pair.without().perSecond(),
          pair.without().cpuMillis(),
          pair.with().perSecond(),
          pair.with().cpuMillis(),
          pair.lostPercent(),
          pair.moreProcessorPercent());
    }
    return pairs;
  }

  private Turn measure(Side side, Duration before) {
    var measured =
        side.load()
            .measureBlocks(
                (groups, owner) -> NodeWorkload.payments(groups, owner, 1),
                before,
                Duration.ofSeconds(seconds));
    var turn = new Turn(measured.rate(), measured.cpuMillis());
    measured
        .totals()
        .firstRevert()
        .ifPresent(
            failure -> {
              throw new IllegalStateException(
                  "Transactions failed, so nothing is compared: " + failure);
            });
    side.load().drain();
    return turn;
  }

  private void report(List<Pair> pairs) {
    print(
        "%nby turns, %d of each, %d s; the mean of the pairs, its standard error, and the pairs from least"
            + " to most",
        pairs.size(), seconds);
    print("throughput lost            %s", spread(pairs, Pair::lostPercent));
    print("processor time, more       %s", spread(pairs, Pair::moreProcessorPercent));
    print(
        "without / with             %,.0f / %,.0f/s, %.3f / %.3f ms a transaction",
        mean(pairs, pair -> pair.without().perSecond()),
        mean(pairs, pair -> pair.with().perSecond()),
        mean(pairs, pair -> pair.without().cpuMillis()),
        mean(pairs, pair -> pair.with().cpuMillis()));
    print("load average               %.1f", Resources.loadAverage());
  }

  private static double mean(List<Pair> pairs, ToDoubleFunction<Pair> value) {
    return pairs.stream().mapToDouble(value).average().orElse(Double.NaN);
  }

  private static String spread(List<Pair> pairs, ToDoubleFunction<Pair> value) {
    double mean = mean(pairs, value);
    double squares =
        pairs.stream().mapToDouble(pair -> Math.pow(value.applyAsDouble(pair) - mean, 2)).sum();
    double error = Math.sqrt(squares / Math.max(1, pairs.size() - 1) / pairs.size());
    var each = pairs.stream().mapToDouble(value).sorted().toArray();
    return String.format(
        Locale.ROOT, "%.2f %% ± %.2f (%.1f to %.1f)", mean, error, each[0], each[each.length - 1]);
  }

  /**
   * How one of the two is started and called.
   *
   * @param changed each node's configuration from the one with all defaults
   * @param credentials that the load sends
   */
  private record Plan(UnaryOperator<NodeConfiguration> changed, Credentials credentials) {
    static final Plan DEFAULTS = new Plan(node -> node, Credentials.NONE);
  }

  private Side start(Path directory, boolean with, Collector collector) throws IOException {
    Files.createDirectories(directory);
    var plan = plan(directory, with, collector);
    var network = BenchmarkNetwork.start(directory, members, plan.changed());
    var entrances =
        network.addresses().stream()
            .map(address -> new RemoteEntrance(connections(address, plan.credentials()), calls))
            .toList();
    var load = new Load(network, network.createGroups("token", 1), outstanding, entrances);
    load.fund(1);
    return new Side(network, load, entrances);
  }

  private static List<NodeCalls> connections(URI node, Credentials credentials) {
    return Stream.generate(() -> new NodeCalls(List.of(node), credentials))
        .limit(CONNECTIONS)
        .toList();
  }

  private Plan plan(Path directory, boolean with, Collector collector) throws IOException {
    return switch (compared) {
      case NOTHING -> Plan.DEFAULTS;
      case TRACES ->
          with
              ? new Plan(node -> node.withTracing(collector.taking(TRACED)), Credentials.NONE)
              : Plan.DEFAULTS;
      case TOKENS -> with ? asking(directory, Writing.NEVER) : Plan.DEFAULTS;
      case AUDIT -> asking(directory, with ? Writing.ALWAYS : Writing.NEVER);
    };
  }

  /** The token is granted what the load needs by the last of several patterns. */
  private static Plan asking(Path directory, Writing audited) throws IOException {
    var chance = new byte[CHANCE];
    new SecureRandom().nextBytes(chance);
    var now = Instant.now();
    var made =
        ApiToken.make(
            new ApiToken.Grant("load", List.of("watch", "pay"), now, Optional.empty()), chance);
    var file = directory.resolve("tokens.json");
    new TokenFile(file).update(tokens -> tokens.with(made.token(), now));
    var roles =
        Map.of(
            "watch",
            new Role(Set.of(MethodGroup.READ), Map.of(Named.Kind.GROUPS, List.of("*"))),
            "pay",
            new Role(
                Set.of(MethodGroup.READ, MethodGroup.SUBMIT),
                Map.of(
                    Named.Kind.IDENTITIES, List.of("alice@node1", "bob@*", "member*@node*"),
                    Named.Kind.GROUPS, List.of("0x00*", "0x1111*", "0x*"))));
    var guard = GuardSettings.of(file).withAuthentication(Authentication.REQUIRED).withRoles(roles);
    return new Plan(
        node ->
            node.withGuard(
                guard.withAudit(
                    new Audit(
                        audited,
                        directory.resolve("audit-" + node.name()),
                        guard.audit().fileBytes(),
                        0))),
        new Credentials(Optional.of(made.secret()), Optional.empty()));
  }
}
