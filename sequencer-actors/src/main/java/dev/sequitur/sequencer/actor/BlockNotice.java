package dev.sequitur.sequencer.actor;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.transaction.Receipt;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * A final block as one contract sees it.
 *
 * @param indexed when this node read it
 * @param concernsContract whether it has anything of the contract
 */
public record BlockNotice(
    BlockHeight height,
    Instant indexed,
    boolean concernsContract,
    Map<IntentKey, Receipt.OnLedger> confirmed,
    List<StateId> spent,
    List<StateId> created) {

  static BlockNotice heightOnly(BlockHeight height, Instant indexed) {
    return new BlockNotice(height, indexed, false, Map.of(), List.of(), List.of());
  }
}
