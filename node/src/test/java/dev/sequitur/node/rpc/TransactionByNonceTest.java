package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which base-ledger transaction has used a nonce: in block 7 of 8 it is one, its nonce is 4. */
class TransactionByNonceTest {
  private static final String SIGNER = "0x" + "22".repeat(20);

  private final RunningRpc rpc = RunningRpc.withDefaults();

  @AfterEach
  void stop() {
    rpc.close();
  }

  @Test
  void aChainThatCountsIsNotWalkedThrough() {
    assertThat(byNonce(SIGNER, 4).get("blockNumber").longValue()).isEqualTo(7);
    assertThat(rpc.node.ledger().read).containsExactly(7L);
  }

  @Test
  void whatWasNotUsedIsKnownWithoutReadingABlock() {
    assertThat(byNonce(SIGNER, 5).isNull()).isTrue();
    assertThat(byNonce("0x" + "33".repeat(20), 0).isNull()).isTrue();
    assertThat(rpc.node.ledger().read).isEmpty();
  }

  @Test
  void whatTheChainsNodeHasForgottenIsLookedForBlockByBlock() {
    rpc.node.ledger().oldestState = 8;

    assertThat(byNonce(SIGNER, 4).get("blockNumber").longValue()).isEqualTo(7);
    // Used by block 8, and who has used it before is not known to the chain's node.
    assertThat(byNonce(SIGNER, 3).isNull()).isTrue();
  }

  @Test
  void aLedgerWithAnIndexIsNotLookedThrough() {
    rpc.node.ledger().runsContracts = false;
    rpc.node.ledger().indexesNonces = true;

    assertThat(byNonce(SIGNER, 4).get("blockNumber").longValue()).isEqualTo(7);
    assertThat(byNonce(SIGNER, 5).isNull()).isTrue();
    assertThat(rpc.node.ledger().read).isEmpty();
    // Used, and no index has it.
    assertThat(byNonce(SIGNER, 3).isNull()).isTrue();
    assertThat(rpc.node.ledger().read).isNotEmpty();
  }

  @Test
  void aLedgerWithoutContractsIsLookedThrough() {
    rpc.node.ledger().runsContracts = false;

    assertThat(byNonce(SIGNER, 4).get("blockNumber").longValue()).isEqualTo(7);
    assertThat(byNonce(SIGNER, 5).isNull()).isTrue();
  }

  private JsonNode byNonce(String signer, long nonce) {
    return rpc.result("bidx_getTransactionByNonce", "[\"%s\",%d]".formatted(signer, nonce));
  }
}
