package dev.sequitur.ethereum;

import dev.sequitur.protocol.port.LedgerUnreachableException;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import javax.net.ssl.SSLContext;

/**
 * By what the nodes of a chain know who asks, beside user and password in their addresses; and by
 * what they are known.
 *
 * @param shown with each request, to each of the nodes
 * @param tls empty for what Java trusts by itself, without a certificate of one's own
 * @param clock says when a token was made
 */
public record ChainAccess(List<Shown> shown, Optional<SSLContext> tls, InstantSource clock) {
  /** Nobody asks. */
  public static final ChainAccess NONE =
      new ChainAccess(List.of(), Optional.empty(), InstantSource.fixed(Instant.EPOCH));

  private static final String AUTHORIZATION = "authorization";
  private static final String HMAC = "HmacSHA256";
  private static final int JWT_KEY_BYTES = 32;

  public ChainAccess {
    shown = List.copyOf(shown);
  }

  /** What is shown to a node. */
  public sealed interface Shown {
    /** A header of any name. */
    record Header(String name, Secret value) implements Shown {}

    /** A token that another has made, such as the JSON Web Token that Besu asks for. */
    record Bearer(Secret token) implements Shown {}

    /**
     * A JSON Web Token that is made for each request, as engines and clients of a chain show it to
     * each other.
     *
     * @param key 32 bytes in hexadecimal digits
     */
    record Jwt(Secret key) implements Shown {}
  }

  /**
   * @param secret what nobody else is told
   */
  record Line(String name, String value, String secret) {}

  /** Why nothing can be shown as it is: a sentence without secrets. Reads files. */
  public Optional<String> mistake() {
    try {
      var request = HttpRequest.newBuilder();
      lines().forEach(line -> request.header(line.name(), "any"));
      return Optional.empty();
    } catch (LedgerUnreachableException | IllegalArgumentException e) {
      return Optional.of(e.getMessage());
    }
  }

  boolean isNone() {
    return shown.isEmpty();
  }

  /**
   * The headers of one request. Reads files.
   *
   * @throws LedgerUnreachableException if a secret cannot be read
   */
  List<Line> lines() {
    var lines = new ArrayList<Line>();
    for (var one : shown) {
      lines.add(
          switch (one) {
            case Shown.Header(var name, var value) -> {
              var secret = value.value();
              yield new Line(name, secret, secret);
            }
            case Shown.Bearer(var token) -> bearer(token.value());
            case Shown.Jwt(var key) -> bearer(jwt(key.value()));
          });
    }
    return lines;
  }

  private static Line bearer(String token) {
    return new Line(AUTHORIZATION, "Bearer " + token, token);
  }

  private String jwt(String hex) {
    var content =
        encoded("{\"alg\":\"HS256\",\"typ\":\"JWT\"}")
            + "."
            + encoded("{\"iat\":%d}".formatted(clock.instant().getEpochSecond()));
    try {
      var mac = Mac.getInstance(HMAC);
      mac.init(new SecretKeySpec(key(hex), HMAC));
      return content + "." + encoded(mac.doFinal(content.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new IllegalStateException("Each Java has HMAC with SHA-256.", e);
    }
  }

  /** The bytes of a key for tokens; fails without telling what there is instead. */
  private static byte[] key(String hex) {
    var digits = hex.startsWith("0x") ? hex.substring("0x".length()) : hex;
    if (!digits.matches("[0-9a-fA-F]{" + 2 * JWT_KEY_BYTES + "}")) {
      throw new LedgerUnreachableException(
          "The key for JSON Web Tokens of the chain's node is to be %d bytes in hexadecimal digits: write the node's own into its file."
              .formatted(JWT_KEY_BYTES));
    }
    return HexFormat.of().parseHex(digits);
  }

  private static String encoded(String text) {
    return encoded(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String encoded(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
