package dev.sequitur.protocol.errand;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.CanonicalSigning;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.LedgerTransaction.PublicCall;
import dev.sequitur.protocol.ledger.SignedLedgerTransaction;
import dev.sequitur.protocol.ledger.Signer;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.port.BlocksDroppedException;
import dev.sequitur.protocol.port.PublicContracts;
import dev.sequitur.protocol.transaction.Receipt;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Has a block for each second since the epoch, one of which may fulfil an intent. */
final class LedgerOfBlocks implements BaseLedger {
  static final long BASE_FEE = 9;

  final List<SignedLedgerTransaction> submitted = new ArrayList<>();

  /** What the pool says, in this order; while it is empty, submitting fails. */
  final List<SubmitOutcome> outcomes = new ArrayList<>();

  int largest = Integer.MAX_VALUE;

  /** Those below are dropped. */
  long oldest = 1;

  volatile long lowestRead = Long.MAX_VALUE;

  /** How many blocks it gives beyond those that it is asked for. */
  int more;

  /** It has no block after it. */
  long newest = Long.MAX_VALUE;

  /** While it is set, reading of blocks waits for {@link #fail}. */
  boolean holds;

  /** What is in the pool or in a block. */
  final Set<TransactionHash> known = new HashSet<>();

  /** The first nonce that is neither in a block nor in the pool. */
  Map<LedgerAddress, Long> pending = Map.of();

  /** Whether it runs contracts of any kind. */
  boolean contracts;

  /** The blocks that have used nonces. */
  final Map<Receipt.Nonce, BlockHeight> used = new HashMap<>();

  volatile int asked;
  private final CompletableFuture<List<Block>> held = new CompletableFuture<>();
  private Optional<LedgerReceipt> receipt = Optional.empty();

  void fulfilled(long height, IntentKey intent) {
    fulfilled(height, Contract.ADDRESS, intent);
  }

  void fulfilled(long height, ContractAddress contract, IntentKey intent) {
    var result = new LedgerReceipt.Fulfilled(contract, intent, List.of(), List.of(), List.of());
    receipt =
        Optional.of(
            new LedgerReceipt(
                new TransactionHash(Contract.hash("at " + height)),
                new LedgerAddress("0x" + "01".repeat(20)),
                0,
                new BlockHeight(height),
                0,
                List.of(result)));
  }

  Receipt.OnLedger onLedger(IntentKey intent) {
    var result =
        new LedgerReceipt.Fulfilled(Contract.ADDRESS, intent, List.of(), List.of(), List.of());
    return receipt.orElseThrow().onLedger(result);
  }

  /** What waits fails; what comes after it is answered. */
  void fail() {
    holds = false;
    held.completeExceptionally(new IllegalStateException("away"));
  }

  @Override
  public long baseFee() {
    return BASE_FEE;
  }

  @Override
  public CompletionStage<List<Block>> blocks(BlockHeight from, int limit) {
    asked++;
    lowestRead = Math.min(lowestRead, from.value());
    if (holds) {
      return held;
    }
    if (from.value() < oldest) {
      return CompletableFuture.failedFuture(BlocksDroppedException.below(new BlockHeight(oldest)));
    }
    var blocks = new ArrayList<Block>();
    for (long n = from.value();
        n <= newest && blocks.size() < Math.min(limit + more, largest);
        n++) {
      var height = new BlockHeight(n);
      var receipts = receipt.filter(it -> it.block().equals(height)).stream().toList();
      blocks.add(
          new Block(
              height,
              new Hash(0, 0, 0, n),
              new Hash(0, 0, 0, n - 1),
              Instant.ofEpochSecond(n),
              receipts));
    }
    return CompletableFuture.completedFuture(blocks);
  }

  @Override
  public SignedLedgerTransaction sign(LedgerTransaction transaction, Signer signer) {
    return CanonicalSigning.sign(transaction, signer);
  }

  @Override
  public CompletionStage<List<SubmitOutcome>> submit(List<SignedLedgerTransaction> some) {
    submitted.addAll(some);
    return outcomes.isEmpty()
        ? CompletableFuture.failedFuture(new IllegalStateException("away"))
        : CompletableFuture.completedFuture(List.copyOf(outcomes));
  }

  /** Its own hash tells whom it was asked for. */
  @Override
  public CompletionStage<Long> nonce(LedgerAddress signer) {
    return CompletableFuture.completedFuture((long) signer.value().charAt(3));
  }

  @Override
  public CompletionStage<Long> pendingNonce(LedgerAddress signer) {
    return CompletableFuture.completedFuture(pending.getOrDefault(signer, 0L));
  }

  @Override
  public CompletionStage<Boolean> knows(TransactionHash hash) {
    return CompletableFuture.completedFuture(known.contains(hash));
  }

  @Override
  public Optional<NonceIndex> nonces() {
    return Optional.of(
        nonce ->
            CompletableFuture.completedFuture(
                Optional.ofNullable(used.get(nonce))
                    .map(
                        block ->
                            new LedgerReceipt(
                                new TransactionHash(Contract.hash("of " + nonce.number())),
                                nonce.signer(),
                                nonce.number(),
                                block,
                                0,
                                List.of(new LedgerReceipt.NonceUsed())))));
  }

  /** A reason names what it was made of. */
  @Override
  public Optional<PublicContracts> contracts() {
    return contracts ? Optional.of(new Contracts()) : Optional.empty();
  }

  private static final class Contracts implements PublicContracts {
    @Override
    public CompletionStage<Estimate> estimate(LedgerAddress from, PublicCall call) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<CallOutcome> call(LedgerAddress from, PublicCall call) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<BigInteger> balance(LedgerAddress account) {
      return CompletableFuture.completedFuture(BigInteger.TWO.pow(70));
    }

    @Override
    public CompletionStage<Long> mostGas() {
      throw new UnsupportedOperationException();
    }

    /** Its own hash tells whom it was asked for, and the block. */
    @Override
    public CompletionStage<Long> nonce(LedgerAddress signer, BlockHeight upTo) {
      return CompletableFuture.completedFuture(signer.value().charAt(3) * 1_000L + upTo.value());
    }

    @Override
    public String reason(Bytes revertData, Optional<Bytes> abi) {
      return "reason of " + revertData.toUtf8() + " by " + abi.map(Bytes::toUtf8).orElse("nothing");
    }

    @Override
    public CompletionStage<List<Event>> events(TransactionHash hash, BlockHeight block) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<List<Placed>> events(Wanted wanted) {
      throw new UnsupportedOperationException();
    }
  }

  @Override
  public CompletionStage<BlockHeight> head() {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletionStage<Optional<LedgerReceipt>> receipt(TransactionHash hash) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletionStage<Optional<LedgerTransaction>> transaction(TransactionHash hash) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}
