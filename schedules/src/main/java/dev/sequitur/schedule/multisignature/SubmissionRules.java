package dev.sequitur.schedule.multisignature;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.family.QueueView;
import dev.sequitur.schedule.signing.AccountAmount;
import dev.sequitur.schedule.signing.Profile;
import dev.sequitur.schedule.signing.PublicKey;
import dev.sequitur.schedule.signing.ResponseCode;
import dev.sequitur.schedule.signing.Submission;
import dev.sequitur.schedule.signing.TransactionReceipt;
import dev.sequitur.schedule.signing.TransactionRecord;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What holds for every submitted transaction: id, time, payer, fee, and its record. */
final class SubmissionRules {
  private static final int MOST_MEMO_BYTES = 100;

  private final MultiSignatureSettings settings;
  private final QueueView view;
  private final MultiSignatureOperation.Submitted operation;
  private final Submission by;

  SubmissionRules(
      MultiSignatureSettings settings,
      QueueView view,
      MultiSignatureOperation.Submitted operation) {
    this.settings = settings;
    this.view = view;
    this.operation = operation;
    this.by = operation.by();
  }

  /**
   * The first thing that is wrong with it, in the order in which Hedera's nodes look: what the
   * transaction says by itself, its time, whether it was there before, room, payer and fee
   * (MSIG-25).
   */
  Optional<ResponseCode> refusal(AccountId signer, Amount fee) {
    return refusedId()
        .or(() -> refusedMemo(by.memo()))
        .or(this::refusedTime)
        .or(this::refusedAgain)
        .or(this::refusedRoom)
        .or(() -> refusedPayer(signer))
        .or(() -> refusedFee(fee));
  }

  private Optional<ResponseCode> refusedId() {
    return by.id().scheduled() || by.id().nonce() != 0
        ? Optional.of(ResponseCode.TRANSACTION_ID_FIELD_NOT_ALLOWED)
        : Optional.empty();
  }

  private Optional<ResponseCode> refusedTime() {
    long seconds = by.validSeconds();
    long past = view.now().nanos() - by.id().validStart().nanos();
    if (seconds < 1 || seconds > settings.limits().maxValidSecs()) {
      return Optional.of(ResponseCode.INVALID_TRANSACTION_DURATION);
    } else if (past < 0) {
      return Optional.of(ResponseCode.INVALID_TRANSACTION_START);
    } else if (past / 1_000_000_000 >= seconds) {
      return Optional.of(ResponseCode.TRANSACTION_EXPIRED);
    }
    return Optional.empty();
  }

  private Optional<ResponseCode> refusedAgain() {
    return MultiSignature.state(view).records().of(by.id()).isEmpty()
        ? Optional.empty()
        : Optional.of(ResponseCode.DUPLICATE_TRANSACTION);
  }

  /** Two more records may come of it. */
  private Optional<ResponseCode> refusedRoom() {
    return MultiSignature.state(view).records().size() > settings.limits().maxRecords() - 2
        ? Optional.of(ResponseCode.BUSY)
        : Optional.empty();
  }

  private Optional<ResponseCode> refusedPayer(AccountId signer) {
    var payer = view.keys().account(by.id().account());
    if (payer.isEmpty()) {
      return Optional.of(
          settings.profile() == Profile.CURRENT && view.keys().isDeleted(by.id().account())
              ? ResponseCode.PAYER_ACCOUNT_DELETED
              : ResponseCode.PAYER_ACCOUNT_NOT_FOUND);
    }
    return signer.equals(payer()) && payer.get().key().isSatisfiedBy(by.signatures().signers())
        ? Optional.empty()
        : Optional.of(ResponseCode.INVALID_PAYER_SIGNATURE);
  }

  private Optional<ResponseCode> refusedFee(Amount fee) {
    if (by.maxFee() < fee.units()) {
      return Optional.of(ResponseCode.INSUFFICIENT_TX_FEE);
    } else if (!view.book().canPay(payer(), fee)) {
      return Optional.of(ResponseCode.INSUFFICIENT_PAYER_BALANCE);
    }
    return Optional.empty();
  }

  static Optional<ResponseCode> refusedMemo(String memo) {
    if (memo.getBytes(StandardCharsets.UTF_8).length > MOST_MEMO_BYTES) {
      return Optional.of(ResponseCode.MEMO_TOO_LONG);
    }
    return memo.indexOf('\0') < 0
        ? Optional.empty()
        : Optional.of(ResponseCode.INVALID_ZERO_BYTE_IN_STRING);
  }

  Set<PublicKey> signers() {
    return by.signatures().signers();
  }

  AccountId payer() {
    return by.id().account().account();
  }

  TransactionRecord record(TransactionReceipt receipt, Amount fee) {
    return record(receipt, fee, List.of(), Optional.empty());
  }

  /** Of one that has moved money. */
  TransactionRecord record(TransactionReceipt receipt, Amount fee, List<AccountAmount> transfers) {
    return record(receipt, fee, transfers, Optional.empty());
  }

  /** Of what was done to a schedule. */
  TransactionRecord record(TransactionReceipt receipt, Amount fee, MultiSignatureTerms about) {
    return record(receipt, fee, List.of(), about.group());
  }

  private TransactionRecord record(
      TransactionReceipt receipt,
      Amount fee,
      List<AccountAmount> transfers,
      Optional<ContractAddress> group) {
    return new TransactionRecord(
        receipt,
        by.hash(),
        by.content(),
        view.now(),
        by.id(),
        by.memo(),
        fee.units(),
        by.id().account(),
        transfers,
        Optional.empty(),
        Optional.empty(),
        group,
        Optional.of(operation.asked()));
  }
}
