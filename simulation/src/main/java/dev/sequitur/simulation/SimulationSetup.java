package dev.sequitur.simulation;

import dev.sequitur.protocol.selection.SelectionPolicy;
import dev.sequitur.protocol.settings.SequencerSettings;
import dev.sequitur.protocol.submitter.SubmitterSetup;
import java.time.Duration;

/**
 * What a simulated network is like before anything goes wrong in it.
 *
 * @param endorsers how many of the nodes must endorse
 * @param confirmations blocks upon a block that make it final
 * @param tick between two looks of a machine at its deadlines
 */
record SimulationSetup(
    long seed,
    int nodes,
    int contracts,
    int endorsers,
    SelectionPolicy policy,
    SequencerSettings settings,
    SubmitterSetup.Gas gas,
    Duration blockInterval,
    int confirmations,
    Duration tick) {

  /** One contract, everybody endorses, a block a second, one range for the whole run. */
  static SimulationSetup of(int nodes) {
    return new SimulationSetup(
        1,
        nodes,
        1,
        nodes,
        new SelectionPolicy(1_000_000, 16),
        SequencerSettings.DEFAULT,
        SubmitterSetup.Gas.DEFAULT,
        Duration.ofSeconds(1),
        0,
        Duration.ofMillis(100));
  }

  SimulationSetup seed(long newSeed) {
    return new SimulationSetup(
        newSeed,
        nodes,
        contracts,
        endorsers,
        policy,
        settings,
        gas,
        blockInterval,
        confirmations,
        tick);
  }

  SimulationSetup contracts(int number) {
    return new SimulationSetup(
        seed, nodes, number, endorsers, policy, settings, gas, blockInterval, confirmations, tick);
  }

  SimulationSetup endorsers(int number) {
    return new SimulationSetup(
        seed, nodes, contracts, number, policy, settings, gas, blockInterval, confirmations, tick);
  }

  SimulationSetup rangeSize(long blocks) {
    return new SimulationSetup(
        seed,
        nodes,
        contracts,
        endorsers,
        new SelectionPolicy(blocks, policy.virtualNodes()),
        settings,
        gas,
        blockInterval,
        confirmations,
        tick);
  }

  SimulationSetup settings(SequencerSettings newSettings) {
    return new SimulationSetup(
        seed,
        nodes,
        contracts,
        endorsers,
        policy,
        newSettings,
        gas,
        blockInterval,
        confirmations,
        tick);
  }

  SimulationSetup gas(SubmitterSetup.Gas newGas) {
    return new SimulationSetup(
        seed,
        nodes,
        contracts,
        endorsers,
        policy,
        settings,
        newGas,
        blockInterval,
        confirmations,
        tick);
  }

  SimulationSetup confirmations(int blocks) {
    return new SimulationSetup(
        seed, nodes, contracts, endorsers, policy, settings, gas, blockInterval, blocks, tick);
  }
}
