package dev.sequitur.node.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.guard.ApiToken;
import dev.sequitur.protocol.guard.ApiTokens;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenFileTest {
  private static final Instant NOW = Instant.parse("2026-11-25T10:00:00Z");

  @TempDir Path directory;

  private final AtomicLong nanos = new AtomicLong(-5);
  private Path path;
  private TokenFile node;
  private TokenFile command;

  @BeforeEach
  void begin() {
    path = directory.resolve("tokens.json");
    node = new TokenFile(path, nanos::get);
    command = new TokenFile(path);
  }

  @Test
  void aRunningNodeSeesANewTokenAndARevokedOneAQuarterOfASecondLater() throws IOException {
    assertThat(node.current()).isEqualTo(ApiTokens.NONE);
    var made = make("ci", 1);

    assertThat(node.current()).isEqualTo(ApiTokens.NONE);
    later();
    assertThat(node.current().list()).containsExactly(made.token());

    command.update(tokens -> tokens.revoke("ci", NOW));
    later();
    assertThat(node.current().check(made.secret(), NOW))
        .isInstanceOf(ApiTokens.Verdict.Refused.class);
  }

  @Test
  void theFileHasAllButTheSecretAndIsItsOwnersAlone() throws IOException {
    var made = make("ci", 1);

    assertThat(Files.readString(path)).contains("ci").doesNotContain(made.secret().substring(21));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
        .isEqualTo("rw-------");
    assertThat(command.read().list()).containsExactly(made.token());
  }

  @Test
  void whileTheFileIsDamagedTheNodeKeepsWhatItKnows() throws IOException {
    var made = make("ci", 1);
    assertThat(node.current().list()).hasSize(1);
    Files.writeString(path, "{");
    later();

    assertThat(node.current().list()).containsExactly(made.token());
    assertThatThrownBy(() -> command.update(tokens -> tokens))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is damaged");
    assertThat(Files.readString(path)).isEqualTo("{");
  }

  @Test
  void withoutItsFileNoTokenHolds() throws IOException {
    make("ci", 1);
    assertThat(node.current().list()).hasSize(1);
    Files.delete(path);
    later();

    assertThat(node.current()).isEqualTo(ApiTokens.NONE);
  }

  private void later() {
    nanos.addAndGet(Duration.ofMillis(250).toNanos());
  }

  private ApiToken.Made make(String name, int first) throws IOException {
    var chance = new byte[40];
    chance[0] = (byte) first;
    var made =
        ApiToken.make(new ApiToken.Grant(name, List.of("owner"), NOW, Optional.empty()), chance);
    command.update(tokens -> tokens.with(made.token(), NOW));
    return made;
  }
}
