package dev.sequitur.protocol.guard;

import dev.sequitur.protocol.id.Hash;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A token of a node, without its secret: of that only the SHA-256 is kept. It need not be slow,
 * since nobody can guess 256 bits of chance.
 *
 * @param id 16 hexadecimal digits, by which it is found; no secret
 * @param name by which its owner is told, in logs and refusals
 * @param roles that its owner has
 * @param secret the SHA-256 of the secret
 * @param expires from then on it is refused; empty if it never is
 * @param revoked since when it is refused
 */
public record ApiToken(
    String id,
    String name,
    List<String> roles,
    Hash secret,
    Instant created,
    Optional<Instant> expires,
    Optional<Instant> revoked) {
  /** With it scanners of files and logs know a secret when they see one. */
  public static final String PREFIX = "sqt_";

  private static final int ID_BYTES = 8;
  private static final int SECRET_BYTES = 32;
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
  private static final Pattern ID = Pattern.compile("[0-9a-f]{16}");
  private static final Pattern FORM =
      Pattern.compile(PREFIX + "([0-9a-f]{16})_([A-Za-z0-9_-]{43})");

  /**
   * @throws IllegalArgumentException with a sentence for the person
   */
  public ApiToken {
    roles = List.copyOf(roles);
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "The name of a token is 1 to 64 letters, digits, '.', '_' or '-', and starts with a letter"
              + " or digit; this is none: "
              + name);
    }
    if (!ID.matcher(id).matches()) {
      throw new IllegalArgumentException("The id of a token is 16 hexadecimal digits.");
    }
    if (roles.isEmpty()) {
      throw new IllegalArgumentException("A token without a role may do nothing: name one.");
    }
    if (expires.isPresent() && !expires.get().isAfter(created)) {
      throw new IllegalArgumentException("A token expires after it was made.");
    }
  }

  /** A token and what its owner sends, which is shown once and kept nowhere. */
  public record Made(ApiToken token, String secret) {
    /** Without the secret. */
    @Override
    public String toString() {
      return "Made[" + token + "]";
    }
  }

  /**
   * What a caller sent, if it has the form of a token.
   *
   * @param secret the SHA-256 of the secret
   */
  public record Sent(String id, Hash secret) {
    /** Empty if the text is no token. */
    public static Optional<Sent> parse(String text) {
      var match = FORM.matcher(text);
      return match.matches()
          ? Optional.of(new Sent(match.group(1), hash(match.group(2))))
          : Optional.empty();
    }
  }

  /** What its owner is. */
  public record Grant(
      String name, List<String> roles, Instant created, Optional<Instant> expires) {}

  /**
   * @param chance 40 bytes of it
   */
  public static Made make(Grant grant, byte[] chance) {
    if (chance.length != ID_BYTES + SECRET_BYTES) {
      throw new IllegalArgumentException("A token is made of 40 bytes, not " + chance.length + ".");
    }
    var id = HexFormat.of().formatHex(chance, 0, ID_BYTES);
    var secret = new byte[SECRET_BYTES];
    System.arraycopy(chance, ID_BYTES, secret, 0, SECRET_BYTES);
    var text = Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
    var token =
        new ApiToken(
            id,
            grant.name(),
            grant.roles(),
            hash(text),
            grant.created(),
            grant.expires(),
            Optional.empty());
    return new Made(token, PREFIX + id + "_" + text);
  }

  private static Hash hash(String secret) {
    return Hash.sha256(secret.getBytes(StandardCharsets.US_ASCII));
  }

  /** Whether it is this one's secret; takes the same time for every wrong one. */
  boolean isSecret(Hash sent) {
    return MessageDigest.isEqual(secret.toByteArray(), sent.toByteArray());
  }

  /** Whether it is taken at this time. */
  public boolean holds(Instant now) {
    return revoked.isEmpty() && (expires.isEmpty() || now.isBefore(expires.get()));
  }

  /** Since when it is refused, if it is. */
  Optional<Instant> ended(Instant now) {
    return holds(now) ? Optional.empty() : revoked.or(() -> expires);
  }

  /** Who sends it. */
  public Principal principal() {
    return new Principal(Principal.Kind.TOKEN, name, roles);
  }

  ApiToken revokedAt(Instant time) {
    return revoked.isPresent()
        ? this
        : new ApiToken(id, name, roles, secret, created, expires, Optional.of(time));
  }
}
