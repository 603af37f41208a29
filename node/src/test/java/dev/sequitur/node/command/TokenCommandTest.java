package dev.sequitur.node.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.console.RecordedConsole;
import dev.sequitur.console.StopSignal;
import dev.sequitur.node.guard.TokenFile;
import dev.sequitur.node.process.ProcessStarter;
import dev.sequitur.protocol.guard.ApiTokens.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenCommandTest {
  @TempDir Path directory;

  private RecordedConsole console = new RecordedConsole();

  @BeforeEach
  void configure() throws IOException {
    Files.writeString(
        directory.resolve("node.conf"), "node { name = node1, data-directory = data }\n");
  }

  @Test
  void aTokenIsMadeListedAndRevoked() throws IOException {
    assertThat(run("create", "ci", "--role", "reader", "--expires", "2h")).isZero();
    var token = console.out().strip();
    assertThat(token).startsWith("sqt_").hasLineCount(1);
    assertThat(console.err()).contains("ci of reader, until ").doesNotContain(token);
    var now = Instant.now();
    assertThat(tokens().read().check(token, now)).isInstanceOf(Verdict.Accepted.class);
    assertThat(tokens().read().check(token, now.plus(Duration.ofHours(2))))
        .isInstanceOf(Verdict.Refused.class);

    console = new RecordedConsole();
    assertThat(run("list")).isZero();
    assertThat(console.out()).contains("ci", "reader", "expires ").doesNotContain(token);

    assertThat(run("revoke", "ci")).isZero();
    assertThat(tokens().read().check(token, Instant.now())).isInstanceOf(Verdict.Refused.class);
  }

  @Test
  void whatCannotBeMadeOrRevokedIsToldInASentence() {
    assertThat(run("create", "ci", "--role", "nobody")).isEqualTo(2);
    assertThat(console.err()).contains("no role nobody: the configuration has owner, reader.");
    assertThat(run("create", "two words", "--role", "reader")).isEqualTo(2);
    assertThat(run("revoke", "ci")).isEqualTo(2);
    assertThat(console.err()).contains("There is no token ci");
    assertThat(run("create", "ci", "--role", "reader", "--expires", "soon")).isEqualTo(2);
    assertThat(console.err()).contains("90d, 12h or 30m");
  }

  private TokenFile tokens() {
    return new TokenFile(directory.resolve("data/tokens.json"));
  }

  private int run(String... words) {
    var line = new String[words.length + 3];
    line[0] = "token";
    System.arraycopy(words, 0, line, 1, words.length);
    line[words.length + 1] = "--config";
    line[words.length + 2] = directory.resolve("node.conf").toString();
    return NodeCommands.commandLine(
            new CommandContext(console.console(), new StopSignal(), new ProcessStarter()))
        .execute(line);
  }
}
