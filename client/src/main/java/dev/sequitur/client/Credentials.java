package dev.sequitur.client;

import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * What a client shows a node, and whom it believes to be one.
 *
 * @param token as {@code sequitur token} has made it, or of an OpenID issuer
 * @param context of TLS; empty for that of the JDK, which believes the public authorities
 */
public record Credentials(Optional<String> token, Optional<SSLContext> context) {
  /** For a node that asks nobody. */
  public static final Credentials NONE = new Credentials(Optional.empty(), Optional.empty());

  /** Without the token. */
  @Override
  public String toString() {
    return "Credentials[token=%s, context=%s]"
        .formatted(token.isPresent() ? "…" : "none", context.isPresent() ? "own" : "the JDK's");
  }
}
