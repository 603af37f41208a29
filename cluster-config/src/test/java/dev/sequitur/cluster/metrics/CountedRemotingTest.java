package dev.sequitur.cluster.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.cluster.MemberStatus;
import akka.cluster.typed.Cluster;
import akka.cluster.typed.Join;
import com.typesafe.config.ConfigFactory;
import dev.sequitur.cluster.ClusterConfiguration;
import dev.sequitur.cluster.SeveralJvmsSettings;
import dev.sequitur.fixture.FreePorts;
import dev.sequitur.persistence.postgres.PostgresSettings;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** Two JVMs of a node, in this process and without their database. */
class CountedRemotingTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Test
  void whatGoesFromOneJvmToTheOtherIsCountedAtBoth() throws Exception {
    int port = FreePorts.inARow(2);
    var jvms = List.of(jvm(port, port), jvm(port, port + 1));
    var registries = List.of(new PrometheusRegistry(), new PrometheusRegistry());
    try {
      for (int i = 0; i < 2; i++) {
        CountedRemoting.show(jvms.get(i).system().classicSystem(), registries.get(i));
        assertThat(Shown.in(registries.get(i)).values()).hasSize(4).containsOnly(0.0);
      }
      for (var jvm : jvms) {
        Cluster.get(jvm.system())
            .manager()
            .tell(Join.create(Cluster.get(jvms.getFirst().system()).selfMember().address()));
      }
      await().atMost(PATIENCE).until(() -> jvms.stream().allMatch(CountedRemotingTest::seesTwo));

      for (var registry : registries) {
        await().atMost(PATIENCE).untilAsserted(() -> assertCounts(registry, "sent"));
        await().atMost(PATIENCE).untilAsserted(() -> assertCounts(registry, "received"));
      }
    } finally {
      jvms.forEach(ActorTestKit::shutdownTestKit);
    }
  }

  /** A message has some bytes more than the names of who sends it and who gets it. */
  private static void assertCounts(PrometheusRegistry registry, String direction) {
    var shown = Shown.in(registry);
    double messages =
        shown.get("sequitur_remoting_messages_total{direction=\"" + direction + "\"}");
    double bytes = shown.get("sequitur_remoting_bytes_total{direction=\"" + direction + "\"}");
    assertThat(messages).isGreaterThan(2);
    assertThat(bytes).isGreaterThan(20 * messages);
  }

  private static boolean seesTwo(ActorTestKit jvm) {
    var members = Cluster.get(jvm.system()).state().getMembers();
    return StreamSupport.stream(members.spliterator(), false)
            .filter(member -> member.status().equals(MemberStatus.up()))
            .count()
        == 2;
  }

  private static ActorTestKit jvm(int seed, int port) {
    return ActorTestKit.create(
        "node1",
        ClusterConfiguration.severalJvms(
            new SeveralJvmsSettings(
                "node1",
                SeveralJvmsSettings.Remoting.onLoopback(port),
                List.of("127.0.0.1:" + seed),
                new PostgresSettings("jdbc:postgresql://127.0.0.1/none", "none", "", "none")),
            ConfigFactory.parseString(
                """
                akka {
                  loglevel = OFF
                  stdout-loglevel = OFF
                  coordinated-shutdown.run-by-jvm-shutdown-hook = off
                  cluster.downing-provider-class = ""
                  library-extensions = ["akka.serialization.SerializationExtension$"]
                  persistence { journal.plugin = "", snapshot-store.plugin = "" }
                }
                """)));
  }
}
