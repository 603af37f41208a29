package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ChaosTest {
  private static final String TOKEN = "sixteen-letters-";

  @Test
  void withoutConfigurationEveryCallIsRefused() {
    try (var rpc = RunningRpc.withDefaults()) {
      for (var method : new String[] {"chaos_listFaults", "chaos_clearFaults"}) {
        assertThat(rpc.error(method, "[\"" + TOKEN + "\"]").get("message").asText())
            .startsWith("SQ010501: This node lets nobody set faults.");
      }
      assertThat(rpc.error("chaos_setFault", "[\"\",{}]").get("code").asInt()).isEqualTo(-32000);
    }
  }

  @Test
  void aWrongTokenIsRefusedAndNotRepeated() {
    try (var rpc = RunningRpc.withChaos(TOKEN)) {
      var message =
          rpc.error("chaos_listFaults", "[\"wrong-token-of-17\"]").get("message").asText();
      assertThat(message).startsWith("SQ010502: ").doesNotContain("wrong-token", TOKEN);
    }
  }

  @Test
  void aFaultThatCannotBeSetIsToldInASentence() {
    try (var rpc = RunningRpc.withChaos(TOKEN)) {
      assertThat(refusal(rpc, "{\"kind\":\"flood\",\"seconds\":5}"))
          .startsWith("SQ010107: params[1].kind must be drop, delay");
      assertThat(refusal(rpc, "{\"kind\":\"drop\",\"seconds\":5}")).contains("probability");
      assertThat(refusal(rpc, "{\"kind\":\"drop\",\"seconds\":5,\"probability\":2}"))
          .contains("at most 1");
      assertThat(refusal(rpc, "{\"kind\":\"partition\",\"seconds\":1e9}")).contains("1 to 600");
      assertThat(refusal(rpc, "{\"kind\":\"partition\",\"peers\":[\"nobody\"],\"seconds\":5}"))
          .contains("no peer nobody");
    }
  }

  private static String refusal(RunningRpc rpc, String fault) {
    return rpc.error("chaos_setFault", "[\"" + TOKEN + "\"," + fault + "]").get("message").asText();
  }
}
