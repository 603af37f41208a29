package dev.sequitur.node.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.node.guard.Guard;
import dev.sequitur.node.guard.GuardSettings;
import dev.sequitur.protocol.guard.MethodGroup;
import dev.sequitur.protocol.guard.Principal;
import dev.sequitur.protocol.id.NodeName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadAgainTest {
  private static final Principal SHOP =
      new Principal(Principal.Kind.TOKEN, "shop", List.of("shop"));

  @TempDir Path directory;

  private final AtomicLong now = new AtomicLong(7);
  private final AtomicReference<Runnable> trouble = new AtomicReference<>(() -> {});
  private final AtomicReference<Executor> beside = new AtomicReference<>(Runnable::run);
  private Path file;
  private Supplier<GuardSettings> again;
  private Guard guard;

  @BeforeEach
  void begin() throws IOException {
    file = directory.resolve("node.conf");
    write("[read]");
    follow();
  }

  private void follow() {
    var first = NodeConfiguration.read(file);
    again =
        ReadAgain.of(
            "the roles of callers",
            first,
            path -> {
              trouble.get().run();
              return NodeConfiguration.read(path);
            },
            NodeConfiguration::guard,
            now::get,
            task -> beside.get().execute(task));
    guard = new Guard(first.guard(), again, InstantSource.system());
  }

  /** Of another length each time: the file's time may be the same. */
  private void write(String methods) throws IOException {
    Files.writeString(
        file,
        "node { name = node1, data-directory = data }\ncallers.roles.shop.methods = %s\n"
            .formatted(methods));
  }

  private boolean maySubmit() {
    return guard.grants().missing(SHOP, MethodGroup.SUBMIT).isEmpty();
  }

  private void passASecond() {
    now.addAndGet(Duration.ofSeconds(1).toNanos());
  }

  @Test
  void whatTheFileGrantsHoldsWithoutARestart() throws IOException {
    assertThat(maySubmit()).isFalse();

    write("[read, submit]");
    passASecond();
    assertThat(maySubmit()).isTrue();

    write("[]");
    passASecond();
    assertThat(maySubmit()).isFalse();
  }

  /** It may read secrets and ask for names, which can take long. */
  @Test
  void whoAsksTakesWhatIsThereWhileOneTaskReads() throws IOException {
    var tasks = new ArrayList<Runnable>();
    beside.set(tasks::add);
    write("[read, submit]");
    passASecond();
    assertThat(maySubmit()).isFalse();
    passASecond();
    assertThat(maySubmit()).isFalse();
    assertThat(tasks).hasSize(1);

    tasks.get(0).run();

    assertThat(maySubmit()).isTrue();
  }

  @Test
  void whatTheFileNamesMayBeRenewedJustThenSoItIsReadAgain() throws IOException {
    trouble.set(
        () -> {
          throw new ConfigurationMistakes(List.of("A key is not there."));
        });
    write("[read, submit]");
    passASecond();
    assertThat(maySubmit()).isFalse();
    trouble.set(() -> {});
    passASecond();
    assertThat(maySubmit()).as("not yet").isFalse();

    now.addAndGet(ReadAgain.READ_AGAIN_EVERY.toNanos());

    assertThat(maySubmit()).isTrue();
  }

  @Test
  void aFailureThatNobodyExpectedEndsNoCall() throws IOException {
    trouble.set(
        () -> {
          throw new IllegalStateException("Nobody knows why.");
        });
    write("[read, submit]");
    passASecond();
    assertThat(maySubmit()).isFalse();
    trouble.set(() -> {});

    now.addAndGet(ReadAgain.READ_AGAIN_EVERY.toNanos());

    assertThat(maySubmit()).isTrue();
  }

  @Test
  void whileTheFileHasAMistakeTheFormerRolesStay() throws IOException {
    write("[read, submit]");
    passASecond();
    assertThat(maySubmit()).isTrue();

    write("[reed, submit, more]");
    passASecond();
    assertThat(maySubmit()).isTrue();

    Files.delete(file);
    passASecond();
    assertThat(maySubmit()).isTrue();
  }

  @Test
  void whatIsIncludedIsWatchedAlsoFromThereOn() throws IOException {
    Files.createDirectories(directory.resolve("more"));
    Files.writeString(
        file, "node { name = node1, data-directory = data }\ninclude \"more/callers\"\n");
    Files.writeString(directory.resolve("more/callers.conf"), "include \"roles.conf\"\n");
    writeRoles("more/roles.conf", "[read]");
    follow();
    assertThat(maySubmit()).isFalse();

    writeRoles("more/roles.conf", "[read, submit]");
    passASecond();
    assertThat(maySubmit()).isTrue();

    var absolute = directory.resolve("others.conf").toAbsolutePath();
    writeRoles("others.conf", "[read]");
    Files.writeString(
        directory.resolve("more/callers.conf"), "include file(\"%s\")\n".formatted(absolute));
    passASecond();
    assertThat(maySubmit()).isFalse();

    writeRoles("others.conf", "[read, submit]");
    passASecond();
    assertThat(maySubmit()).isTrue();
  }

  @Test
  void whatIsIncludedMayComeAndGo() throws IOException {
    Files.writeString(
        file, "node { name = node1, data-directory = data }\ninclude \"roles.conf\"\n");
    follow();

    writeRoles("roles.conf", "[submit]");
    passASecond();
    assertThat(maySubmit()).isTrue();

    Files.delete(directory.resolve("roles.conf"));
    passASecond();
    assertThat(maySubmit()).isFalse();
  }

  @Test
  void whatHasChangedBetweenTheFirstReadingAndTheFirstLookIsRead() throws IOException {
    var first = NodeConfiguration.read(file);
    write("[read, submit]");

    var roles =
        ReadAgain.of(
            "the roles of callers",
            first,
            NodeConfiguration::read,
            NodeConfiguration::guard,
            now::get,
            Runnable::run);
    passASecond();

    assertThat(roles.get()).isEqualTo(NodeConfiguration.read(file).guard());
  }

  private void writeRoles(String name, String methods) throws IOException {
    Files.writeString(
        directory.resolve(name), "callers.roles.shop.methods = %s\n".formatted(methods));
  }

  @Test
  void peersThatTheFileNamesAreReadAgainAndATransportThatIsOffIsNotObeyed() throws IOException {
    var peers = directory.resolve("peers.conf");
    var text =
        """
        node { name = node1, data-directory = data }
        transport { enabled = %s, host = localhost, port = 0
          tls { certificate = c, private-key = k, authority = a }
          peers { %s } }
        """;
    Files.writeString(peers, text.formatted("true", "node2 = \"a:1\""));
    var now = new AtomicLong();
    var followed =
        ReadAgain.of(
            "its peers",
            NodeConfiguration.read(peers),
            NodeConfiguration::read,
            ReadAgain::peersOf,
            now::get,
            Runnable::run);

    Files.writeString(peers, text.formatted("true", "node2 = \"a:1, b:2\", node3 = \"c:3\""));
    now.addAndGet(Duration.ofSeconds(1).toNanos());

    assertThat(followed.get().peers())
        .containsEntry(
            new NodeName("node2"), List.of(new HostAndPort("a", 1), new HostAndPort("b", 2)))
        .containsKey(new NodeName("node3"));
    Files.writeString(peers, text.formatted("false", ""));
    now.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThat(followed.get().peers()).hasSize(2);
  }
}
