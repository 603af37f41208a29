package dev.sequitur.sequencer;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.port.PrivateTransactions;
import dev.sequitur.sequencer.view.JvmView;
import dev.sequitur.sequencer.view.Whereabouts;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** The JVMs of a node, and which entities each has. Nothing here blocks. */
public interface Jvms {
  /**
   * How each JVM of the node is; those that do not answer within some seconds are there without
   * what they would tell.
   *
   * @return in the order of their addresses; fails with {@link PrivateTransactions.RefusedIntent}
   *     if too many ask at once
   */
  CompletionStage<List<JvmView>> all();

  /** In which JVMs the entities of a contract are in memory; fails as {@link #all} does. */
  CompletionStage<Whereabouts> where(ContractAddress contract);

  /** The same of one entity of a kind that the sequencer does not know. */
  CompletionStage<Whereabouts> where(String kind, String entity);
}
