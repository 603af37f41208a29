package dev.sequitur.simulation;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.funding.FundingSettings;
import dev.sequitur.protocol.selection.SelectionPolicy;
import dev.sequitur.protocol.settings.SequencerSettings;
import dev.sequitur.protocol.submitter.SubmitterSetup;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a simulated network is like before anything goes wrong in it.
 *
 * @param jvms the most that a node has
 * @param endorsers how many of the nodes must endorse
 * @param confirmations blocks upon a block that make it final
 * @param tick between two looks of a machine at its deadlines
 * @param changes blocks that give each group other keys and another threshold, ascending
 * @param stolenKeys whether some of them leave the committee before a few blocks only
 * @param removals whether they also remove members, and add them again
 * @param funding where gas costs money: how each node sees to it; elsewhere all keys have enough
 */
@Copyable
record SimulationSetup(
    long seed,
    int nodes,
    int jvms,
    int contracts,
    int endorsers,
    SelectionPolicy policy,
    SequencerSettings settings,
    SubmitterSetup.Gas gas,
    Duration blockInterval,
    int confirmations,
    Duration tick,
    List<Long> changes,
    boolean stolenKeys,
    boolean removals,
    Optional<FundingSettings> funding)
    implements SimulationSetupBuilder.With {

  /** One contract, everybody endorses, a block a second, one range for the whole run. */
  static SimulationSetup of(int nodes) {
    return new SimulationSetup(
        1,
        nodes,
        1,
        1,
        nodes,
        new SelectionPolicy(1_000_000, 16),
        SequencerSettings.DEFAULT,
        SubmitterSetup.Gas.DEFAULT,
        Duration.ofSeconds(1),
        0,
        Duration.ofMillis(100),
        List.of(),
        false,
        false,
        Optional.empty());
  }

  SimulationSetup rangeSize(long blocks) {
    return withPolicy(new SelectionPolicy(blocks, policy.virtualNodes()));
  }
}
