package dev.sequitur.multijvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.fixture.FreePorts;
import dev.sequitur.fixture.TestPostgres;
import dev.sequitur.node.network.Parties;
import dev.sequitur.node.process.SequiturProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.scalatest.tools.Runner;

/**
 * Specifications for Akka's multi-node test kit: each JVM of a node runs the same one under
 * ScalaTest, and one of them conducts.
 */
@Timeout(1_500)
@Tag("slow")
@Tag("alone")
class InsideANodeIT {
  /** Several waits of a specification, one after another. */
  private static final Duration PATIENCE = Parties.PATIENCE.multipliedBy(2);

  @TempDir Path directory;

  @Test
  void aPartitionInsideANodeIsDecidedByTheLeaseAndNothingIsWrittenTwice() throws IOException {
    run(SplitNodeSpec.class);
  }

  @Test
  void sendersWithUnfinishedWorkWakeElsewhereAfterTheirJvmIsCutOff() throws IOException {
    run(UnfinishedWorkSpec.class);
  }

  private void run(Class<? extends OneNodeSpec> specification) throws IOException {
    var plan = SpecNetwork.plan();
    int port = FreePorts.inARow(plan.ports() + 1 + NodeMember.JVMS);
    var network = new SpecNetwork(directory, port);
    var processes = new ArrayList<SequiturProcess>();
    try (var postgres = TestPostgres.start()) {
      var ledger = network.write(plan, postgres).toString();
      processes.add(SequiturProcess.start(directory, "ledger", "--config", ledger));
      processes.get(0).awaitLine("The ledger is up");
      network.ledgerIs(processes.get(0).pid());
      for (int number = 0; number < NodeMember.JVMS; number++) {
        processes.add(member(specification, number, port, port + plan.ports()));
      }
      for (var jvm : processes.subList(1, processes.size())) {
        assertThat(jvm.awaitExit(PATIENCE)).as(() -> jvm.output()).isZero();
      }
    } finally {
      processes.forEach(SequiturProcess::close);
    }
  }

  private SequiturProcess member(
      Class<? extends OneNodeSpec> specification, int number, int port, int conductor) {
    var flags = new ArrayList<>(List.of("-Dmultinode.max-nodes=" + NodeMember.JVMS));
    flags.add("-D" + NodeMember.NUMBER + "=" + number);
    flags.add("-Dmultinode.host=127.0.0.1");
    flags.add("-Dmultinode.port=" + (conductor + 1 + number));
    flags.add("-Dmultinode.server-host=127.0.0.1");
    flags.add("-Dmultinode.server-port=" + conductor);
    flags.add("-D" + SpecNetwork.DIRECTORY + "=" + directory);
    flags.add("-D" + SpecNetwork.PORT + "=" + port);
    return SequiturProcess.start(
        directory, Runner.class, flags, "-s", specification.getName(), "-oWF");
  }
}
