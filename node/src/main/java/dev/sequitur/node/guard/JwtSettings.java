package dev.sequitur.node.guard;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Whose JSON Web Tokens are taken.
 *
 * @param issuer the claim {@code iss} of each token
 * @param audience that the claim {@code aud} must have
 * @param keys where the issuer's public keys are
 * @param nameClaim whose value is the caller's name
 * @param rolesClaim whose values are the caller's roles; within objects, with dots
 * @param refreshEvery how old the keys may be before they are asked for again
 * @param usableFor how old they may be at most
 */
public record JwtSettings(
    String issuer,
    String audience,
    Keys keys,
    String nameClaim,
    String rolesClaim,
    Duration refreshEvery,
    Duration usableFor) {
  /** A JSON Web Key Set (RFC 7517). */
  public sealed interface Keys {
    /** In a file, read again when it changes. */
    record InFile(Path path) implements Keys {}

    /** At an address, over HTTPS, or HTTP of this machine. */
    record At(URI address) implements Keys {}
  }
}
