package dev.sequitur.multijvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.links.tls.Certificates;
import dev.sequitur.links.tls.Certificates.Issued;
import dev.sequitur.links.tls.Certificates.Validity;
import dev.sequitur.node.network.Group;
import dev.sequitur.node.network.Intents;
import dev.sequitur.node.network.Network;
import dev.sequitur.node.network.NetworkPlan;
import dev.sequitur.node.process.SequiturProcess;
import dev.sequitur.protocol.id.NodeName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The JVMs of a node get a new authority and new certificates while they run, as docs/operations.md
 * says: first both authorities are trusted, then the certificates are replaced, then the old
 * authority is withdrawn.
 */
@Timeout(1_500)
@Tag("slow")
class RotatedCertificatesIT {
  private static final int NODE = 1;
  private static final int GROUPS = 6;
  private static final int START_FAILED = 1;
  private static final Validity VALIDITY =
      new Validity(
          Instant.now().minus(Duration.ofHours(1)), Instant.now().plus(Duration.ofDays(90)));

  /** Instead of a minute. */
  private static final String SOON =
      "\nakka.cluster.shutdown-after-unsuccessful-join-seed-nodes = 20s\n";

  @TempDir Path directory;

  @Test
  void aJvmThatRunsAcceptsTheNewCertificateAndRefusesThatOfTheWithdrawnAuthority()
      throws IOException {
    try (var network = Network.start(directory, NetworkPlan.of(NetworkPlan.ONE_RANGE, 2))) {
      var intents = new Intents(network);
      var groups = Group.create(network, 1, GROUPS);
      groups.forEach(group -> intents.send(NODE, group));
      intents.awaitSuccess();

      rotate();
      // What is connected stays so.
      groups.forEach(group -> intents.send(NODE, group));
      intents.awaitSuccess();

      // It joins the one that was started with the old certificate.
      var second = network.jvm(NODE, 2);
      second.stop();
      second.startAgain();
      groups.forEach(group -> intents.send(NODE, group));
      intents.awaitSuccess();

      second.stop();
      assertIsRefused();
      network.heal();
      groups.forEach(group -> intents.send(NODE, group));
      intents.assertEachCountedOnce();
    }
  }

  /** Leaves in {@code withdrawn} what a JVM would have that missed the last step. */
  private void rotate() throws IOException {
    var authority = file("certificates", "authority.pem");
    var old = Files.readString(authority);
    var successor = Certificates.authority("the next authority", VALIDITY);
    Certificates.write(successor, file("next", "authority.pem"), file("next", "authority.key.pem"));
    var next = Files.readString(file("next", "authority.pem"));
    replace(authority, old + next);
    copyToWithdrawn("node1.pem");
    copyToWithdrawn("node1.key.pem");
    copyToWithdrawn("authority.pem");
    writeCertificate(successor);
    replace(authority, next);
  }

  private void writeCertificate(Issued authority) throws IOException {
    Certificates.write(
        Certificates.node(authority, new NodeName("node1"), VALIDITY),
        file("certificates", "node1.pem"),
        file("certificates", "node1.key.pem"));
  }

  private void copyToWithdrawn(String name) throws IOException {
    Files.copy(file("certificates", name), file("withdrawn", name));
  }

  private static void replace(Path file, String content) throws IOException {
    var fresh = Files.writeString(file.resolveSibling("fresh"), content);
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private Path file(String folder, String name) throws IOException {
    return Files.createDirectories(directory.resolve(folder)).resolve(name);
  }

  /** Its own files are in order; it is the other JVM that does not let it in. */
  private void assertIsRefused() throws IOException {
    var file = directory.resolve("withdrawn.conf");
    var settings = Files.readString(directory.resolve("node1-2.conf"));
    Files.writeString(file, settings.replace("certificates/", "withdrawn/") + SOON);
    try (var refused = SequiturProcess.start(directory, "start", "--config", file.toString())) {
      assertThat(refused.awaitExit()).as(refused.output()).isEqualTo(START_FAILED);
      assertThat(refused.output()).contains("found no other JVM of its node to join");
    }
  }
}
