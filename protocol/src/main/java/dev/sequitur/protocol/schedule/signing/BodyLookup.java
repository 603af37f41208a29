package dev.sequitur.protocol.schedule.signing;

/**
 * What the store of executed bodies said before the command (DECISIONS B2).
 *
 * @param executed whether it has the body
 * @param archived how many bodies the queue had handed to the store when it was asked: with a newer
 *     count the answer may be stale
 */
public record BodyLookup(boolean executed, long archived) {
  /** Of a queue that has archived nothing. */
  public static final BodyLookup NOTHING_ARCHIVED = new BodyLookup(false, 0);
}
