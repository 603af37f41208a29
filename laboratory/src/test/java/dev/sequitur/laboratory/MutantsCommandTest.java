package dev.sequitur.laboratory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code .ci/mutants}, with a Maven that does nothing but have a JVM of PIT. */
class MutantsCommandTest {
  private static final Path SCRIPT = Path.of("../.ci/mutants");
  private static final Duration MOST = Duration.ofMinutes(1);
  private static final int TERMINATED = 143;
  private static final String MAVEN =
      """
      #!/bin/sh
      sleep 600 &
      echo $! > "$0.jvm"
      echo $$ > "$0.maven"
      wait
      """;

  @TempDir private Path directory;

  @AfterEach
  void kill() throws IOException {
    for (var name : new String[] {"mvn.maven", "mvn.jvm"}) {
      if (Files.exists(directory.resolve(name))) {
        process(name).ifPresent(ProcessHandle::destroyForcibly);
      }
    }
  }

  @Test
  void whoEndsItEndsTheMavenThatItStartedAndItsJvms() throws Exception {
    var command =
        new ProcessBuilder(SCRIPT.toString(), "no-such-module", "no.such.package.*")
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("output").toFile());
    Files.writeString(directory.resolve("mvn"), MAVEN);
    assertThat(directory.resolve("mvn").toFile().setExecutable(true)).isTrue();
    command
        .environment()
        .merge("PATH", directory.toString(), (path, own) -> own + File.pathSeparator + path);
    var script = command.start();
    await().atMost(MOST).until(() -> Stream.of("mvn.maven", "mvn.jvm").allMatch(this::hasPid));
    var maven = process("mvn.maven").orElseThrow();
    var jvm = process("mvn.jvm").orElseThrow();

    script.destroy();

    assertThat(script.waitFor(MOST.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(script.exitValue()).isEqualTo(TERMINATED);
    await().atMost(MOST).until(() -> !maven.isAlive() && !jvm.isAlive());
  }

  private boolean hasPid(String name) {
    try {
      var file = directory.resolve(name);
      return Files.exists(file) && Files.readString(file).endsWith("\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Optional<ProcessHandle> process(String name) throws IOException {
    return ProcessHandle.of(Long.parseLong(Files.readString(directory.resolve(name)).strip()));
  }
}
