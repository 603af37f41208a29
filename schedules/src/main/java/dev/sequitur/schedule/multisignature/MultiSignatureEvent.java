package dev.sequitur.schedule.multisignature;

import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.family.FamilyEvent;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.PublicKey;
import dev.sequitur.schedule.signing.TransactionRecord;
import java.util.List;

/** What the multi-signature family must not forget beyond its schedules. */
public sealed interface MultiSignatureEvent extends FamilyEvent {
  /** These have provided valid signatures. */
  record Signed(EntityId schedule, List<PublicKey> keys) implements MultiSignatureEvent {
    public Signed {
      keys = List.copyOf(keys);
    }
  }

  /**
   * A schedule runs: nobody can sign it any more.
   *
   * @param remembered whether its body must never run again
   * @param elsewhere whether its outcome comes later
   * @param fee what its payer was charged for the execution
   */
  record Triggered(EntityId schedule, Hash body, boolean remembered, boolean elsewhere, Amount fee)
      implements MultiSignatureEvent {}

  record BodiesArchived(long upTo) implements MultiSignatureEvent {}

  record Recorded(TransactionRecord record) implements MultiSignatureEvent {}

  /**
   * Records before this, and closed schedules that expired before this, are forgotten: the oldest
   * ones, and the rest by more such events.
   *
   * @param second since 1970; what expired in it or before is forgotten
   */
  record Forgotten(ConsensusTime records, long second) implements MultiSignatureEvent {}
}
