package dev.sequitur.scheduler.storage;

import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.schedule.family.FamilyOperation;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation.Submitted;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import java.nio.ByteBuffer;

/**
 * Tells a command that is sent again from another one under the same id: 16 bits that say how the
 * digest was made, then 48 of a SHA-256 over who asks for what. One that an earlier version made
 * otherwise cannot be compared, and what comes under its id then counts as the repetition that it
 * most likely is. Thread-safe; expensive to make, to be shared.
 */
public final class CommandDigest {
  /**
   * Raised by one whenever an operation is written in other bytes, also with the version of stored
   * layouts, which is among them: a test with a golden file of their layouts, or one with digests,
   * fails then. Never 0, which is that of signed transactions.
   */
  static final int LAYOUT = 10;

  /** {@link SignedRequest} never changes. */
  private static final int SIGNED = 0;

  private static final int BITS = 48;
  private static final long HASH = (1L << BITS) - 1;

  private final QueueFormat format = new QueueFormat();

  public long of(Command command) {
    var digest = new CanonicalDigest().add(command.signer().value());
    int made = LAYOUT;
    switch (command.operation()) {
      case Operation.Perform(var operation) -> {
        add(digest, operation);
        made = operation instanceof Submitted ? SIGNED : LAYOUT;
      }
      case Operation.Batch batch -> {
        digest.add(batch.revertIfFails() ? 2 : 1);
        batch.operations().forEach(each -> add(digest, each));
      }
      case Operation.OfQueue operation -> digest.add(format.encode(operation, Operation.class));
      case Operation.OfPartition operation -> digest.add(format.encode(operation, Operation.class));
    }
    return finish(made, digest);
  }

  /**
   * Whether this may be the command of which {@code remembered} is the digest: it is not if both
   * were made in the same way and differ.
   */
  public boolean mayBe(long remembered, Command command) {
    int made = (int) (remembered >>> BITS);
    boolean comparable = made == SIGNED || made == LAYOUT;
    return !comparable || remembered == of(command);
  }

  private void add(CanonicalDigest digest, FamilyOperation operation) {
    if (operation instanceof Submitted submitted) {
      new SignedRequest(submitted).addTo(digest);
    } else {
      digest.add(format.encode(operation, FamilyOperation.class));
    }
  }

  private static long finish(int made, CanonicalDigest digest) {
    long hash = ByteBuffer.wrap(digest.finish().toByteArray()).getLong();
    return ((long) made << BITS) | (hash & HASH);
  }
}
