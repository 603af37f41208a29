package dev.sequitur.node.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sequitur.ethereum.ChainAccess;
import dev.sequitur.ethereum.ChainRpc;
import dev.sequitur.ethereum.Secret;
import dev.sequitur.ledger.LedgerSettings;
import dev.sequitur.links.tls.OwnCertificate;
import dev.sequitur.links.tls.TlsFiles;
import dev.sequitur.node.configuration.LoggingSettings.Destination;
import dev.sequitur.node.configuration.LoggingSettings.Format;
import dev.sequitur.node.guard.GuardSettings.JwtSettings;
import dev.sequitur.node.rpc.RpcSettings;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.guard.MethodGroup;
import dev.sequitur.protocol.guard.Named;
import dev.sequitur.protocol.guard.Quota;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.room.RoomPolicy;
import dev.sequitur.schedule.recurring.CronCadence;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.sequencer.setup.NodeSetup;
import dev.sequitur.trace.TraceRing.TraceLimits;
import java.io.IOException;
import java.math.BigInteger;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NodeConfigurationTest {
  private static final String LEAST = "node { name = node1, data-directory = data }\n";

  @TempDir Path directory;

  @Test
  void nameAndDirectoryAreEnoughAndEverythingElseIsTheRulesOwnDefault() throws IOException {
    var configuration = NodeConfiguration.read(file(LEAST));

    assertThat(configuration.name()).isEqualTo(new NodeName("node1"));
    assertThat(configuration.directory()).isEqualTo(directory.resolve("data"));
    assertThat(configuration.rpc()).isEqualTo(RpcSettings.loopback(8545));
    assertThat(configuration.transport()).isEqualTo(new TransportConfiguration.InProcess());
    assertThat(configuration.ledger()).isEqualTo(new LedgerAccess.Embedded(LedgerSettings.DEFAULT));
    assertThat(configuration.rules()).isEqualTo(NodeSetup.Rules.DEFAULT);
    assertThat(configuration.trace()).isEqualTo(TraceLimits.DEFAULT);
  }

  @Test
  void whatTheFileSaysIsTaken() throws IOException {
    var configuration =
        NodeConfiguration.read(
            file(
                LEAST
                    + """
                    rpc { host = "::1", port = 0 }
                    transport {
                      enabled = true
                      tls { certificate = c.pem, private-key = k.pem, authority = /etc/ca.pem }
                      peers { node2 = "host2:9002, host2b:9002", "node.3" = "[::1]:9003" }
                    }
                    ledger { mode = remote, remote.port = 8700 }
                    sequencer.selection.range-size = 7
                    sequencer.heartbeats.max-hold-off = 1m
                    akka.loglevel = DEBUG
                    """));

    assertThat(configuration.rpc()).isEqualTo(RpcSettings.loopback(0).withHost("::1"));
    var tls = (TransportConfiguration.MutualTls) configuration.transport();
    assertThat(tls.files().certificate()).isEqualTo(directory.resolve("c.pem"));
    assertThat(tls.files().trust()).isEqualTo(Path.of("/etc/ca.pem"));
    assertThat(tls.peers())
        .containsEntry(
            new NodeName("node2"),
            List.of(new HostAndPort("host2", 9002), new HostAndPort("host2b", 9002)))
        .containsEntry(new NodeName("node.3"), List.of(new HostAndPort("::1", 9003)));
    assertThat(configuration.ledger())
        .isEqualTo(new LedgerAccess.Remote(new HostAndPort("127.0.0.1", 8700), Optional.empty()));
    assertThat(configuration.rules().selection().rangeSize()).isEqualTo(7);
    assertThat(configuration.rules().sequencer().heartbeats().maxHoldOff())
        .isEqualTo(Duration.ofMinutes(1));
    assertThat(configuration.akka().getString("akka.loglevel")).isEqualTo("DEBUG");
  }

  @Test
  void howLongWhatHasEndedIsKeptIsTaken() throws IOException {
    assertThat(NodeConfiguration.read(file(LEAST)).rules().room()).isEqualTo(RoomPolicy.FOREVER);

    assertThat(
            NodeConfiguration.read(file(LEAST + "room { keep = 30d, ids = 400d, unread = 60d }"))
                .rules()
                .room())
        .isEqualTo(
            new RoomPolicy(
                Optional.of(Duration.ofDays(30)),
                Duration.ofDays(400),
                Optional.of(Duration.ofDays(60))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "room.keep = 59m | room.keep | forever or a time of at least 60 minutes",
        "room.keep = long | room.keep | forever or a time of at least 60 minutes",
        "room { keep = 30d, unread = 29d } | room | listeners",
        "room { keep = 30d, ids = 29d } | room | ids"
      })
  void whatIsKeptTooShortlyIsRefused(String line, String key, String sentence) throws IOException {
    assertThat(mistakes(LEAST + line))
        .singleElement()
        .satisfies(it -> assertThat(it).startsWith(key).contains(sentence));
  }

  @Test
  void whereWhatIsForgottenIsWrittenFirstIsTaken() throws IOException {
    assertThat(NodeConfiguration.read(file(LEAST)).roomExport()).isEqualTo(RoomExportSettings.NONE);

    var read =
        NodeConfiguration.read(
            file(LEAST + "room.export { directory = ended, file-bytes = 1048576 }"));

    assertThat(read.roomExport().fileBytes()).isEqualTo(1 << 20);
    assertThat(read.roomExport().directory().orElseThrow())
        .isAbsolute()
        .endsWithRaw(Path.of("ended"));
  }

  @Test
  void whenBackupsAreMadeAndHowManyAreKeptIsTaken() throws IOException {
    assertThat(NodeConfiguration.read(file(LEAST)).backup()).isEqualTo(BackupSettings.NONE);

    var read =
        NodeConfiguration.read(
                file(
                    LEAST
                        + "backup { directory = copies, schedule = \"17 2 * * *\", zone = Europe/Zurich, keep = 7 }"))
            .backup();

    assertThat(read.keep()).isEqualTo(7);
    assertThat(read.schedule()).contains(new CronCadence("17 2 * * *", "Europe/Zurich"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "backup.schedule = \"17 2 * * *\" | backup.schedule says when | set backup.directory",
        "backup { directory = copies, schedule = daily } | backup.schedule: | cron",
        "backup { directory = copies, schedule = \"17 2 * * *\", zone = Mars } | backup.zone: | Mars",
        "backup.keep = 0 | backup.keep | 1 to 1000",
        "room.export.file-bytes = 9 | room.export.file-bytes | from 1048576"
      })
  void whatCannotBeCarriedOutIsRefused(String line, String begins, String sentence)
      throws IOException {
    assertThat(mistakes(LEAST + line))
        .singleElement()
        .satisfies(it -> assertThat(it).startsWith(begins).contains(sentence));
  }

  /** Where the ledger is away, /health names what to correct. */
  @Test
  void healthNamesTheKeyThatSaysWhereTheLedgerIs() throws IOException {
    var remote = NodeConfiguration.read(file(LEAST + "ledger.mode = remote"));
    var chain =
        NodeConfiguration.read(
            file(
                LEAST
                    + "ledger { mode = ethereum, ethereum.factory = \"0x"
                    + "11".repeat(20)
                    + "\" }"));

    assertThat(remote.health().ledgerKey()).isEqualTo("ledger.remote");
    assertThat(chain.health().ledgerKey()).isEqualTo("ledger.ethereum.rpc");
  }

  /** Such as brackets that were forgotten: what is wrong is written into logs. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ledger.ethereum.rpc = \"https://me:hunter2@chain.example/hunter2\"",
        "ledger.ethereum.rpc = \"me:hunter2@chain.example\"",
        "ledger.ethereum.rpc = { first = hunter2 }",
        "ledger.ethereum.access.bearer-token = [hunter2]",
        "scheduler.provider.rpc = \"me:hunter2@chain.example\"",
        "scheduler.provider.access.bearer-token = \"hunter2\\nhunter2\"",
        "ledger.ethereum.access.header { name = x, value = { of = hunter2 } }",
      })
  void whatIsSecretIsNotToldWhereItIsWrong(String line) throws IOException {
    assertThat(mistakes(CHAIN + line))
        .isNotEmpty()
        .allSatisfy(sentence -> assertThat(sentence).doesNotContain("hunter2"));
  }

  private static final String CHAIN =
      LEAST
          + "ledger { mode = ethereum, ethereum.factory = \"0x"
          + "11".repeat(20)
          + "\" }\n"
          + "ledger.ethereum.rpc = [\"https://chain.example\"]\n";

  @Test
  void whatAChainsNodesAreShownIsReadFromFilesOrTheConfiguration() throws IOException {
    var token = Files.writeString(directory.resolve("token"), "hunter2");
    Files.writeString(directory.resolve("authority.pem"), "");
    var read =
        (LedgerAccess.Ethereum)
            NodeConfiguration.read(
                    file(
                        CHAIN
                            + """
                            ledger.ethereum.access {
                              header { name = X-Api-Key, value = hunter2 }
                              bearer-token-file = token
                              authority = authority.pem, certificate = c.pem, private-key = k.pem
                            }
                            """))
                .ledger();

    assertThat(read.calls().shown())
        .containsExactly(
            new ChainAccess.Shown.Header("X-Api-Key", new Secret.Given("hunter2")),
            new ChainAccess.Shown.Bearer(new Secret.InFile(token)));
    assertThat(read.calls().tls().orElseThrow().own()).isPresent();
    assertThat(read.toString()).doesNotContain("hunter2");
  }

  /** Nothing of the base ledger's is shown to another chain's nodes. */
  @Test
  void aProvidersChainIsCalledAsItsOwnSectionSays() throws IOException {
    var provider =
        "scheduler.provider { contract = \"0x%s\", rpc = [\"https://other.example\"] }\n"
            .formatted("22".repeat(20));
    var ofLedger = "ledger.ethereum.access.bearer-token = hunter1\n";
    var own =
        """
        scheduler.provider {
          access { header { name = X-Api-Key, value = hunter2 }
            authority = authority.pem, certificate = c.pem, private-key = k.pem }
          requests.batch = 5
        }
        """;

    var open = NodeConfiguration.read(file(CHAIN + ofLedger + provider));
    var asked = NodeConfiguration.read(file(CHAIN + ofLedger + provider + own));

    assertThat(open.scheduler().provider().orElseThrow().calls()).isEqualTo(ChainCalls.OPEN);
    var calls = asked.scheduler().provider().orElseThrow().calls();
    assertThat(calls.shown())
        .containsExactly(new ChainAccess.Shown.Header("X-Api-Key", new Secret.Given("hunter2")));
    assertThat(calls.limits().batch()).isEqualTo(5);
    assertThat(calls.toString()).doesNotContain("hunter2");
    assertThat(OwnCertificates.of(asked))
        .singleElement()
        .satisfies(
            certificate -> {
              assertThat(certificate.use()).isEqualTo(OwnCertificate.Use.PROVIDER);
              assertThat(certificate.key()).isEqualTo("scheduler.provider.access.certificate");
            });
  }

  private static final String GENERATOR =
      "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";
  private static final String ITS_Y =
      "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0x02" + GENERATOR,
        "0x04" + GENERATOR + ITS_Y,
        GENERATOR + ITS_Y,
        "02" + GENERATOR
      })
  void aSignerHoldsTheKeysThatAreNamed(String key) throws IOException {
    var read =
        NodeConfiguration.read(
            file(
                LEAST
                    + """
                    signer {
                      address = "https://signer.example:9000", timeout = 5s
                      authority = a.pem, certificate = c.pem, private-key = k.pem
                      identities { alice = "%s" }
                    }
                    """
                        .formatted(key)));

    var signer = read.signer().orElseThrow();
    assertThat(signer.address()).isEqualTo(URI.create("https://signer.example:9000"));
    assertThat(signer.timeout()).isEqualTo(Duration.ofSeconds(5));
    assertThat(signer.identities())
        .containsExactly(Map.entry("alice", new Verifier(Bytes.hex("02" + GENERATOR))));
    assertThat(OwnCertificates.of(read))
        .singleElement()
        .satisfies(
            certificate -> {
              assertThat(certificate.use()).isEqualTo(OwnCertificate.Use.SIGNER);
              assertThat(certificate.key()).isEqualTo("signer.certificate");
            });
    assertThat(NodeConfiguration.read(file(LEAST)).signer()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "address = \"http://signer.example\", identities { alice = KEY } | use https",
        "address = \"https://me:secret@signer.example\", identities { alice = KEY } | leave out",
        "address = \"https://signer.example\" | signer.identities is empty",
        "address = nowhere, identities { alice = KEY } | signer.address",
        "identities { alice = KEY } | no address",
        "address = \"https://a.example\", certificate = c.pem, identities { alice = KEY } | missing",
        "address = \"https://a.example\", identities { alice = \"0x00\" } | 33, 64 or 65 bytes",
        "address = \"https://a.example\", identities { \"salts.intents\" = KEY } | node's own",
        "address = \"https://a.example\", identities { \"submitter.0x01\" = KEY } | funding.account",
        "address = \"https://a.example\", identities { plan-provider = KEY } | sequitur keys import",
        "address = \"https://a.example\", identities { \"a b\" = KEY } | letters, digits"
      })
  void aSignerThatCannotBeIsRefused(String section, String words) throws IOException {
    var key = "\"0x02" + GENERATOR + "\"";
    assertThat(mistakes(LEAST + "signer { " + section.replace("KEY", key) + " }"))
        .anySatisfy(sentence -> assertThat(sentence).contains(words));
  }

  /** All money for gas goes through it, and it signs seldom. */
  @Test
  void aSignerMayHoldTheKeyOfTheFundingAccount() throws IOException {
    var section = "signer { address = \"https://a.example\", identities { \"%s\" = \"0x02%s\" } }";
    var read =
        NodeConfiguration.read(file(LEAST + section.formatted("funding.account", GENERATOR)));
    assertThat(read.signer().orElseThrow().identities()).containsOnlyKeys("funding.account");
  }

  @Test
  void aSignerOnThisMachineMayBeReachedByHttp() throws IOException {
    var identities = "identities { alice = \"0x02" + GENERATOR + "\" } }";
    for (var host : List.of("localhost", "127.0.0.1", "[::1]")) {
      var section = "signer { address = \"http://%s:9000\", ".formatted(host);
      assertThat(NodeConfiguration.read(file(LEAST + section + identities)).signer()).isPresent();
    }
  }

  @Test
  void queuesThatAreSpreadAreNamedWithTheirPartitions() throws IOException {
    var configuration =
        NodeConfiguration.read(file(LEAST + "scheduler.partitions { orders = 16, \"a.b\" = 2 }"));

    var settings = configuration.scheduler().settings();
    assertThat(settings.partitions(new QueueName("orders"))).isEqualTo(16);
    assertThat(settings.partitions(new QueueName("a.b"))).isEqualTo(2);
    assertThat(settings.partitions(QueueName.DEFAULT)).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "partitions { orders = 1 } | 2 to 256 partitions",
        "partitions { orders = 257 } | 2 to 256 partitions",
        "partitions { orders = many } | scheduler.partitions.orders",
        "partitions { \"orders/1\" = 2 } | Name the whole queue"
      })
  void aMistakeInPartitionsIsTold(String text, String told) throws IOException {
    var file = file(LEAST + "scheduler." + text);
    assertThatThrownBy(() -> NodeConfiguration.read(file)).hasMessageContaining(told);
  }

  @Test
  void howMuchAChainsNodesAreAskedIsTaken() throws IOException {
    var usual = (LedgerAccess.Ethereum) NodeConfiguration.read(file(CHAIN)).ledger();
    var little =
        (LedgerAccess.Ethereum)
            NodeConfiguration.read(
                    file(
                        CHAIN
                            + "ledger.ethereum { idle-poll-interval = 9s, legacy-transactions = true }\n"
                            + "ledger.ethereum.requests { batch = 5, at-once = 1, timeout = 3s }"))
                .ledger();

    assertThat(usual.calls().limits()).isEqualTo(ChainRpc.Limits.DEFAULT);
    assertThat(usual.idlePause()).isEqualTo(Duration.ofSeconds(2));
    assertThat(little.calls().limits()).isEqualTo(new ChainRpc.Limits(5, 1, Duration.ofSeconds(3)));
    assertThat(little.idlePause()).isEqualTo(Duration.ofSeconds(9));
    assertThat(usual.legacy()).isFalse();
    assertThat(little.legacy()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "header { name = X-Api-Key } | both a name and a value",
        "header { value = hunter2 } | both a name and a value",
        "header { name = Host, value = hunter2 } | restricted header name",
        "header { name = x, value = hunter2, value-file = f } | are both there",
        "bearer-token = hunter2, jwt-key-file = short | Leave out the others",
        "jwt-key-file = short | 32 bytes",
        "bearer-token-file = none | let this user read it",
        "bearer-token = \"hunter2\\nhunter2\" | one line",
        "certificate = c.pem | name what is missing",
        "certificate = c.pem, private-key = k.pem | name what is missing"
      })
  void aMistakeInWhatAChainsNodesAreShownIsToldWithoutTheSecret(String access, String told)
      throws IOException {
    Files.writeString(directory.resolve("short"), "hunter2");

    assertThat(mistakes(CHAIN + "ledger.ethereum.access { " + access + " }"))
        .anySatisfy(sentence -> assertThat(sentence).contains(told))
        .noneSatisfy(sentence -> assertThat(sentence).contains("hunter2"));
  }

  @Test
  void anAddressOfAChainsNodeThatIsNoneIsNotToldSinceItMayHoldAKey() throws IOException {
    assertThat(mistakes(CHAIN + "ledger.ethereum.rpc = [\"http://a\", \"ftp://x/hunter2\"]"))
        .singleElement()
        .asString()
        .contains("place 2")
        .doesNotContain("hunter2");
    assertThat(
            mistakes(
                CHAIN
                    + "ledger.ethereum.rpc = [\"https://me:hunter2@a\"]\n"
                    + "ledger.ethereum.access.bearer-token = x"))
        .singleElement()
        .asString()
        .contains("Leave out the others")
        .doesNotContain("hunter2");
    assertThat(
            mistakes(
                CHAIN
                    + "ledger.ethereum.rpc = [\"http://a\"]\n"
                    + "ledger.ethereum.access.authority = a.pem"))
        .singleElement()
        .asString()
        .contains("reached by https");
  }

  /** Who finds nobody says so, before it is said that the start takes too long. */
  @Test
  void theSearchForOtherJvmsTakesHalfTheTimeOfAStartUnlessAkkasSettingSaysOtherwise()
      throws IOException {
    var search = "akka.cluster.shutdown-after-unsuccessful-join-seed-nodes";

    var usual = NodeConfiguration.read(file(LEAST));
    var patient = NodeConfiguration.read(file(LEAST + "node.start-timeout = 10m"));
    var both =
        NodeConfiguration.read(file(LEAST + "node.start-timeout = 10m\n" + search + " = 7s"));

    assertThat(usual.startTimeout()).isEqualTo(Duration.ofMinutes(2));
    assertThat(usual.akka().getDuration(search)).isEqualTo(Duration.ofMinutes(1));
    assertThat(patient.startTimeout()).isEqualTo(Duration.ofMinutes(10));
    assertThat(patient.akka().getDuration(search)).isEqualTo(Duration.ofMinutes(5));
    assertThat(both.akka().getDuration(search)).isEqualTo(Duration.ofSeconds(7));
  }

  @Test
  void aNodeThatMayHaveSeveralJvmsIsToldAllThatItNeedsForThat() throws IOException {
    assertThat(mistakes(LEAST + "cluster.enabled = true"))
        .anySatisfy(
            sentence -> assertThat(sentence).startsWith("ledger.mode is embedded, and each"))
        .anySatisfy(sentence -> assertThat(sentence).startsWith("cluster.seed-nodes is empty"))
        .anySatisfy(
            sentence ->
                assertThat(sentence)
                    .startsWith(
                        "postgresql.url is missing: a journal in one JVM's directory would"))
        .anySatisfy(
            sentence -> assertThat(sentence).startsWith("cluster.tls.certificate is missing"));
  }

  @Test
  void theShardsOfANodeAreAsManyAsTheyWereOrMoreUpToABound() throws IOException {
    var cluster = LEAST + "cluster.enabled = true\ncluster.shards = ";

    assertThat(mistakes(cluster + "127"))
        .anySatisfy(
            sentence ->
                assertThat(sentence).contains("cluster.shards", "a whole number from 128 to 1024"));
    assertThat(mistakes(cluster + "1024"))
        .noneSatisfy(sentence -> assertThat(sentence).contains("cluster.shards"));
  }

  @Test
  void theJvmsOfANodeShareADatabaseAndAKeySeed() throws IOException {
    var configuration =
        NodeConfiguration.read(
            file(
                LEAST
                    + """
                    node.key-directory = keys
                    ledger.mode = remote
                    cluster {
                      enabled = true
                      host = jvm1
                      bind-host = "0.0.0.0"
                      seed-nodes = ["jvm1:25520", "jvm2:25520"]
                      tls { certificate = c.pem, private-key = k.pem, authority = a.pem }
                    }
                    postgresql { url = "jdbc:postgresql://db/node1", user = u, password = p }
                    """));

    var several = (NodeJvms.Several) configuration.jvms();
    assertThat(several.remoting()).isEqualTo(new HostAndPort("jvm1", 25520));
    assertThat(several.bindHost()).isEqualTo("0.0.0.0");
    assertThat(several.seedNodes())
        .containsExactly(new HostAndPort("jvm1", 25520), new HostAndPort("jvm2", 25520));
    assertThat(several.database().schema()).isEqualTo("sequitur");
    assertThat(several.database().toString()).doesNotContain("p,");
    assertThat(configuration.keyDirectory()).isEqualTo(directory.resolve("keys"));
  }

  @Test
  void anEmptyFileIsToldWhatItNeeds() throws IOException {
    assertThat(mistakes(""))
        .anySatisfy(sentence -> assertThat(sentence).startsWith("node.name is missing: "))
        .anySatisfy(sentence -> assertThat(sentence).startsWith("node.data-directory is missing"))
        .hasSize(2);
  }

  @Test
  void theFormOfTheLogIsThatOfTheFileAndElseThatOfTheContainersImage() throws IOException {
    assertThat(logging("", name -> null)).isEqualTo(LoggingSettings.DEFAULT);
    assertThat(logging("", Map.of("SEQUITUR_LOG_FORMAT", "json", "SEQUITUR_LOG_TO", "stdout")::get))
        .isEqualTo(new LoggingSettings(Format.JSON, Destination.STDOUT));
    assertThat(logging("logging.format = text", name -> "json")).isEqualTo(LoggingSettings.DEFAULT);
    assertThat(mistakes(LEAST + "logging.to = printer"))
        .anySatisfy(sentence -> assertThat(sentence).contains("auto or file or stdout"));
  }

  private LoggingSettings logging(String content, UnaryOperator<String> environment)
      throws IOException {
    var file = Files.writeString(directory.resolve("logging.conf"), LEAST + content);
    var reader = ConfigurationReader.ofFile(Reference.NODE, file);
    return LoggingSettings.read(reader, "logging", environment);
  }

  @Test
  void anUnknownKeyIsNamedWithItsLineAndWhatMayHaveBeenMeant() throws IOException {
    assertThat(mistakes(LEAST + "rpc.prot = 1\nsequencer.selecton.range-size = 4\ncolour = red"))
        .anySatisfy(
            sentence ->
                assertThat(sentence)
                    .startsWith("There is no key 'prot' in rpc (")
                    .contains("node.conf: 2)")
                    .endsWith("did you mean port?"))
        .anySatisfy(
            sentence ->
                assertThat(sentence)
                    .contains("'selecton' in sequencer")
                    .endsWith("did you mean selection?"))
        .anySatisfy(
            sentence ->
                assertThat(sentence)
                    .contains("'colour' at the top")
                    .endsWith(
                        "known there are actors, akka, backup, callers, chaos, cluster, hapi, health,"
                            + " ledger, logging, node, postgresql, room, rpc, scheduler, sequencer, signer, trace, tracing, transport."))
        .hasSize(3);
  }

  @Test
  void eachWrongValueIsToldWithWhatIsExpected() throws IOException {
    assertThat(
            mistakes(
                """
                node { name = "two words", data-directory = data }
                rpc.port = 70000
                sequencer.selection.range-size = many
                sequencer.heartbeats.max-hold-off = -3s
                sequencer.delivery.assemble-timeout = soon
                sequencer.limits.assemble-batch = 65537
                sequencer.limits.attestation-batch = 65537
                ledger.mode = cloud
                ledger.embedded.empty-blocks = perhaps
                """))
        .anySatisfy(sentence -> assertThat(sentence).contains("A node name is").contains("words"))
        .anySatisfy(
            sentence ->
                assertThat(sentence)
                    .startsWith("rpc.port (")
                    .contains("a whole number from 0 to 65535, not '70000'"))
        .anySatisfy(sentence -> assertThat(sentence).contains("range-size", "not 'many'"))
        .anySatisfy(sentence -> assertThat(sentence).contains("at least 1ms", "not '-3s'"))
        .anySatisfy(sentence -> assertThat(sentence).contains("assemble-timeout", "not 'soon'"))
        .anySatisfy(
            sentence ->
                assertThat(sentence).contains("assemble-batch", "from 1 to 65536, not '65537'"))
        .anySatisfy(
            sentence ->
                assertThat(sentence).contains("attestation-batch", "from 1 to 65536, not '65537'"))
        .anySatisfy(
            sentence ->
                assertThat(sentence).contains("embedded or remote or ethereum, not 'cloud'"))
        .anySatisfy(sentence -> assertThat(sentence).contains("true or false, not 'perhaps'"))
        .hasSize(9);
  }

  @Test
  void valuesThatDoNotFitTogetherAreTold() throws IOException {
    assertThat(mistakes(LEAST + "sequencer.heartbeats.coordinator-failure-threshold = 600ms"))
        .singleElement()
        .asString()
        .startsWith("sequencer.heartbeats: A failure threshold is at least two heartbeat");
    assertThat(mistakes(LEAST + "sequencer.retries.attempt { initial = 10s, longest = 1s }"))
        .singleElement()
        .asString()
        .startsWith("sequencer.retries.attempt: ");
    assertThat(mistakes(LEAST + "transport.peers.node2 = \"localhost:9002\""))
        .singleElement()
        .asString()
        .contains("set transport.enabled = true");
    assertThat(mistakes(LEAST + "sequencer.limits.ledger-batch.gas = 16500000"))
        .singleElement()
        .asString()
        .contains("16777216", "ledger.gas.limit-percent");
    assertThat(
            mistakes(
                LEAST
                    + "ledger { mode = ethereum, ethereum { factory = \"0x"
                    + "1".repeat(40)
                    + "\", quorum = 2 } }"))
        .singleElement()
        .asString()
        .startsWith("ledger.ethereum.quorum");
    assertThat(mistakes(LEAST + "ledger.gas.funding { low = 2, full = 1 }"))
        .singleElement()
        .asString()
        .startsWith("ledger.gas.funding: ");
    assertThat(mistakes(LEAST + "transport.enabled = true"))
        .hasSize(3)
        .allSatisfy(sentence -> assertThat(sentence).contains("sequitur certificates"));
  }

  /** FND-2: a key of a busy group on a dear chain is to have ten coins of eighteen places. */
  @Test
  void amountsAreReadBeyondWhatALongHolds() throws IOException {
    var funding =
        NodeConfiguration.read(
                file(
                    LEAST
                        + """
                        ledger.gas.funding {
                          low = 10000000000000000000
                          full = "90000000000000000000"
                          alarm-below = 500000000000000000000
                        }
                        """))
            .rules()
            .funding();

    var coin = BigInteger.TEN.pow(18);
    assertThat(List.of(funding.low(), funding.full(), funding.alarmBelow()))
        .containsExactly(
            coin.multiply(BigInteger.TEN),
            coin.multiply(BigInteger.valueOf(90)),
            coin.multiply(BigInteger.valueOf(500)));
  }

  /** SUB-9. */
  @Test
  void theFirstOfferFollowsTheChainUnlessItIsANumber() throws IOException {
    var usual = NodeConfiguration.read(file(LEAST)).rules().gas();
    assertThat(usual.first(200)).isEqualTo(new Fees(1_400, 1_000));
    assertThat(usual.first(0)).isEqualTo(Fees.flat(1_000));
    var fixed = NodeConfiguration.read(file(LEAST + "ledger.gas.initial-fee = 5000")).rules().gas();
    assertThat(fixed.first(200)).isEqualTo(new Fees(5_000, 1_000));

    for (var wrong : List.of("chian", "-1", "1000000000001")) {
      assertThat(mistakes(LEAST + "ledger.gas.initial-fee = " + wrong))
          .singleElement()
          .asString()
          .contains("ledger.gas.initial-fee is chain, or a whole number", wrong);
    }
    assertThat(mistakes(LEAST + "ledger.gas.initial-fee = 999"))
        .singleElement()
        .asString()
        .contains("ledger.gas.initial-priority-fee is not above ledger.gas.initial-fee");
  }

  @Test
  void anAmountOfMoneyIsDigits() throws IOException {
    for (var wrong :
        List.of("-1", "1.5", "1e18", "\"1 ether\"", "true", "\"" + "9".repeat(78) + "\"")) {
      assertThat(mistakes(LEAST + "ledger.gas.funding.low = " + wrong))
          .as(wrong)
          .singleElement()
          .asString()
          .contains("ledger.gas.funding.low", "a whole number of the ledger's smallest unit");
    }
  }

  @Test
  void aPeerIsANodeWithHostAndPort() throws IOException {
    assertThat(
            mistakes(
                LEAST
                    + """
                    transport {
                      enabled = true
                      tls { certificate = c, private-key = k, authority = a }
                      peers { node1 = "localhost:1", node2 = localhost, "no de" = "localhost:3" }
                    }
                    """))
        .anySatisfy(sentence -> assertThat(sentence).contains("names this node itself"))
        .anySatisfy(sentence -> assertThat(sentence).contains("host:port, not 'localhost'"))
        .anySatisfy(sentence -> assertThat(sentence).contains("A node name is"))
        .hasSize(3);
  }

  @Test
  void theLedgerIsReachedOverMutualTlsIfTheFileSaysSo() throws IOException {
    var remote = "ledger { mode = remote, remote.tls { enabled = true, name = base";
    var configuration =
        NodeConfiguration.read(
            file(LEAST + remote + ", certificate = c, private-key = k, authority = a } }"));

    assertThat(((LedgerAccess.Remote) configuration.ledger()).tls())
        .contains(
            new LedgerTls(
                new NodeName("base"),
                new TlsFiles(
                    directory.resolve("c"), directory.resolve("k"), directory.resolve("a"))));
    assertThat(mistakes(LEAST + remote + " } }"))
        .hasSize(3)
        .allSatisfy(sentence -> assertThat(sentence).startsWith("ledger.remote.tls."));
  }

  @Test
  void aRoleIsReadAndWhatItCannotGrantIsTold() throws IOException {
    var guard =
        NodeConfiguration.read(
                file(
                    LEAST
                        + """
                        callers.roles {
                          reader { queues = [default], groups = [own, new] }
                          sender { methods = [read, submit], identities = ["alice@node1"] }
                        }
                        """))
            .guard();

    assertThat(guard.tokens()).isEqualTo(directory.resolve("data/tokens.json"));
    assertThat(guard.roles().keySet()).containsExactlyInAnyOrder("owner", "reader", "sender");
    assertThat(guard.roles().get("owner").methods())
        .containsExactlyInAnyOrder(MethodGroup.values());
    assertThat(guard.roles().get("reader").names().get(Named.Kind.QUEUES))
        .containsExactly("default");
    assertThat(guard.roles().get("reader").names().get(Named.Kind.GROUPS))
        .containsExactly("own", "new");
    assertThat(guard.roles().get("sender").names().get(Named.Kind.GROUPS)).isEmpty();
    assertThat(
            mistakes(
                LEAST
                    + """
                    callers.roles {
                      a { methods = [write], accounts = 7, queue = [default] }
                      b = owner
                    }
                    rpc.tls.enabled = true
                    """))
        .anySatisfy(
            sentence ->
                assertThat(sentence)
                    .contains("read, submit, operate, erase, webhook, committee, chaos"))
        .anySatisfy(sentence -> assertThat(sentence).startsWith("callers.roles.a.accounts"))
        .anySatisfy(sentence -> assertThat(sentence).startsWith("There is no key 'queue'"))
        .anySatisfy(sentence -> assertThat(sentence).startsWith("callers.roles.b"))
        .anySatisfy(sentence -> assertThat(sentence).startsWith("rpc.tls.certificate is missing"))
        .anySatisfy(sentence -> assertThat(sentence).startsWith("rpc.tls.private-key is missing"))
        .hasSize(6);
  }

  @Test
  void anIssuerIsReadWithWhereItsKeysAre() throws IOException {
    var jwt = "callers.jwt { issuer = \"https://login.example\", audience = node1, keys = ";
    var read =
        NodeConfiguration.read(file(LEAST + jwt + "\"https://login.example/keys\" }"))
            .guard()
            .jwt()
            .orElseThrow();

    assertThat(read.keys())
        .isEqualTo(new JwtSettings.Keys.At(URI.create("https://login.example/keys")));
    assertThat(read.nameClaim()).isEqualTo("sub");
    assertThat(NodeConfiguration.read(file(LEAST + jwt + "keys.json }")).guard().jwt())
        .hasValueSatisfying(
            it ->
                assertThat(it.keys())
                    .isEqualTo(new JwtSettings.Keys.InFile(directory.resolve("keys.json"))));
    assertThat(mistakes(LEAST + jwt + "\"http://login.example/keys\" }"))
        .singleElement()
        .asString()
        .contains("over plain HTTP");
    assertThat(mistakes(LEAST + "callers.jwt.issuer = \"https://login.example\""))
        .singleElement()
        .asString()
        .contains("callers.jwt.audience", "callers.jwt.keys");
    assertThat(mistakes(LEAST + "callers.certificates.roles.ops = [reader]"))
        .singleElement()
        .asString()
        .contains("callers.certificates.authority");
  }

  @Test
  void whatIsPendingAndInFlightIsBoundedWithoutARate() throws IOException {
    var quota = NodeConfiguration.read(file(LEAST)).guard().quota().orElseThrow();
    assertThat(quota.inFlight()).isEqualTo(1_000);
    assertThat(quota.pending()).isEqualTo(10_000);
    assertThat(
            NodeConfiguration.read(file(LEAST + "callers.quota.requests-per-second = 50"))
                .guard()
                .quota())
        .contains(new Quota(50, 1_000, 1_000, 10_000));
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, auto, 1000000",
    "localhost, auto, 1000000",
    "0.0.0.0, auto, 1000",
    "0.0.0.0, 0, 1000000",
    "0.0.0.0, 7, 7"
  })
  void whereOthersCanCallACallerHasARateUnlessItIsLifted(String host, String rate, int perSecond)
      throws IOException {
    var read =
        NodeConfiguration.read(
            file(
                LEAST
                    + "rpc.host = \"%s\"\ncallers.quota.requests-per-second = %s\n"
                        .formatted(host, rate)));

    assertThat(read.guard().quota().orElseThrow().perSecond()).isEqualTo(perSecond);
    assertThat(mistakes(LEAST + "callers.quota.requests-per-second = some"))
        .singleElement()
        .asString()
        .contains("callers.quota.requests-per-second is auto, or a whole number");
  }

  @Test
  void aCallersQuotaHasRoomForTheLargestBatch() throws IOException {
    var large = LEAST + "rpc.limits.batch-requests = 3000\n";
    assertThat(
            NodeConfiguration.read(file(large + "rpc.host = 0.0.0.0"))
                .guard()
                .quota()
                .orElseThrow()
                .burst())
        .isEqualTo(3_000);
    assertThat(NodeConfiguration.read(file(LEAST + "rpc.host = 0.0.0.0")).guard().quota())
        .contains(new Quota(1_000, 1_000, 1_000, 10_000));

    assertThat(mistakes(large + "callers.quota.requests-per-second = 50"))
        .containsExactly(
            "callers.quota.burst = 1000 is less than rpc.limits.batch-requests = 3000, and a batch"
                + " of so many would always be refused: raise the one, or lower the other.");
    var without = large + "callers.quota.requests-per-second = 0";
    assertThat(NodeConfiguration.read(file(without)).guard().quota()).isPresent();
  }

  @Test
  void aValueWhereASectionBelongsIsTold() throws IOException {
    assertThat(mistakes(LEAST + "rpc = 8545"))
        .singleElement()
        .asString()
        .contains("is a section, written rpc { ... }");
  }

  @Test
  void aMissingOrUnreadableFileIsToldInASentence() throws IOException {
    var missing = directory.resolve("missing.conf");
    assertThat(mistakesOf(missing)).singleElement().asString().contains(missing.toString());
    assertThat(mistakes("node {")).singleElement().asString().startsWith("The configuration");
    assertThat(mistakes("node.name = ${?NO_SUCH_VARIABLE}\nnode.data-directory = ${nope}"))
        .singleElement()
        .asString()
        .contains("nope");
  }

  private List<String> mistakes(String content) throws IOException {
    return mistakesOf(file(content));
  }

  private static List<String> mistakesOf(Path file) {
    return catchThrowableOfType(ConfigurationMistakes.class, () -> NodeConfiguration.read(file))
        .sentences();
  }

  private Path file(String content) throws IOException {
    return Files.writeString(directory.resolve("node.conf"), content);
  }
}
