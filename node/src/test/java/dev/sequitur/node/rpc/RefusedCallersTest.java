package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.node.guard.AuditFiles;
import dev.sequitur.protocol.guard.MethodGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may do nothing fills no disk. */
class RefusedCallersTest {
  @TempDir Path directory;

  @Test
  void refusalsOfOneCallerAreWrittenTogetherAfterSome() throws IOException {
    var reads = GuardedCallers.role(Set.of(MethodGroup.READ), "*", "*", "*", "*");
    try (var callers = new GuardedCallers(directory, Map.of("reader", reads))) {
      var call = RunningRpc.request("schedule_pause", "[{}]").toString();
      var batch = "[" + String.join(",", Collections.nCopies(500, call)) + "]";

      for (int i = 0; i < 4; i++) {
        assertThat(RunningRpc.parse(callers.post("reader", batch)))
            .allSatisfy(
                answer ->
                    assertThat(answer.at("/error/data/code").textValue()).isEqualTo("SQ010013"));
      }

      var lines = Files.readAllLines(new AuditFiles(directory.resolve("audit")).list().getFirst());
      assertThat(lines.stream().filter(line -> line.contains("token:reader")))
          .hasSizeBetween(20, 30);
    }
  }
}
