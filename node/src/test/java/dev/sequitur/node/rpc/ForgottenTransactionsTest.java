package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** ROM-2: what is forgotten is told so, and not as what is not there. */
class ForgottenTransactionsTest {
  private static RunningRpc rpc;

  @BeforeAll
  static void start() {
    rpc = RunningRpc.withDefaults();
    rpc.node.store().forget(Sample.CONFIRMED);
  }

  @AfterAll
  static void stop() {
    rpc.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ptx_getTransaction",
        "ptx_getTransactionFull",
        "ptx_getTransactionReceipt",
        "ptx_getTransactionReceiptFull",
        "ptx_getPreparedTransaction",
        "ptx_getStateReceipt",
        "ptx_getTransactionDependencies",
        "ptx_getEndorsementProof",
        "debug_getTransactionStatus"
      })
  void whoAsksForItByItsIdIsToldWhenItEndedAndHow(String method) {
    assertThat(rpc.error(method, "[\"" + Sample.CONFIRMED + "\"]").get("message").textValue())
        .startsWith("SQ010306")
        .contains("ended at 2026-11-21T10:00:02Z", "forgotten", "it succeeded");
  }

  @Test
  void whoAsksByItsIdempotencyKeyIsToldSo() {
    assertThat(
            rpc.error("ptx_getTransactionByIdempotencyKey", "[\"invoice-7\", \"alice\"]")
                .get("message")
                .textValue())
        .startsWith("SQ010306");
  }

  @Test
  void howLongTheNodeKeepsWhatHasEndedIsTold() {
    var room = rpc.result("node_room", "[]");

    assertThat(room.get("keep").textValue()).isEqualTo("PT2160H");
    assertThat(room.get("unread").textValue()).isEqualTo("forever");
    assertThat(room.has("contents")).isFalse();
  }

  @Test
  void whatWouldBeForgottenIsReadWithTheProofThatItWasEndorsed() {
    try (var aged = RunningRpc.withDefaults()) {
      assertThat(aged.result("node_endedTransactions", "[]").get("lines")).isEmpty();
      aged.node.store().age();

      var read = aged.result("node_endedTransactions", "[]");

      var first = read.get("lines").get(0);
      assertThat(first.get("id").textValue()).isEqualTo(Sample.CONFIRMED.toString());
      assertThat(first.at("/transaction/from").textValue()).isEqualTo("alice@node1");
      assertThat(first.at("/states/spent")).hasSize(1);
      assertThat(first.get("proof"))
          .isEqualTo(aged.result("ptx_getEndorsementProof", "[\"" + Sample.CONFIRMED + "\"]"));
      assertThat(read.has("next")).isFalse();
      assertThat(read.get("stop").textValue()).isEqualTo("nothing more has ended");
      assertThat(aged.result("node_endedTransactions", "[2]").get("lines").get(0).get("sequence"))
          .hasToString("2");
    }
  }

  @Test
  void whatWouldBeForgottenIsCounted() {
    assertThat(rpc.result("node_estimateRoom", "[]").get("transactions").longValue()).isZero();
    assertThat(rpc.result("node_roomEstimate", "[]").get("state").textValue()).isEqualTo("done");
  }
}
