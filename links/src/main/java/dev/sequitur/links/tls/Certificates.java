package dev.sequitur.links.tls;

import dev.sequitur.links.file.ReplacedFile;
import dev.sequitur.protocol.id.NodeName;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * Makes certificates for tests and demonstrations: an authority and what it issues, P-256. The
 * authority's key lies unprotected in a file, which no authority in earnest should do.
 */
public final class Certificates {
  private static final SecureRandom RANDOM = new SecureRandom();

  /** A certificate with its key. */
  public record Issued(X509Certificate certificate, PrivateKey privateKey) {}

  /** When a certificate holds. */
  public record Validity(Instant from, Instant until) {
    public Validity {
      if (!until.isAfter(from)) {
        throw new IllegalArgumentException(
            "A certificate ends after it begins, not " + from + " to " + until + ".");
      }
    }
  }

  private Certificates() {}

  /** An authority with a certificate that it has signed itself. */
  public static Issued authority(String name, Validity validity) {
    var keys = newKeys();
    var subject = new X500NameBuilder().addRDN(BCStyle.CN, name).build();
    try {
      var extensions = new JcaX509ExtensionUtils();
      var builder =
          builder(subject, keys, subject, validity)
              .addExtension(Extension.basicConstraints, true, new BasicConstraints(0))
              .addExtension(
                  Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign))
              .addExtension(
                  Extension.subjectKeyIdentifier,
                  false,
                  extensions.createSubjectKeyIdentifier(keys.getPublic()));
      return sign(builder, keys, keys.getPrivate());
    } catch (GeneralSecurityException | IOException | OperatorCreationException e) {
      throw new IllegalStateException("This Java cannot make certificates.", e);
    }
  }

  /** A node's certificate, for both ends of a connection. */
  public static Issued node(Issued authority, NodeName node, Validity validity) {
    return node(authority, node, validity, newKeys());
  }

  /** A node's certificate for keys that there are. */
  public static Issued node(Issued authority, NodeName node, Validity validity, KeyPair keys) {
    var subject = new X500NameBuilder().addRDN(BCStyle.CN, node.value()).build();
    var issuer =
        X500Name.getInstance(authority.certificate().getSubjectX500Principal().getEncoded());
    var name = new GeneralNames(new GeneralName(GeneralName.dNSName, node.value()));
    var purposes =
        new KeyPurposeId[] {KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth};
    try {
      var builder =
          builder(subject, keys, issuer, validity)
              .addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
              .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
              .addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purposes))
              .addExtension(Extension.subjectAlternativeName, false, name)
              .addExtension(
                  Extension.authorityKeyIdentifier,
                  false,
                  new JcaX509ExtensionUtils()
                      .createAuthorityKeyIdentifier(authority.certificate().getPublicKey()));
      return sign(builder, keys, authority.privateKey());
    } catch (GeneralSecurityException | IOException | OperatorCreationException e) {
      throw new IllegalStateException("This Java cannot make certificates.", e);
    }
  }

  private static KeyPair newKeys() {
    try {
      var generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"), RANDOM);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("This Java cannot make P-256 keys.", e);
    }
  }

  private static X509v3CertificateBuilder builder(
      X500Name subject, KeyPair keys, X500Name issuer, Validity validity) {
    return new JcaX509v3CertificateBuilder(
        issuer,
        new BigInteger(126, RANDOM).setBit(126),
        Date.from(validity.from()),
        Date.from(validity.until()),
        subject,
        keys.getPublic());
  }

  private static Issued sign(X509v3CertificateBuilder builder, KeyPair keys, PrivateKey signer)
      throws GeneralSecurityException, OperatorCreationException {
    var holder = builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(signer));
    return new Issued(new JcaX509CertificateConverter().getCertificate(holder), keys.getPrivate());
  }

  /** The names that {@link #writeNetwork} gives to a node's files. */
  public static TlsFiles files(Path directory, NodeName node) {
    return new TlsFiles(
        directory.resolve(node + ".pem"),
        directory.resolve(node + ".key.pem"),
        directory.resolve("authority.pem"));
  }

  /**
   * Writes a certificate and a key for each node, issued by the authority in the directory. It is
   * made if it is not there; what nodes had is replaced.
   *
   * @return the files written
   * @throws BadCertificate if the authority that is there cannot be used
   */
  public static List<Path> writeNetwork(Path directory, List<NodeName> nodes, Validity validity)
      throws IOException {
    Files.createDirectories(directory);
    var written = new ArrayList<Path>();
    var certificate = directory.resolve("authority.pem");
    var key = directory.resolve("authority.key.pem");
    Issued authority;
    if (Files.exists(certificate)) {
      authority = read(certificate, key);
    } else {
      authority = authority("Sequitur demonstration authority", validity);
      write(authority, certificate, key);
      written.addAll(List.of(certificate, key));
    }
    for (var node : nodes) {
      var files = files(directory, node);
      write(node(authority, node, validity), files.certificate(), files.privateKey());
      written.addAll(List.of(files.certificate(), files.privateKey()));
    }
    return written;
  }

  private static Issued read(Path certificate, Path key) {
    return new Issued(
        new PemFile("authority's certificate file", certificate).certificates().get(0),
        new PemFile("authority's key file", key).privateKey());
  }

  /** Replaces both files, each at once; only the owner may read the key. */
  public static void write(Issued issued, Path certificate, Path key) throws IOException {
    // As PKCS#8: the older form loses the curve.
    ReplacedFile.write(key, pem(new JcaPKCS8Generator(issued.privateKey(), null)), true);
    ReplacedFile.write(certificate, pem(issued.certificate()), false);
  }

  private static String pem(Object object) throws IOException {
    var text = new StringWriter();
    try (var writer = new JcaPEMWriter(text)) {
      writer.writeObject(object);
    }
    return text.toString();
  }
}
