package dev.sequitur.node.rpc.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.sequitur.node.rpc.method.WebhookKey;
import org.junit.jupiter.api.Test;

/** What is told once is not kept in the audit. */
class SecretsInAuditTest {
  @Test
  void theKeyOfAWebhookIsNoIdOfACall() {
    assertThat(Audited.ids(TextNode.valueOf(WebhookKey.of(new byte[32]).written()))).isEmpty();
    assertThat(Audited.ids(TextNode.valueOf("0.0.1003"))).containsExactly("0.0.1003");
  }
}
