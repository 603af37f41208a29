package dev.sequitur.benchmarks.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What {@code benchmarks/run cluster} prints, of a short run. */
@Tag("slow")
class ClusterCostIT {
  @Test
  void aNodeOfOneJvmAndOneOfTwoAreMeasuredAndTenComputed() {
    var output = new ByteArrayOutputStream();
    var before = System.out;
    System.setOut(new PrintStream(output, true, StandardCharsets.UTF_8));
    int exit;
    try {
      exit =
          new CommandLine(new ClusterCost())
              .execute(
                  "--jvms=1,2",
                  "--contracts=3",
                  "--transactions=60",
                  "--warm-up=30",
                  "--settle=1",
                  "--idle=1",
                  "--rate=50");
    } finally {
      System.setOut(before);
    }

    var printed = output.toString(StandardCharsets.UTF_8);
    assertThat(exit).as(printed).isZero();
    assertThat(printed)
        .contains("1 node of 1 JVM,", "1 node of 2 JVMs,", "node1 JVM 2", "1 node of 10 JVMs");
    assertThat(printed).containsPattern("node1 JVM 1 +[0-9.]*[1-9][0-9.]* ms \\| +[0-9.]*[1-9]");
  }
}
