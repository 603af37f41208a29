package dev.sequitur.client.command.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.client.command.ClientCommands;
import dev.sequitur.node.process.SequiturProcess;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A command that asks a node which does not answer. */
@Tag("slow")
class AskingCommandIT {
  /** Less than the command waits for an answer, more than a busy machine needs to end a process. */
  private static final Duration SOON = Duration.ofSeconds(10);

  @TempDir private Path directory;

  @Test
  void whatWaitsForAnAnswerEndsWhenItIsAskedTo() throws Exception {
    try (var silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        var asking =
            SequiturProcess.start(
                directory,
                ClientCommands.class,
                List.of(),
                "schedule",
                "overview",
                "--node",
                "http://127.0.0.1:" + silent.getLocalPort());
        var connection = silent.accept()) {
      assertThat(connection.getInputStream().read()).as("it asks").isPositive();

      SequiturProcess.signal("TERM", asking.pid());

      assertThat(asking.awaitExit(SOON)).isNotZero();
    }
  }
}
