package dev.sequitur.protocol.indexing;

import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.SenderCommitment;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.indexing.ReceiptCorrection.Judged;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import dev.sequitur.protocol.transaction.Receipt;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** CNF-11. */
class ReceiptCorrectionTest {
  private static final Instant NOW = Instant.EPOCH;
  private static final TransactionId ID = new TransactionId(new UUID(1, 1));
  private static final TransactionHash HASH = new TransactionHash(new Hash(1, 2, 3, 4));
  private static final LedgerAddress SIGNER = new LedgerAddress("0x" + "0a".repeat(20));
  private static final Receipt PRIVATE =
      new Receipt(ID, ADDRESS, "token", true, Optional.of(place(5, 2)), Optional.empty(), NOW);
  private static final Receipt PUBLIC =
      new Receipt(
          ID,
          ADDRESS,
          "",
          true,
          Optional.of(place(5, 2)),
          Optional.empty(),
          NOW,
          Optional.empty(),
          Optional.of(
              new Receipt.Called(
                  Optional.empty(), Bytes.EMPTY, Optional.of(new Receipt.Nonce(SIGNER, 3)))));

  @Test
  void onlyWhatIsAboveTheForkMayBeGone() {
    assertThat(ReceiptCorrection.concerns(PRIVATE, height(4))).isTrue();
    assertThat(ReceiptCorrection.concerns(PRIVATE, height(5))).isFalse();
    var nowhere = Receipt.reverted(ID, ADDRESS, "token", "no", NOW);
    assertThat(ReceiptCorrection.concerns(nowhere, height(1))).isFalse();
  }

  @Test
  void whatIsAtItsPlaceIsAsItWas() {
    assertThat(inBlock(found(5, 2, fulfilled(ID)))).isInstanceOf(Judged.Same.class);
  }

  @Test
  void whatIsNotAtItsPlaceIsGoneAndItsReceiptSaysWhatToDo() {
    assertThat(gone(ReceiptCorrection.inBlock(PRIVATE, block(), NOW))).contains("Block 5");
    gone(inBlock(found(5, 1, fulfilled(ID))));
    gone(inBlock(found(5, 2, fulfilled(new TransactionId(new UUID(1, 2))))));
    gone(
        inBlock(
            found(
                5,
                2,
                new LedgerReceipt.Reverted(
                    ADDRESS, key(ID), LedgerReceipt.RevertReason.STATE_SPENT, "spent"))));
  }

  @Test
  void aPublicTransactionIsFoundByItsHashWhereverItIsOnceThatIsFinal() {
    assertThat(byHash(Optional.of(found(5, 2, called(Optional.empty()))), 9))
        .isInstanceOf(Judged.Same.class);
    assertThat(byHash(Optional.of(found(8, 0, called(Optional.empty()))), 7))
        .isInstanceOf(Judged.Later.class);
    var moved = corrected(byHash(Optional.of(found(8, 0, called(Optional.empty()))), 8));
    assertThat(moved.success()).isTrue();
    assertThat(moved.onLedger().orElseThrow().block()).isEqualTo(height(8));
    assertThat(moved.called().orElseThrow().nonce()).isPresent();
    var failed = corrected(byHash(Optional.of(found(5, 2, called(Optional.of("It failed.")))), 9));
    assertThat(failed.success()).isFalse();
    assertThat(failed.failureMessage()).contains("It failed.");
    gone(byHash(Optional.empty(), 9));
  }

  /** Pools may have had it at several prices, each with a hash of its own (SUB-9). */
  @Test
  void aPublicTransactionWhoseNonceIsUsedMayBeThereUnderAnotherHash() {
    var now = new ReceiptCorrection.Now(Optional.empty(), Optional.of(4L));

    var receipt = corrected(ReceiptCorrection.byHash(PUBLIC, now, height(9), NOW));

    assertThat(receipt.success()).isFalse();
    assertThat(receipt.failureMessage().orElseThrow())
        .contains("Another transaction has used its nonce, 3 of " + SIGNER)
        .contains("at another of its prices")
        .doesNotContain("does not have");
  }

  /** A ledger tells the outcome only of signers that are awaited. */
  @Test
  void aPublicTransactionWhoseOutcomeIsNotToldKeepsTheOneThatItHad() {
    assertThat(byHash(Optional.of(found(5, 2, fulfilled(ID))), 9)).isInstanceOf(Judged.Same.class);
    assertThat(corrected(byHash(Optional.of(found(6, 2, fulfilled(ID))), 9)).success()).isTrue();
  }

  /** CNF-12: what was cancelled has used a nonce, too. */
  @Test
  void keysAreThoseOfAllThatHaveUsedANonceWhereverThatWas() {
    var cancelled =
        new Receipt(
            new TransactionId(new UUID(1, 7)),
            ADDRESS,
            "",
            false,
            Optional.empty(),
            Optional.of("It was cancelled."),
            NOW,
            Optional.empty(),
            PUBLIC.called());

    assertThat(
            ReceiptCorrection.signers(
                List.of(
                    new NumberedReceipt(1, PRIVATE),
                    new NumberedReceipt(2, cancelled),
                    new NumberedReceipt(3, PUBLIC))))
        .containsExactly(Map.entry(SIGNER, cancelled.transaction()));
  }

  private static Judged inBlock(LedgerReceipt found) {
    return ReceiptCorrection.inBlock(PRIVATE, block(found), NOW);
  }

  private static Judged byHash(Optional<LedgerReceipt> found, long read) {
    return ReceiptCorrection.byHash(
        PUBLIC, new ReceiptCorrection.Now(found, Optional.of(3L)), height(read), NOW);
  }

  private static Receipt corrected(Judged judged) {
    return ((Judged.Corrected) judged).receipt();
  }

  private static String gone(Judged judged) {
    var receipt = corrected(judged);
    assertThat(receipt.success()).isFalse();
    assertThat(receipt.onLedger()).isEmpty();
    var said = receipt.failureMessage().orElseThrow();
    assertThat(said).contains("is gone").contains("before you send it anew");
    return said;
  }

  private static Block block(LedgerReceipt... receipts) {
    var hash = new Hash(5, 5, 5, 5);
    return new Block(height(5), hash, hash, NOW, List.of(receipts));
  }

  private static LedgerReceipt found(long block, int index, LedgerReceipt.Result result) {
    return new LedgerReceipt(HASH, SIGNER, 3, height(block), index, List.of(result));
  }

  private static LedgerReceipt.Result fulfilled(TransactionId id) {
    return new LedgerReceipt.Fulfilled(ADDRESS, key(id), List.of(), List.of(), List.of());
  }

  private static LedgerReceipt.Result called(Optional<String> failure) {
    return new LedgerReceipt.Called(new Hash(7, 7, 7, 7), Optional.empty(), Bytes.EMPTY, failure);
  }

  private static IntentKey key(TransactionId id) {
    return new IntentKey(id, new SenderCommitment(new Hash(9, 9, 9, 9)));
  }

  private static Receipt.OnLedger place(long block, int index) {
    return new Receipt.OnLedger(HASH, height(block), index, List.of(), List.of(), List.of());
  }

  private static BlockHeight height(long value) {
    return new BlockHeight(value);
  }
}
