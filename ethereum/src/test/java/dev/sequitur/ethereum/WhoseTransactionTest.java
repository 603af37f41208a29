package dev.sequitur.ethereum;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.crypto.FileKeys;
import dev.sequitur.crypto.Secp256k1Signatures;
import dev.sequitur.ethereum.EthereumLedger.Head;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.SignedLedgerTransaction;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.port.KnownGroups;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whose a transaction is that goes to a chain, and of which block a receipt is that comes. */
final class WhoseTransactionTest {
  private static final Secp256k1Signatures SIGNATURES = new Secp256k1Signatures();
  private static final JsonMapper JSON = JsonMapper.builder().build();

  @TempDir Path directory;
  private ScriptedNode node;
  private EthereumLedger ledger;

  @BeforeEach
  void start() throws IOException {
    node = new ScriptedNode().grow(3, 1);
    ledger =
        new EthereumLedger(
            new ChainRpc(List.of(node.address()), ForkJoinPool.commonPool()),
            new EthereumLedger.Settings(
                Anvil.CHAIN, new LedgerAddress("0x" + "1".repeat(40)), Head.LATEST),
            SIGNATURES,
            KnownGroups.NONE);
  }

  @AfterEach
  void stop() {
    node.close();
  }

  /** SUB-12: the signature is valid, and the key is its signer's; either alone is not enough. */
  @Test
  void aTransactionThatItsSignerHasNotSignedIsNotSent() throws IOException {
    var keys = FileKeys.open(directory);
    var signer = keys.signer("key");
    var other = keys.signer("other");
    var own = transaction(SIGNATURES.address(signer.verifier()), 0);
    var signed = ledger.sign(own, signer);
    var another = ledger.sign(transaction(own.signer(), 1), signer);

    assertThat(outcome(signed)).isInstanceOf(SubmitOutcome.Pooled.class);
    assertThat(outcome(ledger.sign(own, other))).as("another's key").isInstanceOf(INVALID);
    assertThat(
            outcome(
                new SignedLedgerTransaction(
                    own, signed.hash(), signer.verifier(), another.signature())))
        .as("the signer's key, over something else")
        .isInstanceOf(INVALID);
    assertThat(
            outcome(
                new SignedLedgerTransaction(
                    own, signed.hash(), other.verifier(), signed.signature())))
        .as("another's key beside the signer's signature")
        .isInstanceOf(INVALID);
  }

  private static final Class<SubmitOutcome.Invalid> INVALID = SubmitOutcome.Invalid.class;

  private SubmitOutcome outcome(SignedLedgerTransaction signed) {
    node.takesAll();
    return ledger.submit(List.of(signed)).toCompletableFuture().join().getFirst();
  }

  private static LedgerTransaction transaction(LedgerAddress signer, long nonce) {
    return new LedgerTransaction(
        signer, nonce, Fees.flat(10), 30_000, new LedgerTransaction.UseNonce());
  }

  /** CHN-6: between two answers the block may have been replaced by one that has it too. */
  @Test
  void aReceiptOfTheBlockThatReplacedTheOneJustReadIsNoReceiptOfIt() {
    var hash = new TransactionHash(Hash.hex("ab".repeat(32)));
    var read = "0x" + "01".repeat(32);
    var replaced = "0x" + "02".repeat(32);
    node.has(inBlock(hash, read), receiptIn(hash, read));
    assertThat(ledger.receipt(hash).toCompletableFuture().join()).isPresent();

    node.has(inBlock(hash, read), receiptIn(hash, replaced));
    assertThat(ledger.receipt(hash).toCompletableFuture())
        .failsWithin(Duration.ofSeconds(60))
        .withThrowableThat()
        .withMessageContaining("reorganised");
  }

  /** FND-5: the coin of a chain has eighteen places, and a long holds nine coins. */
  @Test
  void whatWasPaidIsToldBeyondWhatALongHolds() {
    var hash = new TransactionHash(Hash.hex("ab".repeat(32)));
    var block = "0x" + "01".repeat(32);
    var receipt = receiptIn(hash, block);
    receipt.put("gasUsed", "0xffffff").put("effectiveGasPrice", "0xffffffffff");
    node.has(inBlock(hash, block), receipt);

    assertThat(ledger.receipt(hash).toCompletableFuture().join().orElseThrow().paid())
        .isEqualTo(new BigInteger("ffffff", 16).multiply(new BigInteger("ffffffffff", 16)))
        .isGreaterThan(BigInteger.valueOf(Long.MAX_VALUE));
  }

  private static ObjectNode inBlock(TransactionHash hash, String block) {
    return JSON.createObjectNode()
        .put("hash", hash.toString())
        .put("blockHash", block)
        .put("blockNumber", "0x1")
        .put("transactionIndex", "0x0")
        .put("from", "0x" + "4".repeat(40))
        .put("to", "0x" + "5".repeat(40))
        .put("nonce", "0x0")
        .put("gas", "0x5208")
        .put("value", "0x0")
        .put("input", "0x");
  }

  private static ObjectNode receiptIn(TransactionHash hash, String block) {
    var receipt =
        JSON.createObjectNode()
            .put("transactionHash", hash.toString())
            .put("blockHash", block)
            .put("blockNumber", "0x1")
            .put("transactionIndex", "0x0")
            .put("status", "0x1")
            .put("gasUsed", "0x5208")
            .put("effectiveGasPrice", "0x1");
    receipt.putArray("logs");
    return receipt;
  }
}
