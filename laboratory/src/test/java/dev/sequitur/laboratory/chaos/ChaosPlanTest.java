package dev.sequitur.laboratory.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.laboratory.chaos.ChaosPlan.Target;
import dev.sequitur.node.rehearsal.RehearsedFault;
import dev.sequitur.protocol.id.NodeName;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ChaosPlanTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final NodeName NODE1 = new NodeName("node1");
  private static final NodeName NODE2 = new NodeName("node2");
  private static final List<Target> TARGETS =
      List.of(
          new Target(NODE1, Set.of(NODE2), Optional.empty()),
          new Target(NODE2, Set.of(NODE1), Optional.empty()));

  @Test
  void theSameSeedPlansTheSameFaultsAndAnotherSeedOthers() {
    assertThat(ChaosPlan.of(7, MINUTE, TARGETS)).isEqualTo(ChaosPlan.of(7, MINUTE, TARGETS));
    assertThat(ChaosPlan.of(7, MINUTE, TARGETS)).isNotEqualTo(ChaosPlan.of(8, MINUTE, TARGETS));
  }

  @Test
  void allFaultsEndWithinTheTime() {
    var steps = ChaosPlan.of(1, MINUTE, TARGETS).steps();
    assertThat(steps)
        .hasSize(12)
        .allSatisfy(step -> assertThat(step.at().plus(step.lasts())).isLessThanOrEqualTo(MINUTE));
  }

  @Test
  void everyKindOfFaultHasItsTurn() {
    var kinds = new TreeSet<String>();
    ChaosPlan.of(1, MINUTE.multipliedBy(10), TARGETS)
        .steps()
        .forEach(step -> kinds.add(step.fault().kind().word()));
    assertThat(kinds).containsExactly("delay", "drop", "duplicate", "ledgerLag", "partition");
  }

  @Test
  void aNodeWithoutPeersHasOnlyFaultsOfItsLedger() {
    var alone = List.of(new Target(NODE1, Set.of(), Optional.empty()));
    assertThat(ChaosPlan.of(1, MINUTE, alone).steps())
        .allSatisfy(step -> assertThat(step.fault()).isInstanceOf(RehearsedFault.LedgerLag.class));
  }
}
