package dev.sequitur.protocol.guard;

import java.util.Locale;

/**
 * What a call names, or shows, of what is granted by name.
 *
 * @param name as the grants spell it; {@link #ALL} of a call that is about every one of its kind
 */
public record Named(Kind kind, String name) {
  public static final String ALL = "*";

  /** Of a call that makes a group: whoever has all may, too. */
  public static final String NEW = "new";

  /** Among a role's groups: those of which one of its caller's identities is a member. */
  static final String OWN = "own";

  /** What is granted by name. */
  public enum Kind {
    /** Whom a call sends or signs as: {@code alice@node1}. */
    IDENTITIES,
    /** A schedule queue. */
    QUEUES,
    /** As which account of a queue a call acts, or at which it looks. */
    ACCOUNTS,
    /** A privacy group: the address of its contract; while it has none, its id. */
    GROUPS;

    /** As the configuration writes it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
