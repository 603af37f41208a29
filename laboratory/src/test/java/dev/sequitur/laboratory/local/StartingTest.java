package dev.sequitur.laboratory.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.node.process.StartFailure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StartingTest {
  private static final String LEFT_OUT = "echo left out; exit 3";
  private static final String SERVES = "echo Node is up; exec sleep 600";

  @TempDir private Path directory;
  private final List<ChildProcess> started = new ArrayList<>();

  @AfterEach
  void kill() {
    started.forEach(ChildProcess::kill);
  }

  @Test
  void whoWasLeftOutIsStartedAgainUntilItServes() {
    var next = new ArrayList<>(List.of(LEFT_OUT, SERVES));

    var up = starting(Duration.ofMinutes(1)).await(run(LEFT_OUT), () -> run(next.remove(0)));

    assertThat(started).hasSize(3);
    assertThat(up).isSameAs(started.get(2));
    assertThat(up.isAlive()).isTrue();
    assertThat(started.get(0).wasLeftOut()).isTrue();
  }

  @Test
  void whoEndsOtherwiseIsNotStartedAgain() {
    assertThatThrownBy(
            () ->
                starting(Duration.ofMinutes(1))
                    .await(run("echo port taken; exit 1"), () -> run(SERVES)))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("has ended: port taken");
    assertThat(started).hasSize(1);
  }

  @Test
  void whoTakesTooLongIsToldWithTheTimeAndTheRemedy() {
    assertThatThrownBy(
            () -> starting(Duration.ofMillis(1)).await(run("exec sleep 600"), () -> run(SERVES)))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("not up after 0 s")
        .hasMessageEndingWith("more time.");
  }

  private static Starting starting(Duration most) {
    return new Starting("is up", most, ", or give it more time");
  }

  private ChildProcess run(String script) {
    var process = ChildProcess.run("jvm", directory, List.of("sh", "-c", script));
    started.add(process);
    return process;
  }
}
