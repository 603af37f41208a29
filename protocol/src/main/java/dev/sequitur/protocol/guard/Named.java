package dev.sequitur.protocol.guard;

import java.util.Locale;

/**
 * What a call names, or shows, of what is granted by name.
 *
 * @param name as the grants spell it; {@link #ALL} of a call that is about every one of its kind
 */
public record Named(Kind kind, String name) {
  public static final String ALL = "*";

  /** What is granted by name. */
  public enum Kind {
    /** Whom a call sends or signs as: {@code alice@node1}. */
    IDENTITIES,
    /** A schedule queue. */
    QUEUES,
    /** As which account of a queue a call acts, or at which it looks. */
    ACCOUNTS,
    /** A privacy group: the address of its contract. */
    GROUPS;

    /** As the configuration writes it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
