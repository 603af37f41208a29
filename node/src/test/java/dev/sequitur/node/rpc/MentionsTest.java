package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.node.rpc.json.ObjectFormat;
import dev.sequitur.node.rpc.method.RpcMethod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * What the example of each method needs to be granted, in a file for a person to read: what is not
 * there, a caller gets without its name being granted. Written anew with -Dbuild.docs.write=true.
 */
class MentionsTest {
  private static final Path EXAMPLES =
      Path.of("src/test/resources/dev/sequitur/node/rpc/examples.json");
  private static final Path NEEDED =
      Path.of("src/test/resources/dev/sequitur/node/rpc/needed-grants.txt");

  @Test
  void theExampleOfEachMethodNeedsWhatThePageSays() throws IOException {
    var examples = RunningRpc.JSON.readTree(EXAMPLES.toFile());
    var lines = new StringBuilder();
    try (var rpc = RunningRpc.withDefaults()) {
      for (var method : rpc.server.methods().methods()) {
        lines.append(method.name()).append(": ").append(method.group().word());
        var needed = new TreeSet<String>();
        method.about().forEach(kind -> needed.add(kind.word() + " *"));
        format(method)
            .tellByPosition(
                examples.path(method.name()).path("params"),
                (mention, name) -> needed.add(mention + " " + name));
        needed.forEach(need -> lines.append(", ").append(need));
        lines.append('\n');
      }
    }
    if (Boolean.getBoolean("build.docs.write")) {
      Files.writeString(NEEDED, lines.toString());
    }

    assertThat(Files.readString(NEEDED)).isEqualTo(lines.toString());
  }

  private static ObjectFormat format(RpcMethod method) {
    return ObjectFormat.of(method.name()).with(method.parameters());
  }
}
