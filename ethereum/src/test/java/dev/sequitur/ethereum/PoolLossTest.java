package dev.sequitur.ethereum;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.crypto.Secp256k1Signatures;
import dev.sequitur.ethereum.EthereumLedger.Head;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.port.KnownGroups;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;

/**
 * anvil forgets what it has taken: the reason for SUB-10. Goes red when it no longer does so; then
 * the decision 0114 needs another example.
 */
class PoolLossTest {
  private static final long MOST_OF_A_BLOCK = 16_000_000;
  private static final long NOT_WHAT_IS_LEFT = 15_000_000;
  private static final long LITTLE = 100_000;

  /** Creates a contract that loops until its gas is used up. */
  private static final Bytes LOOP = Bytes.hex("635b6000566000526004601cf3");

  @Test
  void whatFollowsATransactionThatDoesNotFitIntoABlockIsLostAndThePortTellsFromWhichNonceOn() {
    try (var chain = Anvil.start()) {
      var ledger =
          new EthereumLedger(
              new ChainRpc(List.of(chain.address()), ForkJoinPool.commonPool()),
              new EthereumLedger.Settings(
                  BaseLedger.LOCAL_CHAIN, new LedgerAddress(chain.account(0)), Head.LATEST),
              new Secp256k1Signatures(),
              KnownGroups.NONE);
      var signer = new LedgerAddress(chain.account(1));
      var loop = chain.deploy(LOOP);
      send(chain, chain.account(0), loop, MOST_OF_A_BLOCK);
      var hashes = new ArrayList<JsonNode>();
      for (var limit : List.of(NOT_WHAT_IS_LEFT, LITTLE, LITTLE)) {
        hashes.add(send(chain, signer.value(), chain.account(0), limit));
      }
      assertThat(ledger.pendingNonce(signer).toCompletableFuture().join()).isEqualTo(3);

      chain.mine();

      assertThat(hashes)
          .extracting(hash -> chain.call("eth_getTransactionByHash", hash).isNull())
          .containsExactly(false, true, true);
      assertThat(ledger.nonce(signer).toCompletableFuture().join()).isZero();
      assertThat(ledger.pendingNonce(signer).toCompletableFuture().join()).isEqualTo(1);
    }
  }

  private static JsonNode send(Anvil chain, String from, String to, long gas) {
    return chain.call(
        "eth_sendTransaction",
        Map.of(
            "from",
            from,
            "to",
            to,
            "gas",
            ChainJson.hex(gas),
            "maxFeePerGas",
            "0x0",
            "maxPriorityFeePerGas",
            "0x0"));
  }
}
