package dev.sequitur.links.tls;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Certificates that are trusted no more, though their authority has signed them and they have not
 * ended. They stand in a file beside the authority's, with the ending {@code .refused}: a SHA-256
 * of a certificate on each line, as {@code openssl x509 -fingerprint -sha256} prints it.
 *
 * @param fingerprints in lower case, without colons
 */
record RefusedCertificates(Set<String> fingerprints) {
  static final RefusedCertificates NONE = new RefusedCertificates(Set.of());

  private static final Pattern FINGERPRINT = Pattern.compile("[0-9a-f]{64}");

  RefusedCertificates {
    fingerprints = Set.copyOf(fingerprints);
  }

  /** Where they stand. */
  static Path file(Path authority) {
    return authority.resolveSibling(authority.getFileName() + ".refused");
  }

  /**
   * Those of an authority; none if there is no file.
   *
   * @throws BadCertificate with a sentence that says what to do, if the file cannot be used
   */
  static RefusedCertificates of(Path authority) {
    var file = file(authority);
    try (var lines = Files.lines(file)) {
      return new RefusedCertificates(
          lines
              .map(String::strip)
              .filter(line -> !line.isEmpty() && !line.startsWith("#"))
              .map(line -> fingerprint(file, line))
              .collect(Collectors.toSet()));
    } catch (NoSuchFileException e) {
      return NONE;
    } catch (IOException | UncheckedIOException e) {
      throw new BadCertificate(
          "The list of refused certificates " + file + " cannot be read: let this user read it.",
          e);
    }
  }

  private static String fingerprint(Path file, String line) {
    var digits = line.substring(line.indexOf('=') + 1).replace(":", "").toLowerCase(Locale.ROOT);
    if (!FINGERPRINT.matcher(digits).matches()) {
      throw new BadCertificate(
          "The list of refused certificates %s has a SHA-256 of a certificate on each line, and not '%s': correct it."
              .formatted(file, line));
    }
    return digits;
  }

  boolean contains(X509Certificate certificate) {
    return !fingerprints.isEmpty() && fingerprints.contains(fingerprint(certificate));
  }

  static String fingerprint(X509Certificate certificate) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded()));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("This Java cannot read a certificate that was shown.", e);
    }
  }
}
