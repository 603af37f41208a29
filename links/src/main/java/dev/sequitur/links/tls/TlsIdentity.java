package dev.sequitur.links.tls;

import dev.sequitur.protocol.id.NodeName;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * What a node shows of itself and whom it trusts, read from files and checked.
 *
 * @param refused whom it does not trust, though somebody trusted has signed for it
 */
public record TlsIdentity(
    List<X509Certificate> chain,
    PrivateKey privateKey,
    List<X509Certificate> trusted,
    RefusedCertificates refused) {

  /**
   * Reads and checks the files of a node.
   *
   * @throws BadCertificate with a sentence that says what to do, if one cannot be used
   */
  public static TlsIdentity read(TlsFiles files, NodeName node, Instant now) {
    var identity = read(files.certificate(), files.privateKey(), Optional.of(files.trust()), now);
    var own = identity.chain.get(0);
    if (!NodeCertificate.speaksFor(own, node)) {
      throw new BadCertificate(
          "The certificate %s is for %s, not for node '%s': give the node its own."
              .formatted(files.certificate(), NodeCertificate.names(own), node));
    }
    return identity;
  }

  /** The same of a server, which callers know by its host's name. */
  static TlsIdentity read(ServerFiles files, Instant now) {
    return read(files.certificate(), files.privateKey(), files.clients(), now);
  }

  private static TlsIdentity read(
      Path certificate, Path privateKey, Optional<Path> trust, Instant now) {
    var identity =
        new TlsIdentity(
            new PemFile("certificate file", certificate).certificates(),
            new PemFile("private key file", privateKey).privateKey(),
            trust.map(file -> new PemFile("trust file", file).certificates()).orElse(List.of()),
            trust.map(RefusedCertificates::of).orElse(RefusedCertificates.NONE));
    identity.checkOwn(certificate, privateKey, now);
    if (trust.isPresent()
        && identity.trusted.stream().noneMatch(trusted -> isValid(trusted, now))) {
      throw new BadCertificate(
          "Every certificate in the trust file "
              + trust.get()
              + " has expired or is not valid yet: replace them.");
    }
    return identity;
  }

  private void checkOwn(Path certificate, Path privateKeyFile, Instant now) {
    var own = chain.get(0);
    if (own.getNotAfter().toInstant().isBefore(now)) {
      throw new BadCertificate(
          "The certificate "
              + certificate
              + " expired on "
              + own.getNotAfter().toInstant()
              + ": replace it.");
    }
    if (own.getNotBefore().toInstant().isAfter(now)) {
      throw new BadCertificate(
          "The certificate "
              + certificate
              + " is not valid before "
              + own.getNotBefore().toInstant()
              + ": check this machine's clock.");
    }
    if (!matches(own, privateKey)) {
      throw new BadCertificate(
          "The private key %s does not belong to the certificate %s: give the pair made together."
              .formatted(privateKeyFile, certificate));
    }
  }

  private static boolean isValid(X509Certificate certificate, Instant now) {
    return !now.isBefore(certificate.getNotBefore().toInstant())
        && !now.isAfter(certificate.getNotAfter().toInstant());
  }

  private static boolean matches(X509Certificate certificate, PrivateKey key) {
    var algorithm =
        switch (key.getAlgorithm()) {
          case "EC" -> "SHA256withECDSA";
          case "RSA" -> "SHA256withRSA";
          default -> key.getAlgorithm();
        };
    try {
      var signature = Signature.getInstance(algorithm);
      signature.initSign(key);
      signature.update(certificate.getEncoded());
      byte[] signed = signature.sign();
      signature.initVerify(certificate.getPublicKey());
      signature.update(certificate.getEncoded());
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  /** When the own certificate ends. */
  public Instant expires() {
    return chain.get(0).getNotAfter().toInstant();
  }

  /** Whether it was taken back. */
  public boolean refuses(X509Certificate certificate) {
    return refused.contains(certificate);
  }

  /** A context without a memory of earlier sessions: each connection shows its certificates. */
  public SSLContext newContext() {
    return newContext(Optional.empty());
  }

  /**
   * As {@link #newContext()}.
   *
   * @param server for whom the certificate of a server that is called must speak; empty asks
   *     nothing of it
   */
  SSLContext newContext(Optional<NodeName> server) {
    try {
      var password = new char[0];
      var keys = emptyStore();
      keys.setKeyEntry("node", privateKey, password, chain.toArray(X509Certificate[]::new));
      var keyManagers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keyManagers.init(keys, password);
      var context = SSLContext.getInstance("TLSv1.3");
      var managers = trustManagers(trusted);
      managers[0] = new NotRefused((X509ExtendedTrustManager) managers[0], refused);
      if (server.isPresent()) {
        managers[0] = new ExpectedName((X509TrustManager) managers[0], server.get());
      }
      context.init(keyManagers.getKeyManagers(), managers, null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new BadCertificate("This Java cannot use the node's certificate or its key.", e);
    }
  }

  /**
   * A context of a client that shows nothing of itself.
   *
   * @param trusted who may say which server is which
   */
  static SSLContext trusting(List<X509Certificate> trusted) {
    try {
      var context = SSLContext.getInstance("TLSv1.3");
      context.init(null, trustManagers(trusted), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new BadCertificate("This Java cannot use the certificates of the authority.", e);
    }
  }

  private static TrustManager[] trustManagers(List<X509Certificate> trusted)
      throws GeneralSecurityException, IOException {
    var trust = emptyStore();
    for (int i = 0; i < trusted.size(); i++) {
      trust.setCertificateEntry("trusted" + i, trusted.get(i));
    }
    var trustManagers = TrustManagerFactory.getInstance("PKIX");
    trustManagers.init(trust);
    return trustManagers.getTrustManagers();
  }

  private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
    var store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }
}
