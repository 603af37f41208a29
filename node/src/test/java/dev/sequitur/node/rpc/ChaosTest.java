package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.guard.MethodGroup;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChaosTest {
  @Test
  void withoutConfigurationEveryCallIsRefused() {
    try (var rpc = RunningRpc.withDefaults()) {
      for (var method : new String[] {"chaos_listFaults", "chaos_clearFaults"}) {
        assertThat(rpc.error(method, "[]").get("message").asText())
            .startsWith("SQ010501: This node lets nobody set faults.");
      }
      assertThat(rpc.error("chaos_setFault", "[{}]").get("code").asInt()).isEqualTo(-32000);
    }
  }

  @Test
  void aFaultThatCannotBeSetIsToldInASentence() {
    try (var rpc = RunningRpc.withChaos()) {
      assertThat(refusal(rpc, "{\"kind\":\"flood\",\"seconds\":5}"))
          .startsWith("SQ010107: params[0].kind must be drop, delay");
      assertThat(refusal(rpc, "{\"kind\":\"drop\",\"seconds\":5}")).contains("probability");
      assertThat(refusal(rpc, "{\"kind\":\"drop\",\"seconds\":5,\"probability\":2}"))
          .contains("at most 1");
      assertThat(
              refusal(
                  rpc,
                  "{\"kind\":\"drop\",\"seconds\":5,\"probability\":1,\"messages\":[\"Assemble\"]}"))
          .startsWith(
              "SQ010107: params[0].messages[0] must be \"AssembleError\", \"AssembleRequest\"")
          .contains(" or \"TransactionRevertedAcknowledgement\".");
      assertThat(refusal(rpc, "{\"kind\":\"partition\",\"seconds\":1e9}")).contains("1 to 600");
      assertThat(refusal(rpc, "{\"kind\":\"partition\",\"peers\":[\"nobody\"],\"seconds\":5}"))
          .contains("no peer nobody");
    }
  }

  @Test
  void whereCallersAreAskedTheGrantDecidesAndNoSecretBesideIt(@TempDir Path directory) {
    var roles =
        Map.of(
            "breaker", GuardedCallers.role(Set.of(MethodGroup.CHAOS), "*", "*", "*", "*"),
            "other", GuardedCallers.submits("*", "*", "*", "*"));
    var fault = "[{\"kind\":\"ledgerLag\",\"blocks\":3,\"seconds\":5}]";
    try (var callers = new GuardedCallers(directory, roles)) {
      assertThat(callers.call("other", "chaos_setFault", fault).at("/error/message").asText())
          .startsWith("SQ010013: ")
          .contains("methods = [chaos]");
      assertThat(callers.call("breaker", "chaos_setFault", fault).at("/error/message").asText())
          .startsWith("SQ010503: No faults can be set on the ledger of this node.");
      assertThat(callers.call("breaker", "chaos_clearFaults", "[]").get("result").asInt()).isZero();
    }
  }

  private static String refusal(RunningRpc rpc, String fault) {
    return rpc.error("chaos_setFault", "[" + fault + "]").get("message").asText();
  }
}
