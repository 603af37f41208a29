package dev.sequitur.cluster.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * What was read of {@link PemFiles} at one time.
 *
 * @param stamp of the files it was read of
 * @param names of the own certificate
 */
record TlsMaterial(List<String> stamp, SSLContext context, Set<String> names) {
  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----(.*?)-----END PRIVATE KEY-----", Pattern.DOTALL);
  private static final char[] NO_PASSWORD = new char[0];

  /**
   * @throws GeneralSecurityException with a sentence that names the file, if one can't be used
   */
  static TlsMaterial read(PemFiles files) throws GeneralSecurityException {
    var stamp = files.stamp();
    var chain = certificates(files.certificate());
    var own = KeyStore.getInstance("PKCS12");
    var trusted = KeyStore.getInstance("PKCS12");
    try {
      own.load(null, null);
      trusted.load(null, null);
    } catch (IOException e) {
      throw new GeneralSecurityException("Memory does not fail", e);
    }
    var key = privateKey(files.privateKey());
    own.setKeyEntry("own", key, NO_PASSWORD, chain.toArray(Certificate[]::new));
    int number = 0;
    for (var authority : certificates(files.authority())) {
      trusted.setCertificateEntry("authority" + number++, authority);
    }
    var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(own, NO_PASSWORD);
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    var context = SSLContext.getInstance("TLSv1.3");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return new TlsMaterial(stamp, context, names(chain.get(0)));
  }

  /** Common name and DNS names. */
  static Set<String> names(X509Certificate certificate) throws GeneralSecurityException {
    var names = new TreeSet<String>();
    try {
      new LdapName(certificate.getSubjectX500Principal().getName())
          .getRdns().stream()
              .filter(part -> part.getType().equalsIgnoreCase("CN"))
              .forEach(part -> names.add(part.getValue().toString()));
    } catch (InvalidNameException e) {
      throw new GeneralSecurityException("The subject of a certificate is malformed.", e);
    }
    Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
    if (alternatives != null) {
      alternatives.stream()
          .filter(alternative -> alternative.get(1) instanceof String)
          .forEach(alternative -> names.add((String) alternative.get(1)));
    }
    return names;
  }

  private static List<X509Certificate> certificates(Path file) throws GeneralSecurityException {
    var found =
        CertificateFactory.getInstance("X.509")
            .generateCertificates(new ByteArrayInputStream(content(file)))
            .stream()
            .map(X509Certificate.class::cast)
            .toList();
    if (found.isEmpty()) {
      throw new GeneralSecurityException("There is no certificate in " + file + ".");
    }
    return found;
  }

  private static PrivateKey privateKey(Path file) throws GeneralSecurityException {
    var match = KEY.matcher(new String(content(file), StandardCharsets.US_ASCII));
    if (!match.find()) {
      throw new GeneralSecurityException("There is no PKCS#8 private key in " + file + ".");
    }
    var key = new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(match.group(1)));
    for (var algorithm : List.of("EC", "RSA", "EdDSA")) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(key);
      } catch (InvalidKeySpecException e) {
        // It is of another algorithm.
      }
    }
    throw new GeneralSecurityException(
        "The private key in " + file + " is neither EC nor RSA nor EdDSA.");
  }

  private static byte[] content(Path file) throws GeneralSecurityException {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new GeneralSecurityException("The file " + file + " cannot be read.", e);
    }
  }
}
