package dev.sequitur.scheduler.body;

import dev.sequitur.protocol.schedule.family.MultiSignatureAnswer.SigningKeys;
import dev.sequitur.protocol.schedule.family.MultiSignatureOperation;
import dev.sequitur.protocol.schedule.family.MultiSignatureQuery;
import dev.sequitur.protocol.schedule.signing.BodyLookup;
import dev.sequitur.protocol.schedule.signing.Key;
import dev.sequitur.protocol.schedule.signing.PublicKey;
import dev.sequitur.protocol.schedule.signing.Submission;
import dev.sequitur.scheduler.body.SubmittedTransaction.Operation;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

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

  /** What the queue is to be asked first. */
  public static MultiSignatureQuery<SigningKeys> question(SubmittedTransaction transaction) {
    var payer = transaction.header().id().account();
    var operation = transaction.operation();
    if (operation instanceof Operation.ScheduleCreate create) {
      return new MultiSignatureQuery.KeysToCreate(payer, create.creation());
    } else if (operation instanceof Operation.ScheduleSign sign) {
      return new MultiSignatureQuery.KeysOfSchedule(payer, sign.schedule());
    } else if (operation instanceof Operation.ScheduleDelete delete) {
      return new MultiSignatureQuery.KeysOfSchedule(payer, delete.schedule());
    } else if (operation instanceof Operation.CryptoCreate) {
      return new MultiSignatureQuery.KeysOfAccounts(List.of(payer));
    } else if (operation instanceof Operation.CryptoUpdate update) {
      return new MultiSignatureQuery.KeysOfAccounts(List.of(payer, update.account()));
    }
    throw new IllegalStateException("Unknown operation: " + operation);
  }

  /**
   * @param keys the queue's answer
   * @param executedBefore whether the store of executed bodies, asked after the queue, has the body
   *     that is to be scheduled
   */
  public MultiSignatureOperation.Submitted verify(
      SubmittedTransaction transaction, SigningKeys keys, boolean executedBefore) {
    var by = submission(transaction, keys);
    var operation = transaction.operation();
    if (operation instanceof Operation.ScheduleCreate create) {
      return new MultiSignatureOperation.ScheduleCreate(
          by,
          create.creation(),
          verifier.verify(keys.body(), create.sigMap(), keys.inner()),
          new BodyLookup(executedBefore, keys.storedBodies()));
    } else if (operation instanceof Operation.ScheduleSign sign) {
      return new MultiSignatureOperation.ScheduleSign(
          by, sign.schedule(), verifier.verify(keys.body(), sign.sigMap(), keys.inner()));
    } else if (operation instanceof Operation.ScheduleDelete delete) {
      return new MultiSignatureOperation.ScheduleDelete(by, delete.schedule());
    } else if (operation instanceof Operation.CryptoCreate create) {
      return new MultiSignatureOperation.CryptoCreate(by, create.account());
    } else if (operation instanceof Operation.CryptoUpdate update) {
      return new MultiSignatureOperation.CryptoUpdate(by, update.account(), update.key());
    }
    throw new IllegalStateException("Unknown operation: " + operation);
  }

  private Submission submission(SubmittedTransaction transaction, SigningKeys keys) {
    var header = transaction.header();
    var inQuestion = new TreeSet<>(keys.outer());
    addNamed(inQuestion, transaction.operation());
    return new Submission(
        header.id(),
        header.validSeconds(),
        header.maxFee(),
        header.memo(),
        transaction.hash(),
        verifier.verify(transaction.bodyBytes(), transaction.signatures(), inQuestion));
  }

  /** Keys that the transaction brings along. */
  private static void addNamed(Set<PublicKey> keys, Operation operation) {
    if (operation instanceof Operation.CryptoCreate create) {
      add(keys, create.account().key());
    } else if (operation instanceof Operation.CryptoUpdate update) {
      add(keys, update.key());
    }
  }

  private static void add(Set<PublicKey> keys, Key key) {
    key.forEachPublicKey(keys::add);
  }
}
