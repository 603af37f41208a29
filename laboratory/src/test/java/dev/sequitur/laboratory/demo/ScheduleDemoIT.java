package dev.sequitur.laboratory.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sequitur.laboratory.Main;
import dev.sequitur.node.process.JsonRpcCaller;
import dev.sequitur.node.process.SequiturProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One story of each family on real nodes, over HTTP only. */
@Tag("slow")
class ScheduleDemoIT {
  @TempDir private Path directory;

  @Test
  void eachFamilysStoryComesOutRightAndWithKeepRunningTheNodesStayUp() {
    try (var demo = start("--keep-running")) {
      demo.awaitLine("The nodes stay up until Ctrl-C");
      // Each finding is a line that begins so, or with FAILS.
      assertThat(demo.output())
          .contains("Multi-signature", "Recurring", "Gas priority", "Plans")
          .contains("was killed by SIGKILL and is gone")
          .containsPattern("  holds  the audit of node1")
          .containsPattern("  holds  the audit of the killed node")
          .doesNotContain("FAILS");
      var node = new JsonRpcCaller(demo.awaitLine("  node1  (http://\\S+)").group(1));

      assertThat(node.result("schedule_audit", "[]").get("conserved").asBoolean()).isTrue();
      // As Java ends on SIGTERM, after everything was stopped in order.
      assertThat(demo.stop()).isEqualTo(143);
    }
  }

  @Test
  void aDemonstrationThatIsStoppedLeavesNoProcessBehind() {
    try (var demo = start()) {
      long own = Long.parseLong(demo.awaitLine("It is up, as process (\\d+)").group(1));
      assertThat(isAlive(own)).isTrue();

      assertThat(demo.stop()).isNotZero();

      await().atMost(Duration.ofSeconds(60)).until(() -> !isAlive(own));
    }
  }

  /** Only the parent is killed: nobody else asks the child to stop. */
  @Test
  void aDemonstrationThatIsKilledLeavesNoProcessBehind() {
    try (var demo = start()) {
      long own = Long.parseLong(demo.awaitLine("It is up, as process (\\d+)").group(1));
      assertThat(isAlive(own)).isTrue();

      demo.kill();

      await().atMost(Duration.ofSeconds(60)).until(() -> !isAlive(own));
    }
  }

  private SequiturProcess start(String... more) {
    var line = Stream.concat(Stream.of("demo", "--schedules"), Stream.of(more));
    return SequiturProcess.start(directory, Main.class, List.of(), line.toArray(String[]::new));
  }

  private static boolean isAlive(long pid) {
    return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
  }
}
