package dev.sequitur.node.hapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.node.hapi.HederaPrograms.Program;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.security.KeyPair;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Coins of a group over two nodes, released at the front of one of them by three users of Hedera's
 * SDK, unchanged.
 */
@Tag("slow")
class PrivateReleaseIT {
  private final SigningClient client = new SigningClient();
  private final List<KeyPair> keys = Stream.generate(SigningClient::ed25519).limit(3).toList();
  private FileChannel turn;
  private GroupOverTwoNodes group;

  @BeforeEach
  void start(@TempDir Path directory) throws IOException {
    turn = HederaPrograms.takeTurn();
    group = new GroupOverTwoNodes(directory, client.operator, keys);
  }

  @AfterEach
  void stop() throws IOException {
    if (group != null) {
      group.close();
    }
    turn.close();
  }

  @Test
  void threeUsersOfTheSdkReleaseCoinsToTheOtherNodeAndNobodyElseSeesThem(@TempDir Path said)
      throws IOException, InterruptedException {
    var call =
        "{\"domain\":\"token\",\"function\":\"transfer\",\"from\":\"alice@node1\",\"inputs\":{\"to\":\"bob@node2\",\"amount\":\"7\"}}";
    var given =
        Stream.concat(
            Stream.of(
                "127.0.0.1:" + group.front.port(),
                SigningClient.secret(client.operator),
                group.contract,
                call),
            keys.stream().map(SigningClient::secret));
    var release = new Program("Release", given.toList());

    var run = new HederaPrograms(said).java(List.of(release)).get("Release");

    assertThat(run.said())
        .as(run.output())
        .isEqualTo(
            """
            scheduled: SUCCESS
            released: false
            signed: SUCCESS
            released: false
            signed: SUCCESS
            released: false
            signed: SUCCESS
            it ran: SUCCESS
            """);
    group.assertReleased(7);
  }
}
