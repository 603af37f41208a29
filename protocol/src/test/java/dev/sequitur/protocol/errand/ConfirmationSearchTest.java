package dev.sequitur.protocol.errand;

import static java.util.concurrent.CompletableFuture.completedFuture;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.CanonicalSigning;
import dev.sequitur.protocol.ledger.LedgerAddress;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.SignedLedgerTransaction;
import dev.sequitur.protocol.ledger.Signer;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.protocol.transaction.SubmitMode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ConfirmationSearchTest {
  private static final ContractAddress CONTRACT = new ContractAddress("0x" + "ab".repeat(20));
  private static final ContractAddress OTHER = new ContractAddress("0x" + "cd".repeat(20));
  private static final PrivateTransaction TRANSACTION = transaction("party@a");
  private static final IntentKey INTENT = TRANSACTION.key();

  private final Chain chain = new Chain();

  @Test
  void findsAConfirmationSomePagesBack() throws Exception {
    chain.fulfilled(100, CONTRACT);

    assertThat(find(1, 200)).containsOnlyKeys(INTENT);
    assertThat(find(1, 200).get(INTENT).block()).isEqualTo(new BlockHeight(100));
  }

  @Test
  void findsAConfirmationThoughTheLedgerGivesBlocksInParts() throws Exception {
    chain.largest = 5;
    chain.fulfilled(100, CONTRACT);

    assertThat(find(1, 200)).containsOnlyKeys(INTENT);
  }

  @Test
  void doesNotTakeTheSameIdOnAnotherContractForIt() throws Exception {
    chain.fulfilled(100, OTHER);

    assertThat(find(1, 200)).isEmpty();
  }

  @Test
  void doesNotTakeTheSameIdFromAnotherSenderForIt() throws Exception {
    chain.fulfilled(100, CONTRACT, transaction("other@b").key());

    assertThat(find(1, 200)).isEmpty();
  }

  @Test
  void believesNoBlockThatIsNotFinal() throws Exception {
    chain.fulfilled(201, CONTRACT);

    assertThat(find(1, 200)).isEmpty();
  }

  @Test
  void readsNothingFromLongBeforeTheIntentWasAccepted() throws Exception {
    assertThat(find(9_000, 10_000)).isEmpty();
    assertThat(chain.lowestRead).isGreaterThan(8_500);
  }

  @Test
  void readsALongChainWithoutAStackAsDeep() throws Exception {
    chain.fulfilled(1, CONTRACT);

    assertThat(find(1, 200_000)).containsOnlyKeys(INTENT);
  }

  /** Block number n was made n seconds after the epoch. */
  private Map<IntentKey, Receipt.OnLedger> find(long acceptedAt, long newest) throws Exception {
    return new ConfirmationSearch(
            chain, id -> completedFuture(intent(acceptedAt)), ForkJoinPool.commonPool(), CONTRACT)
        .find(Set.of(INTENT), new BlockHeight(newest))
        .toCompletableFuture()
        .get(30, TimeUnit.SECONDS);
  }

  private static Optional<Intent> intent(long acceptedAt) {
    var created = Instant.ofEpochSecond(acceptedAt);
    return Optional.of(new Intent(1, created, Optional.empty(), hash(1), TRANSACTION));
  }

  private static PrivateTransaction transaction(String from) {
    return new PrivateTransaction(
        new TransactionId(new UUID(0, 1)),
        CONTRACT,
        "test",
        "do",
        Identity.parse(from),
        Bytes.EMPTY,
        SubmitMode.AUTO,
        List.of(),
        hash(7));
  }

  private static Hash hash(long number) {
    return new Hash(0, 0, 0, number);
  }

  private static final class Chain implements BaseLedger {
    private int largest = Integer.MAX_VALUE;
    private volatile long lowestRead = Long.MAX_VALUE;
    private Optional<LedgerReceipt> receipt = Optional.empty();

    void fulfilled(long height, ContractAddress contract) {
      fulfilled(height, contract, INTENT);
    }

    void fulfilled(long height, ContractAddress contract, IntentKey intent) {
      var result = new LedgerReceipt.Fulfilled(contract, intent, List.of(), List.of(), List.of());
      receipt =
          Optional.of(
              new LedgerReceipt(
                  new TransactionHash(hash(height)),
                  new LedgerAddress("0x" + "01".repeat(20)),
                  0,
                  new BlockHeight(height),
                  0,
                  List.of(result)));
    }

    @Override
    public CompletionStage<List<Block>> blocks(BlockHeight from, int limit) {
      lowestRead = Math.min(lowestRead, from.value());
      var blocks = new ArrayList<Block>();
      for (long n = from.value(); blocks.size() < Math.min(limit, largest); n++) {
        var height = new BlockHeight(n);
        var receipts = receipt.filter(it -> it.block().equals(height)).stream().toList();
        blocks.add(new Block(height, hash(n), hash(n - 1), Instant.ofEpochSecond(n), receipts));
      }
      return completedFuture(blocks);
    }

    @Override
    public SignedLedgerTransaction sign(LedgerTransaction transaction, Signer signer) {
      return CanonicalSigning.sign(transaction, signer);
    }

    @Override
    public CompletionStage<List<SubmitOutcome>> submit(List<SignedLedgerTransaction> some) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Long> nonce(LedgerAddress signer) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Long> pendingNonce(LedgerAddress signer) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Boolean> knows(TransactionHash hash) {
      throw new UnsupportedOperationException();
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
}
