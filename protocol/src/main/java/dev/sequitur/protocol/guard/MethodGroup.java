package dev.sequitur.protocol.guard;

import java.util.Locale;

/** What a method does to a node: each belongs to one of these, which a role grants as a whole. */
public enum MethodGroup {
  /** Looks, and changes nothing that anybody could miss. */
  READ,
  /** Acts for an identity or an account: sends, schedules, signs, cancels, makes groups. */
  SUBMIT,
  /** Changes how the node serves everybody: books money, pauses. */
  OPERATE,
  /** Erases contents of states for good, here and at other members. */
  ERASE,
  /** Has what happens sent to addresses outside the node, and says to which. */
  WEBHOOK,
  /** Agrees, for the whole node, that the committee of a group changes. */
  COMMITTEE,
  /** Breaks things on purpose, for a rehearsal. */
  CHAOS;

  /** As the configuration and the reference write it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
