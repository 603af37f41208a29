package dev.sequitur.schedule.multisignature;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.family.FamilyNotice;
import dev.sequitur.schedule.family.Posting;
import dev.sequitur.schedule.family.Subject;
import dev.sequitur.schedule.signing.TransactionRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** What the multi-signature family tells. */
public sealed interface MultiSignatureNotice extends FamilyNotice {
  @Override
  default FamilyKind family() {
    return FamilyKind.MULTI_SIGNATURE;
  }

  /** The record stream. */
  record Exported(TransactionRecord record) implements MultiSignatureNotice {
    @Override
    public List<Posting> postings() {
      var what =
          record
              .asked()
              .map(
                  asked ->
                      asked.operation() + asked.about().map(about -> " of " + about).orElse(""))
              .orElse("");
      var moved = new TreeMap<AccountId, Long>();
      record
          .transfers()
          .forEach(row -> moved.merge(row.account().account(), row.units(), Long::sum));
      var postings = new ArrayList<>(Posting.of(moved, what));
      if (record.fee() != 0) {
        var fee = new Amount(record.fee());
        postings.add(
            new Posting(
                record.payer().account(), Posting.Kind.CHARGED, fee, Optional.empty(), what));
      }
      return postings;
    }

    @Override
    public Optional<Subject> about() {
      var payer = record.transactionId().account().account();
      return record
          .group()
          .map(
              group ->
                  new Subject(family(), payer, Optional.of(group), Optional.empty(), List.of()));
    }
  }
}
