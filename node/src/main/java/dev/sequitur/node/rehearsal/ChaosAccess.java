package dev.sequitur.node.rehearsal;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;

/**
 * Who may set faults on this node.
 *
 * @param token what a caller must send, at least 16 characters; empty if nobody may, which is the
 *     default
 */
public record ChaosAccess(Optional<String> token) {
  /** Nobody may. */
  public static final ChaosAccess OFF = new ChaosAccess(Optional.empty());

  private static final int SHORTEST = 16;

  /**
   * @throws IllegalArgumentException with a sentence for the person, if the token is short
   */
  public ChaosAccess {
    if (token.isPresent() && token.get().length() < SHORTEST) {
      throw new IllegalArgumentException(
          "The token has at least " + SHORTEST + " characters: choose one at random.");
    }
  }

  /** In the same time for every wrong one of the same length. */
  boolean isToken(String sent) {
    return token.isPresent()
        && MessageDigest.isEqual(
            token.get().getBytes(StandardCharsets.UTF_8), sent.getBytes(StandardCharsets.UTF_8));
  }

  /** Without the token. */
  @Override
  public String toString() {
    return token.isPresent() ? "ChaosAccess[on]" : "ChaosAccess[off]";
  }
}
