package dev.sequitur.ethereum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalChainTest {
  @TempDir private Path directory;

  /** npm puts a script on the path, which starts the program: both have to end. */
  @Test
  void aChainThatAScriptHasStartedEndsWithIt() throws IOException {
    var script = directory.resolve("anvil");
    Files.writeString(script, "#!/bin/sh\n'%s' \"$@\" &\nwait\n".formatted(Anvil.installed()));
    assertThat(script.toFile().setExecutable(true)).isTrue();

    var chain =
        LocalChain.start(
            script, LocalChain.Options.of(1337, Optional.empty(), 30_000_000, List.of()));
    var started = chain.process().descendants().toList();
    assertThat(started).isNotEmpty();
    chain.close();

    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> started.stream().noneMatch(ProcessHandle::isAlive));
  }

  /** Its last line only tells where there is help. */
  @Test
  void whatTheProgramSaysAgainstAStateIsTold() throws IOException {
    var state = directory.resolve("chain.json");
    Files.writeString(state, "{\"block\":");
    var options =
        new LocalChain.Options(
            1337, 0, Optional.empty(), 30_000_000, 0, Optional.of(state), List.of());

    assertThatThrownBy(() -> LocalChain.start(Anvil.installed(), options))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(state.toString());
  }
}
