package dev.sequitur.node.guard;

import java.security.cert.X509Certificate;
import java.util.Optional;

/**
 * What a request shows of who sends it.
 *
 * @param authorization the value of that header, with its secret
 * @param certificate of the client, which TLS has checked
 */
public record Shown(Optional<String> authorization, Optional<X509Certificate> certificate) {
  public static final Shown NOTHING = new Shown(Optional.empty(), Optional.empty());

  /** Without the secret. */
  @Override
  public String toString() {
    return "Shown[authorization=%s, certificate=%s]"
        .formatted(
            authorization.isPresent(),
            certificate.map(X509Certificate::getSubjectX500Principal).orElse(null));
  }
}
