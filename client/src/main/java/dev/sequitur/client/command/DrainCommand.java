package dev.sequitur.client.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.console.SequiturCommand.EndsAtOnce;
import dev.sequitur.protocol.text.Counted;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;

/** {@code sequitur drain}. */
@Command(
    name = "drain",
    description = {
      "Has one JVM of a node leave and end, as SIGTERM does: it says that it is not ready, sends"
          + " callers elsewhere, hands over what it has, and ends. The others of the node go on. To"
          + " call again changes nothing.",
      ""
    },
    footer = {"", "Example:", "  sequitur drain --node http://127.0.0.1:8545"})
final class DrainCommand extends AskingCommand implements Callable<Integer>, EndsAtOnce {
  @Override
  public Integer call() {
    print(node().call("node_drain"), DrainCommand::text);
    return ExitCode.OK;
  }

  private static String text(JsonNode drain) {
    long others = drain.path("otherJvms").asLong();
    return others == 0
        ? "The JVM leaves at once, since the node has no other: nobody is served until one is started."
        : "The JVM leaves: callers go to %s of the node; it hands over what it has within %d s, then ends."
            .formatted(
                Counted.of(others, "other JVM"),
                Duration.parse(drain.path("atMost").asText()).toSeconds());
  }
}
