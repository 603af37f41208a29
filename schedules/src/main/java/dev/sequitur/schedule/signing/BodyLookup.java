package dev.sequitur.schedule.signing;

/**
 * What the store of executed bodies said before the command (MSIG-3).
 *
 * @param executed whether it has the body
 * @param stored how many bodies the queue knew the store to have before the store was asked: if
 *     more than those have left memory since, nobody knows of the rest
 */
public record BodyLookup(boolean executed, long stored) {
  /** Of a queue that has archived nothing. */
  public static final BodyLookup NOTHING_ARCHIVED = new BodyLookup(false, 0);
}
