package dev.sequitur.scheduler.body;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.schedule.family.MultiSignatureOperation;
import dev.sequitur.protocol.schedule.family.MultiSignatureQueries;
import dev.sequitur.protocol.schedule.signing.BodyLookup;
import dev.sequitur.protocol.schedule.signing.EntityId;
import dev.sequitur.protocol.schedule.signing.Key;
import dev.sequitur.protocol.schedule.signing.PublicKey;
import dev.sequitur.protocol.schedule.signing.Submission;
import dev.sequitur.protocol.schedule.signing.VerifiedSignatures;
import dev.sequitur.scheduler.body.SubmittedTransaction.Operation;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Makes an operation of a decoded transaction: verifies its signatures by the keys that accounts
 * have now. If one of these changes before the queue decides, the signature does not count, and the
 * caller tries again. Needs the queue's state to read only, so it runs beside the queue.
 */
public final class VerifiedOperations {
  private final SignatureVerifier verifier;

  public VerifiedOperations(SignatureVerifier verifier) {
    this.verifier = verifier;
  }

  /**
   * @param lookup what the store of executed bodies says of a body that is to be scheduled
   */
  public MultiSignatureOperation.Submitted of(
      SubmittedTransaction transaction, MultiSignatureQueries queries, BodyLookup lookup) {
    var operation = transaction.operation();
    var by = submission(transaction, queries);
    var payer = by.id().account();
    if (operation instanceof Operation.ScheduleCreate create) {
      var body = create.creation().transaction().bytes();
      var sigMap =
          verifier.verify(body, create.sigMap(), queries.keysToSign(create.creation(), payer));
      return new MultiSignatureOperation.ScheduleCreate(by, create.creation(), sigMap, lookup);
    } else if (operation instanceof Operation.ScheduleSign sign) {
      return new MultiSignatureOperation.ScheduleSign(
          by, sign.schedule(), sigMap(sign.schedule(), sign.sigMap(), queries));
    } else if (operation instanceof Operation.ScheduleDelete delete) {
      return new MultiSignatureOperation.ScheduleDelete(by, delete.schedule());
    } else if (operation instanceof Operation.CryptoCreate create) {
      return new MultiSignatureOperation.CryptoCreate(by, create.account());
    } else if (operation instanceof Operation.CryptoUpdate update) {
      return new MultiSignatureOperation.CryptoUpdate(by, update.account(), update.key());
    }
    throw new IllegalStateException("Unknown operation: " + operation);
  }

  /** Of a schedule that is not there nothing can be verified; the queue says that it is not. */
  private VerifiedSignatures sigMap(
      EntityId schedule, List<SignaturePair> pairs, MultiSignatureQueries queries) {
    var body =
        queries
            .terms(schedule)
            .map(terms -> terms.creation().transaction().bytes())
            .orElse(Bytes.EMPTY);
    return verifier.verify(body, pairs, queries.keysToSign(schedule));
  }

  private Submission submission(SubmittedTransaction transaction, MultiSignatureQueries queries) {
    var header = transaction.header();
    var keys = outerKeys(transaction, queries);
    return new Submission(
        header.id(),
        header.validSeconds(),
        header.maxFee(),
        header.memo(),
        transaction.hash(),
        verifier.verify(transaction.bodyBytes(), transaction.signatures(), keys));
  }

  /** Whose signatures of the outer transaction may matter, in one profile or the other. */
  private static Set<PublicKey> outerKeys(
      SubmittedTransaction transaction, MultiSignatureQueries queries) {
    var payer = transaction.header().id().account();
    var keys = new TreeSet<>(queries.keysOf(payer));
    var operation = transaction.operation();
    if (operation instanceof Operation.ScheduleCreate create) {
      keys.addAll(queries.keysToSign(create.creation(), payer));
      create.creation().adminKey().ifPresent(key -> add(keys, key));
    } else if (operation instanceof Operation.ScheduleSign sign) {
      keys.addAll(queries.keysToSign(sign.schedule()));
    } else if (operation instanceof Operation.ScheduleDelete delete) {
      keys.addAll(queries.adminKeysOf(delete.schedule()));
    } else if (operation instanceof Operation.CryptoCreate create) {
      add(keys, create.account().key());
    } else if (operation instanceof Operation.CryptoUpdate update) {
      add(keys, update.key());
      keys.addAll(queries.keysOf(update.account()));
    }
    return keys;
  }

  private static void add(Set<PublicKey> keys, Key key) {
    key.forEachPublicKey(keys::add);
  }
}
