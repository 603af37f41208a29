package dev.sequitur.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.simulation.SimulatedDomain.Function;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A node of several JVMs, one of which joins, dies, or is left out and does not know it. */
final class SeveralJvmsTest {
  private final Simulation network = networkWhereAHasThree();
  private final SimulatedNode node = network.node("a");
  private final SimulatedJvms jvms = node.jvms();

  private static Simulation networkWhereAHasThree() {
    for (long seed = 1; ; seed++) {
      var network = new Simulation(SimulationSetup.of(3).withSeed(seed).withJvms(3));
      if (network.node("a").jvms().count() == 3) {
        network.run(Duration.ofMillis(300));
        return network;
      }
    }
  }

  private ContractMachines machines() {
    return node.running().entities(network.contract());
  }

  /** The JVM that has the contract's entities. */
  private NodeLife home() {
    return machines().sender().node();
  }

  private void settles() {
    assertThat(network.runUntil(network::isSettled, Duration.ofSeconds(60))).isTrue();
  }

  private void mint() {
    network.submit(node.name(), network.contract(), Function.MINT, "");
  }

  @Test
  void whatANodeHasOfAContractIsInTheOneJvmThatItBelongsTo() {
    var place = jvms.placeOf(network.contract().value());

    assertThat(machines().all().map(Shell::node)).containsOnly(place);
    for (int i = 0; i < 6; i++) {
      mint();
    }
    settles();
    assertThat(network.invariants().fulfilled()).hasSize(6);
  }

  @Test
  void theOthersTakeOverFromAJvmThatHasDied() {
    mint();
    var lost = home();
    jvms.die(lost, Optional.empty());

    assertThat(machines().all()).noneMatch(Shell::isHere);
    mint();
    settles();
    assertThat(jvms.members()).hasSize(2).contains(home()).doesNotContain(lost);
  }

  @Test
  void entitiesThatMoveToAJvmThatJoinsAreToldWhatCameMeanwhile() {
    var lost = home();
    jvms.die(lost, Optional.of(Duration.ofSeconds(10)));
    network.run(Duration.ofMillis(9_900));
    assertThat(home()).isNotEqualTo(lost);
    for (int i = 0; i < 20; i++) {
      network.run(Duration.ofMillis(100));
      mint();
    }
    settles();

    assertThat(home().jvm()).isEqualTo(lost.jvm());
    assertThat(network.faults()).containsKey(Fault.ENTITIES_MOVED);
  }

  @Test
  void aJvmThatIsLeftOutGoesOnUntilTheStoreRefusesWhatItWrites() {
    var out = home();
    jvms.leaveOut(out);
    assertThat(out.isAlive()).isTrue();
    assertThat(out.fellows()).isEqualTo(List.of(out));
    for (int i = 0; i < 12; i++) {
      mint();
    }
    network.run(Duration.ofSeconds(4));
    for (int i = 0; i < 12; i++) {
      mint();
    }
    settles();

    assertThat(out.isAlive()).isFalse();
    assertThat(network.faults()).containsKey(Fault.WRITE_REFUSED);
    assertThat(home()).isNotEqualTo(out);
    network.run(Duration.ofSeconds(30));
    assertThat(Stillness.leftOvers(network)).isEmpty();
  }

  @Test
  void ofTwoLivesOfAnEntityOneWritesAndTheOtherBeginsAnew() {
    var first = machines();
    var out = home();
    jvms.leaveOut(out);
    network.run(Duration.ofMillis(700));
    var second = machines();
    assertThat(second.submitter()).isNotSameAs(first.submitter());
    assertThat(second.submitter().isCurrent()).isTrue();
    assertThat(first.sender().isHere()).isTrue();
    assertThat(first.sender().isCurrent()).as("whose next life has begun an epoch").isFalse();
  }

  @Test
  void aNodeOfOneJvmHasAllOfItThere() {
    var one = new Simulation(SimulationSetup.of(3));

    assertThat(one.nodes()).allMatch(each -> each.jvms().members().size() == 1);
  }
}
