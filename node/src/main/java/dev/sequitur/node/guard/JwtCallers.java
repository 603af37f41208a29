package dev.sequitur.node.guard;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.ImmutableJWKSet;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.BadJWTException;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import dev.sequitur.node.guard.GuardSettings.JwtSettings;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.protocol.guard.Principal;
import java.text.ParseException;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * Who calls by a JSON Web Token of an OpenID issuer: signed by a key of the issuer with a
 * public-key algorithm, for this node's audience, and not expired. Thread-safe.
 */
final class JwtCallers {
  /** None of shared secrets, and not {@code none}. */
  private static final Set<JWSAlgorithm> ALGORITHMS =
      Set.of(
          JWSAlgorithm.RS256,
          JWSAlgorithm.RS384,
          JWSAlgorithm.RS512,
          JWSAlgorithm.PS256,
          JWSAlgorithm.PS384,
          JWSAlgorithm.PS512,
          JWSAlgorithm.ES256,
          JWSAlgorithm.ES384,
          JWSAlgorithm.ES512);

  private static final int LONGEST = 16_384;
  private static final int MOST_ROLES = 100;

  private final JwtSettings settings;
  private final JwtKeys keys;
  private final InstantSource clock;

  JwtCallers(JwtSettings settings, InstantSource clock, LongSupplier nanoTime) {
    this.settings = settings;
    this.keys = new JwtKeys(settings, nanoTime);
    this.clock = clock;
  }

  /**
   * @throws RpcFailure if the token is not good, or the node cannot tell
   */
  Principal who(String token) {
    if (token.length() > LONGEST) {
      throw refused("The token has more than %d characters: send another.".formatted(LONGEST));
    }
    SignedJWT signed;
    try {
      signed = SignedJWT.parse(token);
    } catch (ParseException e) {
      throw refused(
          "This is neither a token of the node nor a signed JSON Web Token: send one of them.");
    }
    var known =
        keys.current()
            .orElseThrow(
                () ->
                    new RpcFailure(
                        ErrorCode.NO_ISSUER_KEYS,
                        "The node has no keys of the issuer %s yet: try again in some seconds. If it stays so, the node's log says why."
                            .formatted(settings.issuer())));
    var id = signed.getHeader().getKeyID();
    if (id != null && known.getKeyByKeyId(id) == null) {
      keys.refresh();
      throw refused(
          "The node does not know the key of this token. If the issuer %s is new to it, try again in some seconds."
              .formatted(settings.issuer()));
    }
    return principal(claims(signed, known));
  }

  private JWTClaimsSet claims(SignedJWT signed, JWKSet known) {
    var processor = new DefaultJWTProcessor<SecurityContext>();
    processor.setJWSTypeVerifier(
        new DefaultJOSEObjectTypeVerifier<>(
            JOSEObjectType.JWT, new JOSEObjectType("at+jwt"), null));
    processor.setJWSKeySelector(
        new JWSVerificationKeySelector<>(ALGORITHMS, new ImmutableJWKSet<>(known)));
    processor.setJWTClaimsSetVerifier(
        new DefaultJWTClaimsVerifier<SecurityContext>(
            settings.audience(),
            new JWTClaimsSet.Builder().issuer(settings.issuer()).build(),
            Set.of("exp")) {
          @Override
          protected Date currentTime() {
            return Date.from(clock.instant());
          }
        });
    try {
      return processor.process(signed, null);
    } catch (BadJWTException e) {
      // The library's own words name claims and times, and no secret.
      throw refused(
          "The token is not taken: %s. Ask the issuer for another.".formatted(e.getMessage()));
    } catch (BadJOSEException | JOSEException e) {
      // It may name no key, or one that is another by now.
      keys.refresh();
      throw refused(
          "The token is not signed by the issuer %s: send one that is."
              .formatted(settings.issuer()));
    }
  }

  private Principal principal(JWTClaimsSet claims) {
    if (!(claims.getClaim(settings.nameClaim()) instanceof String name)) {
      throw refused("The token has no name in its claim " + settings.nameClaim() + ".");
    }
    try {
      return new Principal(Principal.Kind.JWT, name, roles(claims.getClaims()));
    } catch (IllegalArgumentException e) {
      throw refused("The token cannot be used. " + e.getMessage());
    }
  }

  /** A list, or words with spaces between, as scopes are written. */
  private List<String> roles(Map<String, Object> claims) {
    Object at = claims;
    for (var part : settings.rolesClaim().split("\\.")) {
      at = at instanceof Map<?, ?> object ? object.get(part) : null;
    }
    var words =
        switch (at) {
          case Collection<?> list -> list.stream().map(String::valueOf);
          case String text -> Stream.of(text.split(" "));
          case null, default -> Stream.<String>empty();
        };
    return words.filter(word -> !word.isBlank()).limit(MOST_ROLES).toList();
  }

  private static RpcFailure refused(String sentence) {
    return new RpcFailure(ErrorCode.UNAUTHENTICATED, sentence);
  }
}
