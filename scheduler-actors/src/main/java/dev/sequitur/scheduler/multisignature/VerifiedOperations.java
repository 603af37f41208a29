package dev.sequitur.scheduler.multisignature;

import dev.sequitur.schedule.multisignature.MultiSignatureAnswer.SigningKeys;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation;
import dev.sequitur.schedule.multisignature.MultiSignatureQuery;
import dev.sequitur.schedule.signing.AccountAmount;
import dev.sequitur.schedule.signing.AccountKey;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.BodyLookup;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.Submission;
import dev.sequitur.scheduler.body.SignaturePair;
import dev.sequitur.scheduler.body.SignatureVerifier;
import dev.sequitur.scheduler.body.SubmittedTransaction;
import dev.sequitur.scheduler.body.SubmittedTransaction.Operation;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Makes an operation of a decoded transaction: asks the queue whose keys are in question, and
 * verifies the signatures by them, beside the queue. If an account's key changes before the queue
 * decides, the signature does not count, and the caller tries again. Thread-safe.
 */
public final class VerifiedOperations {
  private final SignatureVerifier verifier;

  public VerifiedOperations(SignatureVerifier verifier) {
    this.verifier = verifier;
  }

  /** Whether each has a whole key for its prefix: it is that one's or nobody's. */
  static boolean nameTheirKeys(List<SignaturePair> pairs) {
    return pairs.stream().allMatch(pair -> pair.algorithm().hasSize(pair.prefix()));
  }

  /** What the queue is to be asked first. */
  public static MultiSignatureQuery<SigningKeys> question(SubmittedTransaction transaction) {
    var payer = transaction.header().id().account();
    return switch (transaction.operation()) {
      case Operation.ScheduleCreate create ->
          new MultiSignatureQuery.KeysToCreate(payer, create.creation());
      case Operation.ScheduleSign sign ->
          new MultiSignatureQuery.KeysOfSchedule(payer, sign.schedule());
      case Operation.ScheduleDelete(var schedule) ->
          new MultiSignatureQuery.KeysOfSchedule(payer, schedule);
      case Operation.CryptoCreate ignored -> new MultiSignatureQuery.KeysOfAccounts(List.of(payer));
      case Operation.CryptoUpdate update ->
          new MultiSignatureQuery.KeysOfAccounts(List.of(payer, update.account()));
      case Operation.CryptoDelete(var account, var to) ->
          new MultiSignatureQuery.KeysOfAccounts(List.of(payer, account, to));
      case Operation.CryptoTransfer(var transfer) -> keysOf(payer, transfer);
      case Operation.QueryPayment(var transfer, var ignored) -> keysOf(payer, transfer);
    };
  }

  private static MultiSignatureQuery.KeysOfAccounts keysOf(
      EntityId payer, Action.CryptoTransfer transfer) {
    return new MultiSignatureQuery.KeysOfAccounts(
        Stream.concat(Stream.of(payer), transfer.transfers().stream().map(AccountAmount::account))
            .distinct()
            .toList());
  }

  /**
   * @param keys the queue's answer
   * @param executedBefore whether the store of executed bodies, asked after the queue, has the body
   *     that is to be scheduled
   */
  public MultiSignatureOperation.Submitted verify(
      SubmittedTransaction transaction, SigningKeys keys, boolean executedBefore) {
    var by = submission(transaction, keys);
    return switch (transaction.operation()) {
      case Operation.ScheduleCreate(var creation, var sigMap) ->
          new MultiSignatureOperation.ScheduleCreate(
              by,
              creation,
              verifier.verify(keys.body(), sigMap, keys.inner()),
              new BodyLookup(executedBefore, keys.storedBodies()));
      case Operation.ScheduleSign(var schedule, var sigMap) ->
          new MultiSignatureOperation.ScheduleSign(
              by, schedule, verifier.verify(keys.body(), sigMap, keys.inner()));
      case Operation.ScheduleDelete(var schedule) ->
          new MultiSignatureOperation.ScheduleDelete(by, schedule);
      case Operation.CryptoCreate(var account) ->
          new MultiSignatureOperation.CryptoCreate(by, account);
      case Operation.CryptoUpdate(var account, var change) ->
          new MultiSignatureOperation.CryptoUpdate(by, account, change);
      case Operation.CryptoDelete(var account, var to) ->
          new MultiSignatureOperation.CryptoDelete(by, account, to);
      case Operation.CryptoTransfer(var transfer) ->
          new MultiSignatureOperation.CryptoTransfer(by, transfer);
      case Operation.QueryPayment(var transfer, var node) ->
          new MultiSignatureOperation.QueryPayment(by, transfer, node);
    };
  }

  private Submission submission(SubmittedTransaction transaction, SigningKeys keys) {
    var header = transaction.header();
    var inQuestion = new TreeSet<>(keys.outer());
    named(transaction.operation()).ifPresent(key -> key.forEachPublicKey(inQuestion::add));
    return new Submission(
        header.id(),
        transaction.named(),
        header.validSeconds(),
        header.maxFee(),
        header.memo(),
        transaction.hash(),
        transaction.content(),
        verifier.verify(transaction.bodyBytes(), transaction.signatures(), inQuestion));
  }

  /** A key that the transaction brings along. */
  private static Optional<AccountKey> named(Operation operation) {
    return switch (operation) {
      case Operation.CryptoCreate(var account) -> Optional.of(account.key());
      case Operation.CryptoUpdate update -> update.change().key();
      case Operation.CryptoDelete ignored -> Optional.empty();
      case Operation.ScheduleCreate ignored -> Optional.empty();
      case Operation.ScheduleSign ignored -> Optional.empty();
      case Operation.ScheduleDelete ignored -> Optional.empty();
      case Operation.CryptoTransfer ignored -> Optional.empty();
      case Operation.QueryPayment ignored -> Optional.empty();
    };
  }
}
