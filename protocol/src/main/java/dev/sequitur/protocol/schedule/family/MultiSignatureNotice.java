package dev.sequitur.protocol.schedule.family;

import dev.sequitur.protocol.schedule.signing.TransactionRecord;

/** What the multi-signature family tells. */
public sealed interface MultiSignatureNotice extends FamilyNotice {
  /** The record stream. */
  record Exported(TransactionRecord record) implements MultiSignatureNotice {}
}
