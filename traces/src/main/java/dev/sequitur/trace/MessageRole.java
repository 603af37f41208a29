package dev.sequitur.trace;

import java.util.Locale;

/** The part that a node, or an entity of it, plays in one message. */
public enum MessageRole {
  SENDER,
  COORDINATOR,
  ENDORSER,
  SUBMITTER,
  STORE;

  /** As in a traced message. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
