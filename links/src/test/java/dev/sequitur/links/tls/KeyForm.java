package dev.sequitur.links.tls;

import dev.sequitur.protocol.id.NodeName;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.ECGenParameterSpec;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemWriter;

/** How programs write a private key: each form is read wherever a key is. */
public enum KeyForm {
  PKCS8_EC("EC"),
  /** As {@code openssl ec} writes it. */
  SEC1_EC("EC"),
  /** As {@code openssl ecparam -genkey} writes it. */
  SEC1_EC_AFTER_ITS_CURVE("EC"),
  PKCS8_RSA("RSA"),
  /** As {@code openssl rsa -traditional} writes it. */
  PKCS1_RSA("RSA"),
  PKCS8_ED25519("Ed25519");

  private static final int P256_BITS = 256;

  private final String algorithm;

  KeyForm(String algorithm) {
    this.algorithm = algorithm;
  }

  /**
   * Gives a node of {@link Certificates#writeNetwork} another key, in this form, with a certificate
   * of its own, of the same authority and for the same time.
   */
  public TlsFiles replace(Path directory, NodeName node) throws IOException {
    var authority =
        new Certificates.Issued(
            new PemFile("certificate", directory.resolve("authority.pem")).certificates().get(0),
            new PemFile("key", directory.resolve("authority.key.pem")).privateKey());
    var keys = newKeys();
    var validity =
        new Certificates.Validity(
            authority.certificate().getNotBefore().toInstant(),
            authority.certificate().getNotAfter().toInstant());
    var files = Certificates.files(directory, node);
    Certificates.write(
        Certificates.node(authority, node, validity, keys),
        files.certificate(),
        files.privateKey());
    Files.writeString(files.privateKey(), pem(keys));
    return files;
  }

  private KeyPair newKeys() {
    try {
      var generator = KeyPairGenerator.getInstance(algorithm);
      if (algorithm.equals("EC")) {
        generator.initialize(new ECGenParameterSpec("secp256r1"));
      }
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private String pem(KeyPair keys) throws IOException {
    var encoded = keys.getPrivate().getEncoded();
    return switch (this) {
      case PKCS8_EC, PKCS8_RSA, PKCS8_ED25519 -> pem("PRIVATE KEY", encoded);
      case PKCS1_RSA ->
          pem(
              "RSA PRIVATE KEY",
              PrivateKeyInfo.getInstance(encoded).parsePrivateKey().toASN1Primitive().getEncoded());
      case SEC1_EC -> sec1(keys);
      case SEC1_EC_AFTER_ITS_CURVE ->
          pem("EC PARAMETERS", SECObjectIdentifiers.secp256r1.getEncoded()) + sec1(keys);
    };
  }

  private static String sec1(KeyPair keys) throws IOException {
    var secret = ((ECPrivateKey) keys.getPrivate()).getS();
    return pem(
        "EC PRIVATE KEY",
        new org.bouncycastle.asn1.sec.ECPrivateKey(
                P256_BITS, secret, SECObjectIdentifiers.secp256r1)
            .getEncoded());
  }

  private static String pem(String type, byte[] content) throws IOException {
    var text = new StringWriter();
    try (var writer = new PemWriter(text)) {
      writer.writeObject(new PemObject(type, content));
    }
    return text.toString();
  }
}
