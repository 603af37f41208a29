package dev.sequitur.node.hapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sequitur.node.hapi.HederaPrograms.Program;
import dev.sequitur.node.network.Jvm;
import dev.sequitur.node.network.Network;
import dev.sequitur.node.network.NetworkPlan;
import dev.sequitur.node.network.Parties;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.security.KeyPair;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node of two JVMs, each with a front of its own node account, and one of Hedera's clients that
 * knows both. The JVM that has the queue dies between the creation of one schedule and its
 * signatures, and between the signatures of another: what the client does by itself completes both,
 * once.
 */
@Tag("slow")
@Timeout(600)
class HederaFrontsIT {
  private static FileChannel turn;

  @BeforeAll
  static void takeTurn() throws IOException {
    turn = HederaPrograms.takeTurn();
  }

  @AfterAll
  static void endTurn() throws IOException {
    turn.close();
  }

  private static final String SDK = "@hiero-ledger/sdk";
  private static final String PROGRAM = "fronts.mjs";
  private static final Pattern FRONT = Pattern.compile("Hedera's clients (\\S+)");

  @TempDir private Path directory;
  private final KeyPair operator = SigningClient.ed25519();
  private Network network;

  @BeforeEach
  void start() {
    var key = SigningClient.publicKey(operator).value().toHex().replaceFirst("^0x", "");
    var settings =
        NetworkPlan.ONE_RANGE
            + "scheduler.multi-signature.profile = current\n"
            // Before the client's own deadline, as by default.
            + "hapi.timeouts.call = 3s\n"
            + "hapi { enabled = true, port = 0, account = \"%s\", operator.key = \"ed25519:%s\" }\n"
                .formatted(NetworkPlan.FRONT, key);
    network = Network.start(directory, NetworkPlan.of(settings, 2, 1));
  }

  @AfterEach
  void stop() {
    if (network != null) {
      network.close();
    }
  }

  @Test
  void whatAClientHasBegunItCompletesByItselfWhenTheJvmOfTheQueueDies()
      throws IOException, InterruptedException {
    var jvms = network.jvms(1);
    var created = run("create", jvms);
    assertThat(created.said())
        .as(created.output())
        .isEqualTo(
            """
            sent: SUCCESS
            sent: SUCCESS
            taker has: 3 tℏ
            schedule: SUCCESS
            schedule: SUCCESS
            sign: SUCCESS
            """);
    var holder = awaitHolder(jvms);
    var other = jvms.stream().filter(jvm -> jvm != holder).findFirst().orElseThrow();
    holder.kill();

    var signed = run("sign", List.of(holder, other));

    assertThat(signed.said())
        .as(signed.output())
        .isEqualTo(
            """
            sign the same: SUCCESS
            sign: SUCCESS
            it ran: SUCCESS
            sign: SUCCESS
            sign: SUCCESS
            it ran: SUCCESS
            sign again: SCHEDULE_ALREADY_EXECUTED
            taker has: 19 tℏ
            """);
  }

  /** A JVM counts what waits in its queues every so often. */
  private static Jvm awaitHolder(List<Jvm> jvms) {
    return await()
        .atMost(Parties.PATIENCE)
        .until(
            () -> jvms.stream().filter(HederaFrontsIT::hasTheQueue).findFirst(),
            Optional::isPresent)
        .orElseThrow();
  }

  private static boolean hasTheQueue(Jvm jvm) {
    return Stream.of(jvm.caller().get("/metrics").split("\n"))
        .filter(line -> line.startsWith("sequitur_schedule_open "))
        .anyMatch(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)) > 0);
  }

  private HederaPrograms.Run run(String step, List<Jvm> jvms)
      throws IOException, InterruptedException {
    var fronts = String.join(",", jvms.stream().map(this::front).toList());
    var program =
        Program.of(
            PROGRAM,
            step,
            directory.resolve("begun.json").toString(),
            fronts,
            SigningClient.secret(operator),
            SDK);
    return new HederaPrograms(directory).javaScript(SDK, List.of(), List.of(program)).get(PROGRAM);
  }

  /** Its address and its node account. */
  private String front(Jvm jvm) {
    var address =
        await()
            .atMost(Parties.PATIENCE)
            .until(() -> address(jvm.output()), Optional::isPresent)
            .orElseThrow();
    return address + "=0.0." + (3 + network.jvms(1).indexOf(jvm));
  }

  private static Optional<String> address(String output) {
    return Stream.of(FRONT.matcher(output)).filter(m -> m.find()).map(m -> m.group(1)).findFirst();
  }
}
