package dev.sequitur.ethereum;

import dev.sequitur.protocol.digest.Digests;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.Signer;
import dev.sequitur.protocol.port.LedgerUnreachableException;
import dev.sequitur.protocol.port.Signatures;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * Puts the contracts of this product on a chain: the implementation that all groups share, then the
 * factory that makes groups. Done once for a network. Blocks nobody.
 */
public final class FactoryDeployment {
  private static final long GAS = 4_000_000;
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);
  private static final int LOOKS = 600;
  private static final int WORD = 32;
  private static final int ADDRESS = 20;

  /** The last transactions of the signer, which is there for this alone. */
  private static final int LOOKED_AT = 16;

  private final ChainRpc rpc;
  private final long chainId;
  private final Signer signer;
  private final LedgerAddress sender;
  private final Fees fees;
  private final boolean legacy;

  /**
   * @param signer pays for it
   * @param fees for each unit of gas
   */
  public FactoryDeployment(
      ChainRpc rpc, long chainId, Signer signer, Signatures signatures, Fees fees) {
    this(rpc, chainId, signer, signatures, fees, false);
  }

  /**
   * As before.
   *
   * @param legacy whether transactions have no type, for chains that take no others
   */
  public FactoryDeployment(
      ChainRpc rpc, long chainId, Signer signer, Signatures signatures, Fees fees, boolean legacy) {
    this.legacy = legacy;
    this.rpc = rpc;
    this.chainId = chainId;
    this.signer = signer;
    this.sender = signatures.address(signer.verifier());
    this.fees = fees;
  }

  /** The chain id that a chain's nodes tell. */
  public static CompletionStage<Long> chainId(ChainRpc rpc) {
    return rpc.ask("eth_chainId").thenApply(ChainJson::number);
  }

  /**
   * The factory's address, once it is in a block.
   *
   * @return fails with a {@link LedgerUnreachableException} if the chain does not take it, or not
   *     within two minutes
   */
  public CompletionStage<LedgerAddress> deploy() {
    return create(Artifact.PRIVACY_GROUP.creation())
        .thenCompose(
            implementation ->
                create(
                    joined(
                        Artifact.PRIVACY_GROUP_FACTORY.creation(),
                        Bytes.hex(implementation.value()))));
  }

  /** The newest factory that the signer has made before, if there is one. */
  public CompletionStage<Optional<LedgerAddress>> there() {
    return rpc.ask("eth_getTransactionCount", sender.value(), "latest")
        .thenCompose(nonce -> madeBefore(ChainJson.number(nonce) - 1, LOOKED_AT));
  }

  private CompletionStage<Optional<LedgerAddress>> madeBefore(long nonce, int left) {
    if (nonce < 0 || left == 0) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    var address = made(nonce);
    return FactoryCheck.isFactory(rpc, address)
        .thenCompose(
            is ->
                is
                    ? CompletableFuture.completedFuture(Optional.of(address))
                    : madeBefore(nonce - 1, left - 1));
  }

  /** Where what the signer makes with this nonce is. */
  private LedgerAddress made(long nonce) {
    var list = Rlp.list(List.of(Bytes.hex(sender.value()).toByteArray(), Rlp.number(nonce)));
    var hash = Digests.keccak256(list).toString();
    return new LedgerAddress("0x" + hash.substring(hash.length() - 2 * ADDRESS));
  }

  /** The constructor's argument is an address: a word, behind the code. */
  private static Bytes joined(Bytes creation, Bytes address) {
    var buffer = ByteBuffer.allocate(creation.size() + WORD).put(creation.toByteArray());
    buffer.position(buffer.capacity() - address.size());
    return Bytes.of(buffer.put(address.toByteArray()).array());
  }

  private CompletionStage<LedgerAddress> create(Bytes creation) {
    return rpc.ask("eth_getTransactionCount", sender.value(), "pending")
        .thenCompose(
            nonce -> {
              var transaction =
                  ChainTransaction.of(
                      legacy,
                      chainId,
                      ChainJson.number(nonce),
                      fees,
                      GAS,
                      Bytes.EMPTY,
                      BigInteger.ZERO,
                      creation);
              var raw = transaction.signed(signer.signMessage(transaction.unsigned()));
              return rpc.ask("eth_sendRawTransaction", raw.toHex());
            })
        .thenCompose(hash -> made(hash.asText(), LOOKS));
  }

  private CompletionStage<LedgerAddress> made(String hash, int looks) {
    return rpc.ask("eth_getTransactionReceipt", hash)
        .thenCompose(
            receipt -> {
              if (!receipt.isNull()) {
                return ChainJson.number(receipt, "status") == 1
                    ? CompletableFuture.completedFuture(
                        new LedgerAddress(ChainJson.text(receipt, "contractAddress")))
                    : failed("The chain has refused the contract, transaction " + hash + ".");
              } else if (looks == 0) {
                return failed("Transaction " + hash + " is in no block after two minutes.");
              }
              return CompletableFuture.supplyAsync(
                      () -> looks - 1,
                      CompletableFuture.delayedExecutor(
                          BETWEEN_LOOKS.toMillis(), TimeUnit.MILLISECONDS))
                  .thenCompose(left -> made(hash, left));
            });
  }

  private static CompletionStage<LedgerAddress> failed(String sentence) {
    return CompletableFuture.failedFuture(new LedgerUnreachableException(sentence));
  }
}
