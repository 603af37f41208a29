package dev.sequitur.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.cluster.sharding.typed.ClusterShardingSettings;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.sequitur.cluster.tls.RemotingTls;
import dev.sequitur.links.tls.TlsFiles;
import dev.sequitur.persistence.postgres.PostgresSettings;
import dev.sequitur.protocol.id.NodeName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ClusterConfigurationTest {
  private static final SingleJvmSettings ALICE =
      new SingleJvmSettings("alice", Path.of("data", "alice"));

  @Test
  void putsANodesOwnSettingsOverTheProfile() {
    Config config = ClusterConfiguration.singleJvm(ALICE);

    assertThat(config.isResolved()).isTrue();
    assertThat(config.getString("sequitur.node-name")).isEqualTo("alice");
    assertThat(Path.of(config.getString("sequitur.data-directory")))
        .isAbsolute()
        .endsWithRaw(Path.of("data", "alice"));
    assertThat(config.getString("akka.persistence.journal.plugin"))
        .isEqualTo("sequitur.persistence.journal");
    assertThat(config.getStringList("akka.library-extensions"))
        .contains(
            "dev.sequitur.persistence.leveldb.LevelDbExtension$Id",
            "akka.serialization.SerializationExtension$");
  }

  @Test
  void letsChangesWinOverTheProfileButNotOverTheSettings() {
    Config config =
        ClusterConfiguration.singleJvm(
            ALICE,
            ConfigFactory.parseString(
                """
                sequitur.persistence.level-db.fsync = off
                akka.cluster.sharding.number-of-shards = 7
                sequitur.node-name = eve
                """));

    assertThat(config.getBoolean("sequitur.persistence.level-db.fsync")).isFalse();
    assertThat(config.getInt("sequitur.sharding.remembered.number-of-shards")).isEqualTo(7);
    assertThat(config.getString("sequitur.node-name")).isEqualTo("alice");
  }

  @Test
  void offersShardingForEachWayAnEntityLives() {
    Config sharding = ClusterConfiguration.singleJvm(ALICE).getConfig("sequitur.sharding");

    ClusterShardingSettings remembered =
        ClusterShardingSettings.fromConfig(sharding.getConfig("remembered"));
    ClusterShardingSettings forgotten =
        ClusterShardingSettings.fromConfig(sharding.getConfig("volatile"));

    assertThat(remembered.rememberEntities()).isTrue();
    assertThat(remembered.rememberEntitiesStoreMode())
        .isEqualTo(ClusterShardingSettings.rememberEntitiesStoreModeEventSourced());
    assertThat(forgotten.rememberEntities()).isFalse();
    assertThat(forgotten.numberOfShards()).isEqualTo(remembered.numberOfShards());
  }

  /** What ends waits for a JVM that takes it over; each second of it is one of every stop. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "akka.cluster.singleton",
        "akka.cluster.sharding.coordinator-singleton",
        "sequitur.sharding.remembered.coordinator-singleton",
        "sequitur.sharding.volatile.coordinator-singleton"
      })
  void aNodeOfOneJvmEndsWithoutWaitingForAnother(String singleton) {
    Config settings = ClusterConfiguration.singleJvm(ALICE).getConfig(singleton);

    Duration pause = settings.getDuration("hand-over-retry-interval");
    assertThat(pause).isLessThanOrEqualTo(Duration.ofMillis(50));
    assertThat(pause.multipliedBy(settings.getInt("min-number-of-hand-over-retries")))
        .as("a singleton that is slow to hear that it ends is not taken for stuck")
        .isGreaterThanOrEqualTo(Duration.ofSeconds(15));
  }

  private static SeveralJvmsSettings severalJvms(List<String> seeds) {
    return new SeveralJvmsSettings(
        "alice",
        new SeveralJvmsSettings.Remoting(
            "127.0.0.1",
            25520,
            "127.0.0.1",
            new SeveralJvmsSettings.Tls(
                new NodeName("alice"), new TlsFiles(Path.of("c"), Path.of("k"), Path.of("a")))),
        seeds,
        new PostgresSettings("jdbc:postgresql://127.0.0.1/alice", "alice", "secret", "alice"));
  }

  @Test
  void aNodeOfSeveralJvmsSharesItsJournalAndHasTheDatabaseDecideSplits() {
    Config config =
        ClusterConfiguration.severalJvms(
            severalJvms(List.of("127.0.0.1:25520", "127.0.0.1:25521")), ConfigFactory.empty());

    assertThat(config.getString("akka.persistence.journal.plugin"))
        .isEqualTo("sequitur.persistence.postgresql.journal");
    assertThat(config.getString("akka.remote.artery.transport")).isEqualTo("tls-tcp");
    assertThat(config.getStringList("sequitur.seed-nodes"))
        .containsExactly("akka://alice@127.0.0.1:25520", "akka://alice@127.0.0.1:25521");
    assertThat(config.getString("sequitur.persistence.postgresql.journal.map"))
        .isEqualTo("postgresql");
    assertThat(config.getString("sequitur.persistence.postgresql.schema")).isEqualTo("alice");
    assertThat(config.getString("sequitur.split-brain-lease.lease-class"))
        .isEqualTo("dev.sequitur.cluster.downing.DatabaseLease");
  }

  /** Whatever is written in the section {@code akka} of a node's file. */
  @Test
  void noSettingOfAkkasTakesTlsOrDistrustFromANodeOfSeveralJvms() {
    Config config =
        ClusterConfiguration.severalJvms(
            severalJvms(List.of("127.0.0.1:25520")),
            ConfigFactory.parseString(
                """
                akka.remote.artery {
                  transport = tcp
                  untrusted-mode = off
                  trusted-selection-paths = ["/user/anything"]
                  ssl.ssl-engine-provider = "akka.remote.artery.tcp.ConfigSSLEngineProvider"
                }
                sequitur.remoting { sharded.sender = on, singletons.ledger-indexer = on }
                """));

    Config artery = config.getConfig("akka.remote.artery");
    assertThat(artery.getString("transport")).isEqualTo("tls-tcp");
    assertThat(artery.getString("ssl.ssl-engine-provider")).isEqualTo(RemotingTls.class.getName());
    assertThat(artery.getBoolean("untrusted-mode")).isTrue();
    assertThat(artery.getStringList("trusted-selection-paths"))
        .contains(
            "/system/sharding/senderCoordinator/singleton/coordinator",
            "/system/singletonManagerledger-indexer/ledger-indexer")
        .allSatisfy(path -> assertThat(path).startsWith("/system/"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0", "10.0.0.1", "127.example.org", "node1-a.example"})
  void refusesJvmsThatTrustEachOtherWithoutTlsOffThisMachine(String host) {
    assertThatThrownBy(
            () -> new SeveralJvmsSettings.Remoting("127.0.0.1", 25520, host, Optional.empty()))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessage(
            "The JVMs of a node trust whoever reaches %s:25520: give it certificates (cluster.tls)."
                .formatted(host));
    assertThatThrownBy(
            () -> new SeveralJvmsSettings.Remoting(host, 25520, "127.0.0.1", Optional.empty()))
        .isInstanceOf(InvalidConfigurationException.class);
  }

  @Test
  void aNodeThatMayHaveSeveralJvmsRefusesAJournalOfOneOfThem() {
    Config levelDb =
        ConfigFactory.parseString("akka.persistence.journal.plugin = sequitur.persistence.journal");

    assertThatThrownBy(
            () ->
                ClusterConfiguration.severalJvms(severalJvms(List.of("127.0.0.1:25520")), levelDb))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining("an entity that moves to the other JVM would lose its state");
  }

  @Test
  void aNodeOfSeveralJvmsNamesTheFirstOfThem() {
    assertThatThrownBy(() -> severalJvms(List.of()))
        .hasMessage(
            "Node alice has no seed nodes: name at least the first of its JVMs, as host:port.");
  }

  @Test
  void refusesSettingsThatMakeNoSense() {
    assertThatThrownBy(
            () ->
                ClusterConfiguration.singleJvm(
                    ALICE,
                    ConfigFactory.parseString("sequitur.persistence.level-db.queue-capacity = 0")))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessage(
            "Node alice can't start: The setting queue-capacity of LevelDB must be at least"
                + " 1, not 0");
    assertThatThrownBy(
            () ->
                ClusterConfiguration.singleJvm(
                    ALICE, ConfigFactory.parseString("akka.cluster.seed-nodes = yes")))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining("seed-nodes");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-a", "a b", "a.b", "ä"})
  void refusesANodeNameThatNoActorSystemCouldHave(String name) {
    assertThatThrownBy(() -> new SingleJvmSettings(name, Path.of("data")))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining("'" + name + "'");
  }

  @Test
  void refusesAnEmptyDataDirectory() {
    assertThatThrownBy(() -> new SingleJvmSettings("a", Path.of("")))
        .hasMessageContaining("data directory");
  }

  @Test
  void refusesSeedNodesOnOtherJvmsWithAPrivateJournal() {
    assertThatThrownBy(
            () ->
                singleJvm(
                    """
                    akka.cluster.seed-nodes = ["akka://alice@10.0.0.2:25520"]
                    """))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessage(
            "This node is configured to share a cluster with another JVM (seed node"
                + " akka://alice@10.0.0.2:25520), but sequitur.persistence.journal keeps its data"
                + " in this JVM's own directory: an entity that moves to the other JVM would lose"
                + " its state. Remove the other JVM from the configuration, or choose a journal"
                + " that all JVMs share.");
  }

  @Test
  void refusesASeedNodeOnTheSameMachineWithAnotherPort() {
    assertRefused("akka.cluster.seed-nodes = [\"akka://alice@127.0.0.1:25521\"]");
  }

  @Test
  void refusesContactPointsOnOtherJvms() {
    String bootstrap =
        """
        akka.discovery.method = config
        akka.management.http { hostname = "127.0.0.1", port = 8558 }
        akka.management.cluster.bootstrap.contact-point-discovery.discovery-method = akka.discovery
        akka.discovery.config.services.alice.endpoints = [
          { host = "127.0.0.1", port = 8558 }
        """;

    assertThatCode(() -> singleJvm(bootstrap + "]")).doesNotThrowAnyException();
    assertRefused(bootstrap + "{ host = \"127.0.0.1\", port = 8559 }]");
    assertRefused(bootstrap + "{ host = \"10.0.0.2\", port = 8558 }]");
    assertRefused(bootstrap + "{ host = \"10.0.0.2\" }]");
  }

  @Test
  void refusesABootstrapThatMayFindOtherJvms() {
    String discovery =
        """
        akka.management.cluster.bootstrap.contact-point-discovery.discovery-method = kubernetes-api
        """;

    assertThatCode(() -> singleJvm(discovery)).doesNotThrowAnyException();
    assertRefused(
        discovery + "akka.extensions = [\"akka.management.cluster.bootstrap.ClusterBootstrap\"]");
  }

  @Test
  void refusesOtherJvmsWithASharedJournalTooSinceItListensToNone() {
    assertThatThrownBy(
            () ->
                singleJvm(
                    """
                    akka.cluster.seed-nodes = ["akka://alice@10.0.0.2:25520"]
                    akka.persistence.journal.plugin = shared-journal
                    shared-journal.class = "org.example.SharedJournal"
                    akka.persistence.snapshot-store.plugin = shared-snapshots
                    shared-snapshots.class = "org.example.SharedSnapshots"
                    """))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessage(
            "Node alice is one JVM and listens to no other, but its configuration names seed node"
                + " akka://alice@10.0.0.2:25520: remove it, or make it a node of several with"
                + " cluster.enabled.");
  }

  /** Whatever is written in the section {@code akka} of a node's file. */
  @Test
  void noSettingOfAkkasMakesANodeOfOneJvmListen() {
    Config config =
        singleJvm(
            """
            akka.actor.provider = cluster
            akka.remote.artery { transport = tls-tcp, canonical.port = 25520, bind.port = 25520 }
            """);

    assertThat(config.getString("akka.actor.provider")).isEqualTo(OneJvmProvider.class.getName());
    assertThat(config.getString("akka.remote.artery.transport")).isEqualTo("tcp");
    assertThat(config.getInt("akka.remote.artery.canonical.port")).isZero();
  }

  @Test
  void refusesOtherJvmsIfOnlyTheSnapshotsArePrivate() {
    assertRefused(
        """
        akka.cluster.seed-nodes = ["akka://alice@10.0.0.2:25520"]
        akka.persistence.journal.plugin = shared-journal
        shared-journal.class = "org.example.SharedJournal"
        """);
  }

  private static Config singleJvm(String changes) {
    return ClusterConfiguration.singleJvm(ALICE, ConfigFactory.parseString(changes));
  }

  private static void assertRefused(String changes) {
    assertThatThrownBy(() -> singleJvm(changes))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageStartingWith("This node is configured to share a cluster with another JVM");
  }
}
