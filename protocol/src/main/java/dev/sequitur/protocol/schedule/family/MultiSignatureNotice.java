package dev.sequitur.protocol.schedule.family;

import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.schedule.signing.TransactionRecord;

/** What the multi-signature family tells. */
public sealed interface MultiSignatureNotice extends FamilyNotice {
  /** The record stream. */
  record Exported(TransactionRecord record) implements MultiSignatureNotice {}

  /**
   * A body was executed: the store is to keep it, and then the queue may archive it.
   *
   * @param count of executed bodies, this one among them
   */
  record BodyExecuted(Hash body, long count) implements MultiSignatureNotice {}
}
