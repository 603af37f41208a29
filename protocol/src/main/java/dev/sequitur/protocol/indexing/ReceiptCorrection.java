package dev.sequitur.protocol.indexing;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import dev.sequitur.protocol.transaction.Receipt;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is to be said of a receipt whose block may be gone (CNF-11). It is judged once the ledger
 * was read again up to where it was read before.
 */
public final class ReceiptCorrection {
  private static final String GONE =
      "Block %s, which had this transaction, is gone: the base ledger was reorganised below what counted as final, and does not have the transaction now. Look for it there before you send it anew: what was sent can still be taken.";

  private static final String NONCE_USED =
      "Block %s, which had this transaction, is gone: the base ledger was reorganised below what counted as final. Another transaction has used its nonce, %d of %s, now: that may be this one at another of its prices. See what it was before you send it anew.";

  private ReceiptCorrection() {}

  /** What the ledger says of it now. */
  public sealed interface Judged {
    /** It is where it was. */
    record Same() implements Judged {}

    /** It is in a block that is not read yet. */
    record Later() implements Judged {}

    /** Another receipt is to take its place. */
    record Corrected(Receipt receipt) implements Judged {}
  }

  /**
   * What the ledger has now of a transaction.
   *
   * @param receipt under the hash that the receipt names; at another price it has another one
   * @param nextNonce the next one of the key that had signed it; empty if that does not matter
   */
  public record Now(Optional<LedgerReceipt> receipt, Optional<Long> nextNonce) {}

  /** Whether its block may be gone. */
  public static boolean concerns(Receipt receipt, BlockHeight fork) {
    return receipt.onLedger().filter(place -> place.block().compareTo(fork) > 0).isPresent();
  }

  /**
   * Of a private transaction. If another block had it, that was told as it was read.
   *
   * @param now the block at the height that the receipt names, as the ledger has it now
   */
  public static Judged inBlock(Receipt told, Block now, Instant at) {
    var place = told.onLedger().orElseThrow();
    boolean isThere =
        now.receipts().stream()
            .filter(each -> isAt(place, each))
            .flatMap(each -> each.results().stream())
            .anyMatch(
                result ->
                    result instanceof LedgerReceipt.Fulfilled done
                        && done.transaction().equals(told.transaction())
                        && done.contract().equals(told.contract()));
    return isThere ? new Judged.Same() : new Judged.Corrected(gone(told, at));
  }

  /**
   * Of a public transaction, or of one that makes a group.
   *
   * @param now what the ledger has now
   * @param read the newest final block that was read
   */
  public static Judged byHash(Receipt told, Now now, BlockHeight read, Instant at) {
    if (now.receipt().isEmpty()) {
      return new Judged.Corrected(
          nonce(told)
              .filter(nonce -> now.nextNonce().filter(next -> next > nonce.number()).isPresent())
              .map(nonce -> gone(told, nonceUsed(told, nonce), at))
              .orElseGet(() -> gone(told, at)));
    }
    var found = now.receipt().get();
    if (found.block().compareTo(read) > 0) {
      return new Judged.Later();
    }
    var moved = moved(told, found, at);
    if (moved.isEmpty()) {
      return new Judged.Corrected(gone(told, at));
    }
    boolean isSame =
        isAt(told.onLedger().orElseThrow(), found)
            && moved.get().success() == told.success()
            && moved.get().failureMessage().equals(told.failureMessage());
    return isSame ? new Judged.Same() : new Judged.Corrected(moved.get());
  }

  /** The nonce that a block had used for it. */
  public static Optional<Receipt.Nonce> nonce(Receipt told) {
    return told.called().flatMap(Receipt.Called::nonce);
  }

  /**
   * The keys that have used a nonce for these, each with one of its transactions. Where no block is
   * named, as of what was cancelled, one has used it all the same, and may be gone.
   */
  public static Map<LedgerAddress, TransactionId> signers(List<NumberedReceipt> receipts) {
    var signers = new LinkedHashMap<LedgerAddress, TransactionId>();
    for (var told : receipts) {
      nonce(told.receipt())
          .ifPresent(nonce -> signers.putIfAbsent(nonce.signer(), told.receipt().transaction()));
    }
    return signers;
  }

  private static String nonceUsed(Receipt told, Receipt.Nonce nonce) {
    return NONCE_USED.formatted(
        told.onLedger().orElseThrow().block(), nonce.number(), nonce.signer());
  }

  private static boolean isAt(Receipt.OnLedger place, LedgerReceipt found) {
    return found.hash().equals(place.hash())
        && found.block().equals(place.block())
        && found.index() == place.index();
  }

  /** What was carried out there; empty if it is not what the receipt is about. */
  private static Optional<Receipt> moved(Receipt told, LedgerReceipt found, Instant at) {
    if (!told.isPublic()) {
      boolean isMade =
          found.results().stream()
              .anyMatch(
                  result ->
                      result instanceof LedgerReceipt.Deployed made
                          && made.contract().equals(told.contract()));
      return isMade
          ? Optional.of(at(told, found, Optional.empty(), told.called().orElseThrow(), at))
          : Optional.empty();
    }
    var nonce = nonce(told);
    boolean tooLate = told.failureMessage().equals(Optional.of(Receipt.CHANGED_TOO_LATE));
    return Optional.of(
        found
            .called()
            .map(
                called ->
                    at(
                        told,
                        found,
                        tooLate ? told.failureMessage() : called.failure(),
                        new Receipt.Called(called.created(), called.revertData(), nonce),
                        at))
            // A ledger tells the outcome only of signers whose transactions are awaited.
            .orElseGet(
                () -> at(told, found, told.failureMessage(), told.called().orElseThrow(), at)));
  }

  private static Receipt at(
      Receipt told,
      LedgerReceipt found,
      Optional<String> failure,
      Receipt.Called called,
      Instant at) {
    return new Receipt(
        told.transaction(),
        told.contract(),
        told.domain(),
        failure.isEmpty(),
        Optional.of(
            new Receipt.OnLedger(
                found.hash(), found.block(), found.index(), List.of(), List.of(), List.of())),
        failure,
        at,
        told.course(),
        Optional.of(called));
  }

  private static Receipt gone(Receipt told, Instant at) {
    return gone(told, GONE.formatted(told.onLedger().orElseThrow().block()), at);
  }

  private static Receipt gone(Receipt told, String why, Instant at) {
    return new Receipt(
        told.transaction(),
        told.contract(),
        told.domain(),
        false,
        Optional.empty(),
        Optional.of(why),
        at,
        told.course(),
        told.called()
            .map(called -> new Receipt.Called(Optional.empty(), Bytes.EMPTY, Optional.empty())));
  }
}
