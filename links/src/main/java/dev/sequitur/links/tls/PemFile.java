package dev.sequitur.links.tls;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.openssl.PEMEncryptedKeyPair;
import org.bouncycastle.openssl.PEMException;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.pkcs.PKCS8EncryptedPrivateKeyInfo;

/**
 * Reads one PEM file. A private key is PKCS#8, PKCS#1 or SEC 1, as OpenSSL writes it, and not
 * encrypted.
 *
 * @param role how errors call it, as "certificate file"
 */
public record PemFile(String role, Path path) {
  private static final long MOST_BYTES = 1 << 20;

  /**
   * At least one, in the order of the file.
   *
   * @throws BadCertificate with a sentence that names the file and says what to do
   */
  public List<X509Certificate> certificates() {
    var certificates = new ArrayList<X509Certificate>();
    for (var object : objects()) {
      if (object instanceof X509CertificateHolder holder) {
        certificates.add(convert(holder));
      }
    }
    if (certificates.isEmpty()) {
      throw new BadCertificate(
          "The " + role + " " + path + " holds no certificate: it must be PEM with at least one.");
    }
    return certificates;
  }

  /**
   * The first key of the file, of an algorithm that this Java knows.
   *
   * @throws BadCertificate with a sentence that names the file and says what to do
   */
  public PrivateKey privateKey() {
    try {
      return new JcaPEMKeyConverter().getPrivateKey(privateKeyInfo());
    } catch (PEMException e) {
      throw new BadCertificate(
          "The "
              + role
              + " "
              + path
              + " has a key of a kind that this Java does not know: give one of EC with a usual curve, of RSA or of Ed25519.",
          e);
    }
  }

  /**
   * The first key of the file, of any algorithm.
   *
   * @throws BadCertificate with a sentence that names the file and says what to do
   */
  public PrivateKeyInfo privateKeyInfo() {
    for (var object : objects()) {
      if (object instanceof PrivateKeyInfo key) {
        return key;
      }
      if (object instanceof PEMKeyPair pair) {
        return pair.getPrivateKeyInfo();
      }
      if (object instanceof PKCS8EncryptedPrivateKeyInfo || object instanceof PEMEncryptedKeyPair) {
        throw new BadCertificate(
            "The " + role + " " + path + " is encrypted: give one without a passphrase.");
      }
    }
    throw new BadCertificate(
        "The " + role + " " + path + " holds no private key: it must be PEM with one.");
  }

  private List<Object> objects() {
    var objects = new ArrayList<>();
    try (var parser = new PEMParser(new StringReader(text()))) {
      for (var object = parser.readObject(); object != null; object = parser.readObject()) {
        objects.add(object);
      }
    } catch (IOException | RuntimeException e) {
      if (e instanceof BadCertificate told) {
        throw told;
      }
      throw damaged(e);
    }
    return objects;
  }

  private String text() {
    try {
      if (Files.size(path) > MOST_BYTES) {
        throw new BadCertificate(
            "The " + role + " " + path + " is larger than 1 MiB: that is no such file.");
      }
      return Files.readString(path);
    } catch (NoSuchFileException e) {
      throw new BadCertificate(
          "The "
              + role
              + " "
              + path
              + " does not exist: make one with './sequitur certificates' or correct the path.",
          e);
    } catch (CharacterCodingException e) {
      throw damaged(e);
    } catch (IOException e) {
      throw new BadCertificate(
          "The " + role + " " + path + " cannot be read: check that this user may read it.", e);
    }
  }

  private X509Certificate convert(X509CertificateHolder holder) {
    try {
      return new JcaX509CertificateConverter().getCertificate(holder);
    } catch (CertificateException e) {
      throw damaged(e);
    }
  }

  private BadCertificate damaged(Exception cause) {
    return new BadCertificate(
        "The " + role + " " + path + " is not valid PEM: replace it by one that is.", cause);
  }
}
