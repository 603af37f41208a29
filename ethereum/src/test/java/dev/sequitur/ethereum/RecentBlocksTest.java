package dev.sequitur.ethereum;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;

class RecentBlocksTest {
  private final RecentBlocks recent = new RecentBlocks();

  @Test
  void whatIsKeptIsBoundByWhatReceiptsHave() {
    for (int height = 1; height <= 10; height++) {
      var transaction = transaction(height);
      recent.keep(block(height, transaction));
      recent.keepReceipt(transaction, receipt(height, 4_000_000));
    }

    assertThat(recent.from(0).keySet()).containsExactlyInAnyOrder(8L, 9L, 10L);
  }

  @Test
  void aReceiptThatIsKeptAgainWeighsNoMore() {
    var transaction = transaction(1);
    recent.keep(block(1, transaction));
    for (int times = 0; times < 10; times++) {
      recent.keepReceipt(transaction, receipt(1, 4_000_000));
    }

    assertThat(recent.receipt(transaction)).isPresent();
  }

  private static ObjectNode block(int height, ObjectNode transaction) {
    var block = JsonNodeFactory.instance.objectNode();
    block.put("number", "0x" + Integer.toHexString(height)).put("hash", hash(height));
    block.putArray("transactions").add(transaction);
    return block;
  }

  private static ObjectNode transaction(int height) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("hash", "0x" + "%064x".formatted(1_000 + height))
        .put("blockHash", hash(height))
        .put("input", "0x");
  }

  private static ObjectNode receipt(int height, int data) {
    var receipt = JsonNodeFactory.instance.objectNode().put("blockHash", hash(height));
    receipt.putArray("logs").addObject().put("data", "0x" + "0".repeat(data));
    return receipt;
  }

  private static String hash(int height) {
    return "0x%064x".formatted(height);
  }
}
