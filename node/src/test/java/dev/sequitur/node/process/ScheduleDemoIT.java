package dev.sequitur.node.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.node.console.RecordedConsole;
import dev.sequitur.node.demo.schedule.ScheduleDemo;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One story of each family on real nodes, over HTTP only. */
class ScheduleDemoIT {
  @TempDir private Path directory;

  @Test
  void eachFamilysStoryComesOutRight() {
    var console = new RecordedConsole();
    boolean holds =
        new ScheduleDemo(new ProcessStarter(), console.console(), new StopSignal())
            .run(Optional.of(directory));
    assertThat(holds).as(console.out() + console.err()).isTrue();
    assertThat(console.out())
        .contains("Multi-signature", "Recurring", "Gas priority", "Plans", "the audit of node1")
        .doesNotContain("FAILS");
  }
}
