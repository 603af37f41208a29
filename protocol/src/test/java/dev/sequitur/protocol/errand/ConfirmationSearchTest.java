package dev.sequitur.protocol.errand;

import static java.util.concurrent.CompletableFuture.completedFuture;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.protocol.transaction.SubmitMode;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfirmationSearchTest {
  private static final ContractAddress CONTRACT = Contract.ADDRESS;
  private static final ContractAddress OTHER = new ContractAddress("0x" + "cd".repeat(20));
  private static final PrivateTransaction TRANSACTION = transaction("party@a");
  private static final IntentKey INTENT = TRANSACTION.key();

  private final LedgerOfBlocks chain = new LedgerOfBlocks();

  @Test
  void findsAConfirmationSomePagesBack() throws Exception {
    chain.fulfilled(100, INTENT);

    assertThat(find(1, 200)).containsOnlyKeys(INTENT);
    assertThat(find(1, 200).get(INTENT).block()).isEqualTo(new BlockHeight(100));
  }

  @Test
  void findsAConfirmationThoughTheLedgerGivesBlocksInParts() throws Exception {
    chain.largest = 5;
    chain.fulfilled(100, INTENT);

    assertThat(find(1, 200)).containsOnlyKeys(INTENT);
  }

  @Test
  void readsAWholePageOfALedgerThatGivesItBlockByBlockAndStopsWhereItReachesBack()
      throws Exception {
    chain.largest = 1;
    chain.fulfilled(9_990, INTENT);
    assertThat(find(9_950, 10_000)).containsOnlyKeys(INTENT);

    chain.fulfilled(1, INTENT);
    assertThat(find(9_950, 10_000)).isEmpty();
    assertThat(chain.lowestRead).isGreaterThan(9_500);
  }

  /** Of the page that reaches below what the ledger has dropped, the rest is read. */
  @ParameterizedTest
  @ValueSource(longs = {2, 100, 101, 128, 150, 199, 200})
  void readsNoFurtherBackThanTheLedgerHasBlocks(long oldest) throws Exception {
    chain.oldest = oldest;
    chain.fulfilled(oldest, INTENT);
    assertThat(find(1, 200)).containsOnlyKeys(INTENT);

    chain.fulfilled(oldest - 1, INTENT);
    assertThat(find(1, 200)).isEmpty();
  }

  @Test
  void doesNotTakeTheSameIdOnAnotherContractForIt() throws Exception {
    chain.fulfilled(100, OTHER, INTENT);

    assertThat(find(1, 200)).isEmpty();
  }

  @Test
  void doesNotTakeTheSameIdFromAnotherSenderForIt() throws Exception {
    chain.fulfilled(100, transaction("other@b").key());

    assertThat(find(1, 200)).isEmpty();
  }

  @Test
  void believesNoBlockThatIsNotFinal() throws Exception {
    chain.fulfilled(201, INTENT);

    assertThat(find(1, 200)).isEmpty();
  }

  @Test
  void readsNothingFromLongBeforeTheIntentWasAccepted() throws Exception {
    assertThat(find(9_000, 10_000)).isEmpty();
    assertThat(chain.lowestRead).isGreaterThan(8_500);
  }

  @Test
  void readsALongChainWithoutAStackAsDeep() throws Exception {
    chain.fulfilled(1, INTENT);

    assertThat(find(1, 200_000)).containsOnlyKeys(INTENT);
  }

  @Test
  void findsAConfirmationInTheFirstAndInTheNewestBlock() throws Exception {
    chain.fulfilled(1, INTENT);
    assertThat(find(1, 33)).containsOnlyKeys(INTENT);
    chain.fulfilled(33, INTENT);
    assertThat(find(1, 33)).containsOnlyKeys(INTENT);
  }

  @Test
  void readsNothingBeforeTheFirstBlockAndNothingMoreOnceAllIsFound() throws Exception {
    assertThat(find(1, 0)).isEmpty();
    assertThat(chain.asked).isZero();

    chain.fulfilled(190, INTENT);
    find(1, 200);
    assertThat(chain.asked).isEqualTo(1);
    assertThat(chain.lowestRead).isEqualTo(169);
  }

  @Test
  void looksForNothingThatThisNodeNeverAccepted() throws Exception {
    chain.fulfilled(100, INTENT);

    var found =
        new ConfirmationSearch(
                chain, id -> completedFuture(Optional.empty()), ForkJoinPool.commonPool(), CONTRACT)
            .find(Set.of(INTENT), new BlockHeight(200))
            .toCompletableFuture()
            .get(60, TimeUnit.SECONDS);

    assertThat(found).isEmpty();
    assertThat(chain.asked).isZero();
  }

  @Test
  void ofSeveralIntentsTheOldestSaysHowFarBackItReads() throws Exception {
    var young = Contract.transaction(Contract.A, 9);
    chain.fulfilled(1_000, INTENT);

    var found =
        new ConfirmationSearch(
                chain,
                id -> completedFuture(id.equals(TRANSACTION.id()) ? intent(1_000) : intent(9_000)),
                ForkJoinPool.commonPool(),
                CONTRACT)
            .find(new LinkedHashSet<>(List.of(INTENT, young.key())), new BlockHeight(10_000))
            .toCompletableFuture()
            .get(60, TimeUnit.SECONDS);

    assertThat(found).containsOnlyKeys(INTENT);
  }

  @Test
  void believesNoBlockBeyondThoseThatItHasAskedFor() throws Exception {
    chain.more = 5;
    chain.fulfilled(202, INTENT);

    assertThat(find(1, 200)).isEmpty();
  }

  @Test
  void endsWhereTheLedgerGivesNoMoreOfAPage() throws Exception {
    chain.newest = 150;
    chain.fulfilled(100, INTENT);

    assertThat(find(1, 200)).containsOnlyKeys(INTENT);
  }

  /** Block number n was made n seconds after the epoch. */
  private Map<IntentKey, Receipt.OnLedger> find(long acceptedAt, long newest) throws Exception {
    return new ConfirmationSearch(
            chain, id -> completedFuture(intent(acceptedAt)), ForkJoinPool.commonPool(), CONTRACT)
        .find(Set.of(INTENT), new BlockHeight(newest))
        .toCompletableFuture()
        .get(60, TimeUnit.SECONDS);
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
}
