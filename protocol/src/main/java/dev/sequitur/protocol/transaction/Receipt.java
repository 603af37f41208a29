package dev.sequitur.protocol.transaction;

import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How an intent ended.
 *
 * @param onLedger where it was confirmed; empty if it ended as reverted before it got there
 * @param failureMessage present just if it ended as reverted; holds no private data
 * @param contract of the group; of a public transaction, what it called or made, or its signer; of
 *     what failed to make a group, {@link #NO_CONTRACT}
 * @param domain of the group; empty for a public transaction
 * @param course how it came to that; empty if its sender had forgotten it by then
 * @param called what a public transaction came to, or one that makes a group
 */
public record Receipt(
    TransactionId transaction,
    ContractAddress contract,
    String domain,
    boolean success,
    Optional<OnLedger> onLedger,
    Optional<String> failureMessage,
    Instant indexed,
    Optional<Course> course,
    Optional<Called> called) {

  /** Stands for the contract that never was. */
  public static final ContractAddress NO_CONTRACT = new ContractAddress("0x" + "0".repeat(40));

  /** Why a public transaction failed that a block has as it was before its caller changed it. */
  public static final String CHANGED_TOO_LATE =
      "A block has it as it was before it was changed: that was carried out, and what it was"
          + " changed to was not.";

  /** Of a private transaction, without what led there. */
  public Receipt(
      TransactionId transaction,
      ContractAddress contract,
      String domain,
      boolean success,
      Optional<OnLedger> onLedger,
      Optional<String> failureMessage,
      Instant indexed) {
    this(
        transaction,
        contract,
        domain,
        success,
        onLedger,
        failureMessage,
        indexed,
        Optional.empty(),
        Optional.empty());
  }

  /**
   * What its sender saw of it, for people; nothing private is in it.
   *
   * @param attempts failed tries before it ended
   * @param delegate the last coordinator that it was delegated to
   * @param submitter whose submitter held it last
   * @param history oldest first, bounded by the sender, since its last start
   */
  public record Course(
      int attempts,
      Optional<NodeName> delegate,
      Optional<NodeName> submitter,
      List<Happened> history) {
    public Course {
      history = List.copyOf(history);
    }
  }

  public record Happened(Instant time, String what) {}

  /**
   * What only a public transaction has (PUB-4), and of it what makes a group: what it made.
   *
   * @param created the contract that it made
   * @param revertData what the contract said as it reverted; empty if nothing
   * @param nonce that a block has used for it, be it by nothing but that; empty if none has
   */
  public record Called(
      Optional<ContractAddress> created, Bytes revertData, Optional<Nonce> nonce) {}

  /**
   * A nonce of a key on the base ledger.
   *
   * @param number from 0
   */
  public record Nonce(LedgerAddress signer, long number) {}

  /** The place on the base ledger. */
  public record OnLedger(
      TransactionHash hash,
      BlockHeight block,
      int index,
      List<StateId> spent,
      List<StateId> read,
      List<StateId> confirmed) {}

  /**
   * Of a group whose contract stands.
   *
   * @param transaction that makes it
   */
  public static Receipt made(
      TransactionId transaction, PrivacyGroup group, OnLedger at, Instant now) {
    return new Receipt(
        transaction,
        group.contract(),
        group.domain(),
        true,
        Optional.of(at),
        Optional.empty(),
        now,
        Optional.empty(),
        Optional.of(new Called(Optional.of(group.contract()), Bytes.EMPTY, Optional.empty())));
  }

  /**
   * Of a group that is not made.
   *
   * @param transaction that was to make it
   */
  public static Receipt notMade(
      TransactionId transaction, String domain, String reason, Instant now) {
    return new Receipt(
        transaction,
        NO_CONTRACT,
        domain,
        false,
        Optional.empty(),
        Optional.of(reason),
        now,
        Optional.empty(),
        Optional.of(new Called(Optional.empty(), Bytes.EMPTY, Optional.empty())));
  }

  /**
   * Whether it takes the place of an earlier one under the same intent: a late confirmation wins
   * (CNF-2), and of two places on the ledger the one that was told later (CNF-11). A private one
   * wins in its own contract only: anybody can fulfil the same pair in another one (CNF-4).
   */
  public boolean replaces(Receipt earlier) {
    return isConfirmed()
        && (called.isPresent() || contract.equals(earlier.contract))
        && !(earlier.isConfirmed() && isAtThePlaceOf(earlier));
  }

  /** A success on the ledger. */
  public boolean isConfirmed() {
    return success && onLedger.isPresent();
  }

  private boolean isAtThePlaceOf(Receipt other) {
    var here = onLedger.orElseThrow();
    var there = other.onLedger.orElseThrow();
    return here.hash().equals(there.hash())
        && here.block().equals(there.block())
        && here.index() == there.index();
  }

  /** Whether everybody on the base ledger can read what it was about. */
  public boolean isPublic() {
    return domain.isEmpty();
  }

  /** With another sentence on why it failed. */
  public Receipt because(String reason) {
    return with(Optional.of(reason), course);
  }

  public Receipt after(Course how) {
    return with(failureMessage, Optional.of(how));
  }

  private Receipt with(Optional<String> failure, Optional<Course> how) {
    return new Receipt(
        transaction, contract, domain, success, onLedger, failure, indexed, how, called);
  }

  public static Receipt reverted(
      TransactionId transaction,
      ContractAddress contract,
      String domain,
      String reason,
      Instant now) {
    return new Receipt(
        transaction, contract, domain, false, Optional.empty(), Optional.of(reason), now);
  }
}
