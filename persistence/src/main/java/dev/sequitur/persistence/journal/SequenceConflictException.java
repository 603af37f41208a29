package dev.sequitur.persistence.journal;

/**
 * A persistent actor wrote a sequence number that isn't the next one of its stream: another
 * incarnation of it has written in between, or this one lost part of its past. Nothing of the write
 * was stored.
 */
public final class SequenceConflictException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SequenceConflictException(String persistenceId, long expected, long found) {
    super(
        ("Event %d of '%s' was refused, since the journal expects %d next: another incarnation has"
                + " written, or this one did not recover all events.")
            .formatted(found, persistenceId, expected));
  }
}
