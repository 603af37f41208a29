package dev.sequitur.node.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.sequitur.fixture.ListeningPorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * What docs/operations.md says of ports and metrics, and what alerts and the dashboard ask for,
 * beside a ledger and two nodes that run.
 */
@Tag("slow")
class OperationsPageIT {
  private static final Path ROOT = Path.of("..").toAbsolutePath();
  private static final Pattern METRIC = Pattern.compile("sequitur_[a-z_]+(\\{\\w+=\"\\w+\"})?");

  /** Shown by who has what they are about: a spread queue, or a signer. Others' tests see them. */
  private static final Set<String> OF_SOME_NODES =
      Set.of(
          "sequitur_schedule_partition_open",
          "sequitur_schedule_partition_overdue_seconds",
          "sequitur_signer_answers_total{outcome=\"failed\"}");

  private static final Pattern PORT_ROW =
      Pattern.compile("(?m)^\\| `([a-z.-]+\\.port)` \\| (\\d+) \\|");

  private static final List<String> MONITORING =
      List.of(
          "distribution/src/monitoring/alerts.yaml",
          "distribution/src/monitoring/dashboard.json",
          "docs/alerts.md");
  private static final Pattern ASKED =
      Pattern.compile("\\b((?:sequitur|jvm|process)_[a-z_]+)(?:\\{([^}]*)\\})?");
  private static final Pattern LABEL = Pattern.compile("(\\w+)(?:=|!=|=~|!~)\"([\\w|]+)\"");

  @TempDir Path directory;

  @Test
  @EnabledOnOs(OS.LINUX)
  void everyPortAndEveryMetricIsAsThePageSays() throws Exception {
    var nodes = TwoNodes.in(directory);
    // With each port that a node of one JVM can have.
    var health = "\nhealth { enabled = true, port = " + nodes.port(5) + " }\n";
    try (var ledger = nodes.startLedger();
        var first = nodes.startNode(1, health);
        var second = nodes.startNode(2)) {
      ledger.awaitLine("The ledger is up");
      var node1 = TwoNodes.address(first);
      var node2 = TwoNodes.address(second);

      assertThat(ListeningPorts.of(ledger.pid())).isEqualTo(Set.of(nodes.port(4)));
      assertThat(ListeningPorts.of(first.pid()))
          .isEqualTo(Set.of(nodes.port(0), nodes.port(2), nodes.port(5)));
      assertThat(ListeningPorts.of(second.pid())).isEqualTo(Set.of(nodes.port(1), nodes.port(3)));
      // Some are counted when somebody looks, and shown to the next who looks.
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () -> {
                assertThat(metricsThatAreMissing(node1)).isEmpty();
                assertThat(metricsThatAreMissing(node2)).isEmpty();
              });
      for (var asking : MONITORING) {
        assertThat(unknownToNode(asking, node1)).as(asking).isEmpty();
      }
      await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () ->
                  metrics(node1).get("sequitur_transport_connections_total{outcome=\"opened\"}")
                      > 0);
      assertThat(
              metrics(node1)
                  .get("sequitur_certificate_expiry_timestamp_seconds{use=\"transport\"}"))
          .isGreaterThan(System.currentTimeMillis() / 1000.0);
    }
  }

  /**
   * A port that somebody adds to the configuration gets its row, and what is usual is the default.
   */
  @Test
  void thePageNamesThePortsOfTheConfigurationFiles() throws IOException {
    var listed = new TreeMap<String, Integer>();
    PORT_ROW
        .matcher(page())
        .results()
        .forEach(row -> listed.put(row.group(1), Integer.valueOf(row.group(2))));

    var configured = new TreeMap<String, Integer>();
    configured.putAll(listened("node-reference.conf"));
    configured.putAll(listened("ledger-reference.conf"));
    assertThat(listed).isEqualTo(configured);
  }

  private static Map<String, Integer> listened(String file) {
    Config reference = ConfigFactory.parseResources("dev/sequitur/node/configuration/" + file);
    return reference.entrySet().stream()
        .filter(entry -> entry.getKey().endsWith(".port"))
        // Where a node finds the ledger; it does not listen there.
        .filter(entry -> !entry.getKey().equals("ledger.remote.port"))
        .collect(Collectors.toMap(Map.Entry::getKey, entry -> reference.getInt(entry.getKey())));
  }

  private static String page() throws IOException {
    return Files.readString(ROOT.resolve("docs/operations.md"));
  }

  private static Set<String> metricsThatAreMissing(String node) throws Exception {
    var shown = metrics(node).keySet();
    var missing = new TreeSet<String>();
    for (var named : METRIC.matcher(page()).results().map(MatchResult::group).toList()) {
      if (shown.stream().noneMatch(metric -> isOf(metric, named))) {
        missing.add(named);
      }
    }
    missing.removeAll(OF_SOME_NODES);
    return missing;
  }

  /**
   * Names of metrics, and values of their labels, that a node that has just begun does not show.
   */
  private static Set<String> unknownToNode(String file, String node) throws Exception {
    var shown = new TreeSet<>(metrics(node).keySet());
    shown.addAll(OF_SOME_NODES);
    var text = Files.readString(ROOT.resolve(file)).replace("\\\"", "\"");
    var unknown = new TreeSet<String>();
    ASKED
        .matcher(text)
        .results()
        .forEach(
            asked -> {
              var name = asked.group(1);
              if (shown.stream().noneMatch(metric -> isOf(metric, name))) {
                unknown.add(name);
              }
              if (asked.group(2) != null) {
                LABEL
                    .matcher(asked.group(2))
                    .results()
                    .flatMap(
                        label ->
                            Stream.of(label.group(2).split("\\|"))
                                .map(value -> label.group(1) + "=\"" + value + "\""))
                    .filter(label -> shown.stream().noneMatch(it -> isOf(it, name, label)))
                    .forEach(label -> unknown.add(name + "{" + label + "}"));
              }
            });
    return unknown;
  }

  private static boolean isOf(String metric, String named) {
    int brace = named.indexOf('{');
    return brace < 0
        ? isOf(metric, named, "")
        : isOf(metric, named.substring(0, brace), named.substring(brace + 1, named.length() - 1));
  }

  /** A histogram may be named without what its count is called, and a label stands among others. */
  private static boolean isOf(String metric, String name, String label) {
    var rest = metric.startsWith(name) ? metric.substring(name.length()) : "of another";
    boolean isSo = rest.isEmpty() || rest.startsWith("{") || rest.startsWith("_count");
    return isSo && rest.contains(label);
  }

  private static Map<String, Double> metrics(String node) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(node + "/metrics")).build();
    var answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    return answer
        .body()
        .lines()
        .filter(line -> !line.startsWith("#"))
        .collect(
            Collectors.toMap(
                line -> line.substring(0, line.lastIndexOf(' ')),
                line -> Double.valueOf(line.substring(line.lastIndexOf(' ') + 1))));
  }
}
