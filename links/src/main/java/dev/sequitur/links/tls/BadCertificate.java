package dev.sequitur.links.tls;

/** A certificate, key or trust file cannot be used; the message says in a sentence what to do. */
public final class BadCertificate extends RuntimeException {
  private static final long serialVersionUID = 1;

  BadCertificate(String message) {
    super(message);
  }

  BadCertificate(String message, Throwable cause) {
    super(message, cause);
  }
}
