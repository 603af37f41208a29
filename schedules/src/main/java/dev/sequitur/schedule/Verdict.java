package dev.sequitur.schedule;

/** What a family says of an occurrence that has come to the head of the due order. */
public enum Verdict {
  /** Run it in this block. */
  FIRE,
  /** Leave it, and with it all behind it. */
  WAIT,
  /** It is overdue: take it out of the way until somebody acts on it; it keeps its money. */
  PARK,
  /** Its time has passed: it is not run, and its outcome is that. */
  MISS,
  /** It waited too long: its money goes back. */
  EXPIRE
}
