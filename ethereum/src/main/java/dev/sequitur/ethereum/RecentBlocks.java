package dev.sequitur.ethereum;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The newest blocks as a chain's node has told them, with the receipts that were asked for: what is
 * not final is read again at each look, and asked for once. Thread-safe.
 */
final class RecentBlocks {
  private static final int MOST_BLOCKS = 64;

  /** Characters, nearly; what is above it is asked for again. */
  private static final long MOST_WEIGHT = 16_000_000;

  /** Of a transaction or receipt beside its data. */
  private static final long LEAST_WEIGHT = 2_000;

  // All by this.
  private final TreeMap<Long, Kept> blocks = new TreeMap<>();
  private long weight;

  private static final class Kept {
    private final JsonNode block;
    private final Map<String, JsonNode> receipts = new HashMap<>();
    private long weight;

    private Kept(JsonNode block) {
      this.block = block;
      this.weight = LEAST_WEIGHT;
      for (var transaction : block.path("transactions")) {
        weight += LEAST_WEIGHT + transaction.path("input").asText("").length();
      }
    }

    private boolean hasHash(String hash) {
      return ChainJson.text(block, "hash").equalsIgnoreCase(hash);
    }
  }

  /** A block with all of its transactions. */
  synchronized void keep(JsonNode block) {
    long height = ChainJson.number(block, "number");
    var before = blocks.get(height);
    if (before != null && before.hasHash(ChainJson.text(block, "hash"))) {
      return;
    }
    drop(before);
    var kept = new Kept(block);
    blocks.put(height, kept);
    weight += kept.weight;
    shrink();
  }

  private void drop(Kept kept) {
    weight -= kept == null ? 0 : kept.weight;
  }

  private void shrink() {
    while (blocks.size() > MOST_BLOCKS || weight > MOST_WEIGHT) {
      drop(blocks.pollFirstEntry().getValue());
    }
  }

  /**
   * By their heights. One may have been replaced since it was kept: whether the head stands upon
   * it, hashes tell.
   *
   * @param first lower ones are wanted no more
   */
  synchronized Map<Long, JsonNode> from(long first) {
    while (!blocks.isEmpty() && blocks.firstKey() < first) {
      drop(blocks.pollFirstEntry().getValue());
    }
    var kept = new HashMap<Long, JsonNode>();
    blocks.forEach((height, one) -> kept.put(height, one.block));
    return kept;
  }

  /** If its block is kept. */
  synchronized void keepReceipt(JsonNode transaction, JsonNode receipt) {
    var kept = blockOf(transaction);
    if (kept.isPresent() && isOf(kept.get(), receipt)) {
      if (kept.get().receipts.put(ChainJson.text(transaction, "hash"), receipt) != null) {
        return;
      }
      long more = LEAST_WEIGHT;
      for (var event : receipt.path("logs")) {
        more += LEAST_WEIGHT + event.path("data").asText("").length();
      }
      kept.get().weight += more;
      weight += more;
      shrink();
    }
  }

  private static boolean isOf(Kept kept, JsonNode receipt) {
    return receipt.path("blockHash").isTextual()
        && kept.hasHash(receipt.path("blockHash").textValue());
  }

  /** What was kept of it. */
  synchronized Optional<JsonNode> receipt(JsonNode transaction) {
    return blockOf(transaction).map(kept -> kept.receipts.get(ChainJson.text(transaction, "hash")));
  }

  private Optional<Kept> blockOf(JsonNode transaction) {
    var hash = transaction.path("blockHash").asText("");
    return blocks.values().stream().filter(kept -> kept.hasHash(hash)).findFirst();
  }
}
