package dev.sequitur.schedule.multisignature;

import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.family.FamilyNotice;
import dev.sequitur.schedule.family.Subject;
import dev.sequitur.schedule.signing.TransactionRecord;
import java.util.Optional;

/** What the multi-signature family tells. */
public sealed interface MultiSignatureNotice extends FamilyNotice {
  @Override
  default FamilyKind family() {
    return FamilyKind.MULTI_SIGNATURE;
  }

  /** The record stream. */
  record Exported(TransactionRecord record) implements MultiSignatureNotice {
    @Override
    public Optional<Subject> about() {
      var payer = record.transactionId().account().account();
      return record
          .group()
          .map(group -> new Subject(family(), payer, Optional.of(group), Optional.empty()));
    }
  }
}
