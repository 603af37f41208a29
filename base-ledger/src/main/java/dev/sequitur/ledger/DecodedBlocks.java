package dev.sequitur.ledger;

import dev.sequitur.protocol.ledger.Block;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The blocks that were asked for last, ready to be handed out: every node asks for each block, so
 * it is decoded once. Thread-safe.
 */
final class DecodedBlocks {
  /** Blocks, their receipts and the results of these, together; some 6 MB. */
  private static final int CAPACITY = 10_000;

  private final Map<Long, Block> blocks = new LinkedHashMap<>(16, 0.75f, true);
  private int weight;

  synchronized Optional<Block> get(long height) {
    return Optional.ofNullable(blocks.get(height));
  }

  synchronized void put(Block block) {
    var replaced = blocks.put(block.height().value(), block);
    weight += weight(block) - (replaced == null ? 0 : weight(replaced));
    var eldest = blocks.values().iterator();
    while (weight > CAPACITY && blocks.size() > 1) {
      weight -= weight(eldest.next());
      eldest.remove();
    }
  }

  /** One base-ledger transaction carries many transitions, each of which has a result. */
  private static int weight(Block block) {
    return 1
        + block.receipts().size()
        + block.receipts().stream().mapToInt(each -> each.results().size()).sum();
  }
}
