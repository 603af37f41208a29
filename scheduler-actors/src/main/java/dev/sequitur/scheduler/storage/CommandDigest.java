package dev.sequitur.scheduler.storage;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.schedule.AccountId;
import dev.sequitur.protocol.schedule.family.FamilyOperation;
import dev.sequitur.protocol.schedule.family.MultiSignatureOperation.Submitted;
import dev.sequitur.protocol.schedule.queue.QueueInput.Command;
import dev.sequitur.protocol.schedule.queue.QueueInput.Operation;
import dev.sequitur.protocol.schedule.signing.TransactionId;
import java.nio.ByteBuffer;
import java.security.MessageDigest;

/**
 * Tells a command that is sent again from another one under the same id: the first eight bytes of a
 * SHA-256 over who asks for what. Thread-safe; expensive to make, to be shared.
 */
public final class CommandDigest {
  private final QueueFormat format = new QueueFormat();

  /** What stays the same of a transaction that its payer has signed, whenever it comes. */
  private record Signed(TransactionId id, Bytes hash) {}

  public long of(Command command) {
    var digest = Hash.newSha256();
    add(digest, command.signer(), AccountId.class);
    if (command.operation() instanceof Operation.Perform perform) {
      add(digest, perform.operation());
    } else if (command.operation() instanceof Operation.Batch batch) {
      digest.update((byte) (batch.revertIfFails() ? 2 : 1));
      batch.operations().forEach(each -> add(digest, each));
    } else {
      add(digest, command.operation(), Operation.class);
    }
    return ByteBuffer.wrap(digest.digest()).getLong();
  }

  /**
   * Of a signed transaction its signatures were verified on the way in, and a store was asked: both
   * may come out differently the next time, and its hash covers all that was signed.
   */
  private void add(MessageDigest digest, FamilyOperation operation) {
    if (operation instanceof Submitted submitted) {
      var by = submitted.by();
      add(digest, new Signed(by.id(), by.hash()), Signed.class);
    } else {
      add(digest, operation, FamilyOperation.class);
    }
  }

  private <T> void add(MessageDigest digest, T value, Class<? super T> type) {
    digest.update(format.encode(value, type));
  }
}
