package dev.sequitur.scheduler.storage;

import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation.CryptoCreate;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation.CryptoDelete;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation.CryptoTransfer;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation.CryptoUpdate;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation.QueryPayment;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation.RecordRefusal;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation.ScheduleCreate;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation.ScheduleDelete;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation.ScheduleSign;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.Creation;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.VerifiedSignatures;

/**
 * What stays the same of a signed transaction when whoever lost its answer builds and signs it
 * anew: who pays, who signs and what is asked. Its valid start does not, nor do signatures over it;
 * and what was found out on the way in may come out differently the next time.
 *
 * <p>The bytes are for life: digests of them are stored.
 */
record SignedRequest(MultiSignatureOperation.Submitted operation) {
  void addTo(CanonicalDigest digest) {
    var by = operation.by();
    digest.add(by.id().account().toString()).add(by.validSeconds()).add(by.maxFee());
    digest.add(by.memo());
    addSigners(digest, by.signatures());
    switch (operation) {
      case ScheduleCreate create -> {
        add(digest.add("ScheduleCreate"), create.creation());
        addSigners(digest, create.sigMap());
      }
      case ScheduleSign sign -> {
        digest.add("ScheduleSign").add(sign.schedule().toString());
        addSigners(digest, sign.sigMap());
      }
      case ScheduleDelete delete -> digest.add("ScheduleDelete").add(delete.schedule().toString());
      case CryptoCreate create -> add(digest.add("CryptoCreate"), create.account());
      case CryptoUpdate update ->
          update.change().addTo(digest.add("CryptoUpdate").add(update.account().toString()));
      case CryptoDelete delete ->
          digest.add("CryptoDelete").add(delete.account().toString()).add(delete.to().toString());
      case CryptoTransfer transfer -> {
        digest.add("CryptoTransfer");
        add(digest, transfer.transfer());
      }
      case QueryPayment payment -> {
        digest.add("QueryPayment").add(by.content()).add(payment.node().toString());
        add(digest, payment.transfer());
      }
      case RecordRefusal refusal ->
          digest.add("RecordRefusal").add(by.hash()).add(refusal.receipt().status().name());
    }
  }

  private static void addSigners(CanonicalDigest digest, VerifiedSignatures signatures) {
    digest.add(signatures.checks().size());
    signatures.checks().forEach(check -> digest.add(check.prefix()));
  }

  private static void add(CanonicalDigest digest, Action.CryptoTransfer transfer) {
    transfer.transfers().forEach(row -> digest.add(row.account().toString()).add(row.units()));
  }

  private static void add(CanonicalDigest digest, Creation creation) {
    digest.add(creation.transaction().bytes());
    digest.add(creation.adminKey().isPresent() ? 1 : 0);
    creation.adminKey().ifPresent(key -> key.addTo(digest));
    digest.add(creation.payer().map(EntityId::toString).orElse(""));
    digest.add(creation.memo());
    digest.add(creation.expirationSecond().map(second -> Long.toString(second)).orElse(""));
    digest.add(creation.waitForExpiry() ? 1 : 0);
  }

  private static void add(CanonicalDigest digest, Action.CryptoCreate account) {
    account.key().addTo(digest);
    digest.add(account.initialBalance().units());
    digest.add(account.receiverSigRequired() ? 1 : 0).add(account.memo());
  }
}
