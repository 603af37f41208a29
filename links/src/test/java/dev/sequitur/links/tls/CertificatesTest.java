package dev.sequitur.links.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.id.NodeName;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemWriter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CertificatesTest {
  private static final NodeName NODE1 = new NodeName("node1");
  private static final NodeName NODE2 = new NodeName("node2");
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
  private static final Certificates.Validity YEAR =
      new Certificates.Validity(NOW, NOW.plus(Duration.ofDays(365)));

  @TempDir Path directory;
  private TlsFiles files;

  @BeforeEach
  void writeCertificates() throws IOException {
    Certificates.writeNetwork(directory, List.of(NODE1, NODE2), YEAR);
    files = Certificates.files(directory, NODE1);
  }

  private void assertProblem(TlsFiles wrong, Instant now, String sentence) {
    assertThatThrownBy(() -> TlsIdentity.read(wrong, NODE1, now))
        .isInstanceOf(BadCertificate.class)
        .hasMessage(sentence.replace("DIR", directory.toString()));
  }

  @Test
  void aNodesCertificateBearsItsNameAndIsIssuedByTheAuthority() throws Exception {
    var identity = TlsIdentity.read(files, NODE1, NOW);

    assertThat(NodeCertificate.names(identity.chain().get(0))).containsExactly("node1");
    identity.chain().get(0).verify(identity.trusted().get(0).getPublicKey());
  }

  @ParameterizedTest
  @EnumSource
  void aKeyIsReadInEveryForm(KeyForm form) throws IOException {
    var identity = TlsIdentity.read(form.replace(directory, NODE1), NODE1, NOW);

    assertThat(identity.privateKey()).isNotNull();
  }

  @Test
  void aKeyOfAKindThatJavaDoesNotKnowIsTold() throws IOException {
    var unknown =
        new PrivateKeyInfo(
            new AlgorithmIdentifier(new ASN1ObjectIdentifier("1.2.3.4")),
            new DEROctetString(new byte[32]));
    var text = new StringWriter();
    try (var writer = new PemWriter(text)) {
      writer.writeObject(new PemObject("PRIVATE KEY", unknown.getEncoded()));
    }
    var other = Files.writeString(directory.resolve("other.pem"), text.toString());
    assertProblem(
        new TlsFiles(files.certificate(), other, files.trust()),
        NOW,
        "The private key file DIR/other.pem has a key of a kind that this Java does not know: give"
            + " one of EC with a usual curve, of RSA or of Ed25519.");
  }

  @Test
  void onlyTheOwnerMayReadAKey() throws IOException {
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(files.privateKey())))
        .isEqualTo("rw-------");
  }

  @Test
  void furtherNodesGetCertificatesOfTheSameAuthority() throws IOException {
    var authority = Files.readString(files.trust());

    var written = Certificates.writeNetwork(directory, List.of(NODE2), YEAR);

    assertThat(Files.readString(files.trust())).isEqualTo(authority);
    assertThat(written).hasSize(2);
  }

  @Test
  void withoutAlternativeNamesTheCommonNameCounts() {
    var authority = Certificates.authority("node9", YEAR);

    assertThat(NodeCertificate.names(authority.certificate())).containsExactly("node9");
  }

  @Test
  void aMissingFileIsToldWithWhatToDo() {
    assertProblem(
        new TlsFiles(directory.resolve("none.pem"), files.privateKey(), files.trust()),
        NOW,
        "The certificate file DIR/none.pem does not exist: make one with './sequitur"
            + " certificates' or correct the path.");
  }

  @Test
  void aFileThatCannotBeReadIsTold() {
    assertProblem(
        new TlsFiles(files.certificate(), directory, files.trust()),
        NOW,
        "The private key file DIR cannot be read: check that this user may read it.");
  }

  @Test
  void aFileThatIsNoPemIsTold() throws IOException {
    var text = Files.writeString(directory.resolve("text.pem"), "hello");
    assertProblem(
        new TlsFiles(text, files.privateKey(), files.trust()),
        NOW,
        "The certificate file DIR/text.pem holds no certificate: it must be PEM with at least"
            + " one.");
    assertProblem(
        new TlsFiles(files.certificate(), text, files.trust()),
        NOW,
        "The private key file DIR/text.pem holds no private key: it must be PEM with one.");
  }

  @Test
  void aDamagedFileIsTold() throws IOException {
    var damaged = Files.readString(files.certificate()).replaceAll("MII.{20}", "????");
    Files.writeString(files.certificate(), damaged);
    assertProblem(
        files,
        NOW,
        "The certificate file DIR/node1.pem is not valid PEM: replace it by one that is.");

    Files.write(files.certificate(), new byte[] {(byte) 0xff, (byte) 0xfe, 0});
    assertProblem(
        files,
        NOW,
        "The certificate file DIR/node1.pem is not valid PEM: replace it by one that is.");
  }

  @Test
  void anEncryptedKeyIsTold() throws IOException {
    var encrypted =
        Files.writeString(
            directory.resolve("encrypted.pem"),
            """
            -----BEGIN EC PRIVATE KEY-----
            Proc-Type: 4,ENCRYPTED
            DEK-Info: AES-128-CBC,00000000000000000000000000000000

            AAAAAAAAAAAAAAAAAAAAAA==
            -----END EC PRIVATE KEY-----
            """);
    assertProblem(
        new TlsFiles(files.certificate(), encrypted, files.trust()),
        NOW,
        "The private key file DIR/encrypted.pem is encrypted: give one without a passphrase.");
  }

  @Test
  void anExpiredCertificateIsTold() {
    assertProblem(
        files,
        NOW.plus(Duration.ofDays(366)),
        "The certificate DIR/node1.pem expired on 2031-01-01T00:00:00Z: replace it.");
  }

  @Test
  void aCertificateThatIsNotValidYetIsTold() {
    assertProblem(
        files,
        NOW.minusSeconds(1),
        "The certificate DIR/node1.pem is not valid before 2030-01-01T00:00:00Z: check this"
            + " machine's clock.");
  }

  @Test
  void aTrustFileOfExpiredCertificatesIsTold() throws IOException {
    var old = new Certificates.Validity(NOW.minusSeconds(10), NOW.minusSeconds(5));
    Certificates.write(
        Certificates.authority("old", old),
        directory.resolve("old.pem"),
        directory.resolve("old.key.pem"));

    assertProblem(
        new TlsFiles(files.certificate(), files.privateKey(), directory.resolve("old.pem")),
        NOW,
        "Every certificate in the trust file DIR/old.pem has expired or is not valid yet: replace"
            + " them.");
  }

  @Test
  void aKeyOfAnotherCertificateIsTold() {
    var other = Certificates.files(directory, NODE2);
    assertProblem(
        new TlsFiles(files.certificate(), other.privateKey(), files.trust()),
        NOW,
        "The private key DIR/node2.key.pem does not belong to the certificate DIR/node1.pem: give"
            + " the pair made together.");
  }

  @Test
  void theCertificateOfAnotherNodeIsTold() {
    assertProblem(
        Certificates.files(directory, NODE2),
        NOW,
        "The certificate DIR/node2.pem is for [node2], not for node 'node1': give the node its"
            + " own.");
  }
}
