package dev.sequitur.sequencer.setup;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.funding.FundingSettings;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.port.CheckpointWitness;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeWriters;
import dev.sequitur.protocol.port.RoomExport;
import dev.sequitur.protocol.port.Signatures;
import dev.sequitur.protocol.port.Transport;
import dev.sequitur.protocol.room.RoomPolicy;
import dev.sequitur.protocol.selection.SelectionPolicy;
import dev.sequitur.protocol.settings.SequencerSettings;
import dev.sequitur.protocol.submitter.SubmitterSetup;
import dev.sequitur.trace.TraceRing;
import dev.sequitur.trace.TransactionSpans;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/**
 * What a node is made of.
 *
 * @param domains by name
 * @param spans of the transactions that it has a part in
 * @param registry where the node counts and measures; of this node alone
 */
@Copyable
public record NodeSetup(
    NodeName self,
    Ports ports,
    Map<String, Domain> domains,
    Rules rules,
    TraceRing trace,
    TransactionSpans spans,
    PrometheusRegistry registry,
    InstantSource clock)
    implements NodeSetupBuilder.With {
  /**
   * The outside world.
   *
   * @param groups that the ledger was connected with
   * @param writers of the store
   * @param export where what has ended is written before it is forgotten, if it is
   * @param witness says to the ledger what its blocks have left, if it may want to hear it
   */
  @Copyable
  public record Ports(
      Transport transport,
      BaseLedger ledger,
      GroupRegistry groups,
      NodeStore store,
      NodeWriters writers,
      Keys keys,
      Signatures signatures,
      Optional<RoomExport> export,
      Optional<CheckpointWitness> witness)
      implements NodeSetupPortsBuilder.With {}

  /**
   * How a node goes about what it does.
   *
   * @param chainId of the base ledger, at least 1
   * @param funding of the keys, where the ledger takes money for gas
   * @param confirmations blocks upon a block before it counts as final (CNF-3)
   * @param pollInterval between two looks at the base ledger
   * @param tick between two looks of a busy actor at its deadlines
   * @param idleAfter without work for this long an actor leaves memory
   * @param room how long what has ended is kept
   */
  @Copyable
  public record Rules(
      SelectionPolicy selection,
      long chainId,
      SequencerSettings sequencer,
      SubmitterSetup.Gas gas,
      FundingSettings funding,
      int confirmations,
      Duration pollInterval,
      Duration tick,
      Duration idleAfter,
      RoomPolicy room)
      implements NodeSetupRulesBuilder.With {
    public static final Rules DEFAULT =
        new Rules(
            SelectionPolicy.DEFAULT,
            BaseLedger.LOCAL_CHAIN,
            SequencerSettings.DEFAULT,
            SubmitterSetup.Gas.DEFAULT,
            FundingSettings.BY_HAND,
            0,
            Duration.ofMillis(50),
            Duration.ofMillis(100),
            Duration.ofSeconds(20),
            RoomPolicy.FOREVER);

    public Rules {
      if (confirmations < 0) {
        throw new IllegalArgumentException("Confirmations are not negative: " + confirmations);
      }
    }
  }
}
