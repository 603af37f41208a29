package dev.sequitur.protocol.errand;

import static java.util.concurrent.CompletableFuture.completedFuture;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.TransactionHash;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What of a key's pooled transactions the ledger has lost (SUB-10). */
class LostTransactionsTest {
  private static final TransactionHash THIRD = hash("third");
  private static final TransactionHash DEARER = hash("third, for more");
  private static final TransactionHash FIFTH = hash("fifth");
  private static final SortedMap<Long, List<TransactionHash>> POOLED =
      new TreeMap<>(Map.of(3L, List.of(THIRD, DEARER), 5L, List.of(FIFTH)));

  private final List<TransactionHash> asked = new ArrayList<>();

  @Test
  void whatTheLedgerCountsIsNotLostAndNotAskedFor() {
    assertThat(lost(6, false)).isEmpty();
    assertThat(asked).isEmpty();
  }

  @Test
  void whatItDoesNotCountAndNotKnowIsLostAndWithItAllBehind() {
    assertThat(lost(3, false)).hasValue(3);
    assertThat(lost(4, false)).hasValue(5);
    assertThat(asked).containsExactly(DEARER, FIFTH);
  }

  /** As ganache, which counts blocks only. */
  @Test
  void whatItDoesNotCountButKnowsIsNotLost() {
    assertThat(lost(0, true)).isEmpty();
    assertThat(asked).containsExactly(DEARER);
  }

  @Test
  void whatIsBelowTheNextNonceIsInBlocksIfAnySubmissionOfTheFirstIsKnown() {
    assertThat(used(6, THIRD)).isEqualTo(6);
    assertThat(used(6, DEARER)).isEqualTo(6);
    assertThat(asked).doesNotContain(FIFTH);
  }

  @Test
  void nothingIsKnownToBeInBlocksIfAnotherTransactionHasTheFirstNonce() {
    assertThat(used(6, FIFTH)).isZero();
  }

  @Test
  void nobodyIsAskedIfNothingIsBelowTheNextNonce() {
    assertThat(used(3, FIFTH)).isEqualTo(3);
    assertThat(asked).isEmpty();
  }

  private long used(long next, TransactionHash known) {
    return SubmitterErrands.used(
            POOLED,
            next,
            hash -> {
              asked.add(hash);
              return completedFuture(hash.equals(known));
            })
        .toCompletableFuture()
        .join();
  }

  private OptionalLong lost(long pendingNonce, boolean known) {
    return SubmitterErrands.lost(
            POOLED,
            pendingNonce,
            hash -> {
              asked.add(hash);
              return completedFuture(known);
            })
        .toCompletableFuture()
        .join();
  }

  private static TransactionHash hash(String name) {
    return new TransactionHash(new CanonicalDigest().add(name).finish());
  }
}
