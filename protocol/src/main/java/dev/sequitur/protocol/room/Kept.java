package dev.sequitur.protocol.room;

/** What is kept of a transaction that has ended, each for a time of its own. */
public enum Kept {
  /** All of it: what was sent, what came of it, and the contents of the states that it spent. */
  CONTENTS,
  /** That it was: its id, its idempotency key, and whether it succeeded. */
  IDS
}
