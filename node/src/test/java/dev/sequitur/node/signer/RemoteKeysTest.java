package dev.sequitur.node.signer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sequitur.crypto.FileKeys;
import dev.sequitur.crypto.Secp256k1Signatures;
import dev.sequitur.links.tls.Certificates;
import dev.sequitur.links.tls.FileContexts;
import dev.sequitur.links.tls.ServerFiles;
import dev.sequitur.protocol.digest.Digests;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.port.Keys;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RemoteKeysTest {
  private static final Bytes MESSAGE = Bytes.utf8("what is signed");
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Secp256k1Signatures SIGNATURES = new Secp256k1Signatures();

  @TempDir Path directory;
  private ScriptedSigner signer;
  private FileKeys here;
  private PrometheusRegistry registry;
  private Verifier alice;
  private RemoteKeys keys;

  @BeforeEach
  void start() throws IOException {
    signer = new ScriptedSigner(directory.resolve("signer"), Optional.empty());
    here = FileKeys.open(directory.resolve("node"));
    alice = signer.key("alice of the signer");
    keys = keys(signer.address(), Optional.empty(), PATIENCE, alice);
  }

  @AfterEach
  void stop() {
    keys.close();
    signer.close();
  }

  /** Counts in a registry of its own, the present one. */
  private RemoteKeys keys(
      URI address, Optional<SignerSettings.Tls> tls, Duration timeout, Verifier key) {
    registry = new PrometheusRegistry();
    return new RemoteKeys(
        here,
        new SignerSettings(address, tls, timeout, Map.of("alice", key)),
        SIGNATURES,
        registry);
  }

  private static Bytes signed(Keys keys, Verifier key) {
    return keys.signed("alice", key, MESSAGE).toCompletableFuture().join();
  }

  private static void assertValid(Verifier key, Bytes signature) {
    assertThat(SIGNATURES.verify(key, Digests.keccak256(MESSAGE), signature)).isTrue();
  }

  private void assertSays(RemoteKeys of, String words) {
    assertThat(of.signed("alice", of.verifier("alice"), MESSAGE).toCompletableFuture())
        .failsWithin(PATIENCE)
        .withThrowableThat()
        .havingCause()
        .withMessageContaining(words);
  }

  @Test
  void theSignerSignsForTheIdentityThatIsNamedAndTheFileForAllOthers() {
    assertThat(keys.verifier("alice")).isEqualTo(keys.account("alice")).isEqualTo(alice);
    assertThat(keys.standing("alice", alice)).isEqualTo(Keys.Standing.HELD);
    assertThat(keys.areHere("alice")).isFalse();
    assertValid(alice, signed(keys, alice));
    assertValid(alice, keys.signer("alice").signMessage(MESSAGE));
    assertThat(signer.messages()).containsExactly(MESSAGE, MESSAGE);

    assertThat(keys.verifier("bob")).isEqualTo(here.verifier("bob"));
    assertThat(keys.areHere("bob")).isTrue();
    assertValid(here.verifier("bob"), keys.sign("bob", Digests.keccak256(MESSAGE)));
    assertThat(keys.origin()).isEqualTo(here.origin());
    assertThat(keys.secret("alice", Digests.keccak256(MESSAGE)))
        .isEqualTo(here.secret("alice", Digests.keccak256(MESSAGE)));
    assertThat(keys.remarks()).isEmpty();
  }

  /** Whoever moves an identity to a signer does not lose the groups that it is in. */
  @Test
  void whatKnowsTheKeyOfBeforeIsSignedWithThatOne() {
    var before = here.verifier("alice");

    assertThat(keys.standing("alice", before)).isEqualTo(Keys.Standing.HELD);
    assertValid(before, signed(keys, before));
    assertThat(signer.messages()).isEmpty();
    assertThat(keys.standing("alice", signer.unknown("another"))).isEqualTo(Keys.Standing.UNKNOWN);
  }

  @Test
  void aBareDigestIsNotSignedElsewhere() {
    assertThatThrownBy(() -> keys.sign("alice", Digests.keccak256(MESSAGE)))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aSignatureThatIsWrittenInAnotherWayIsPutRight() {
    var proper = signed(keys, alice);
    signer.setChange(signature -> withV(signature, -27));
    assertThat(signed(keys, alice)).isEqualTo(proper);

    signer.setChange(RemoteKeysTest::withHighS);
    assertThat(signed(keys, alice)).isEqualTo(proper);
  }

  private static Bytes withV(Bytes signature, int more) {
    var bytes = signature.toByteArray();
    bytes[64] += (byte) more;
    return Bytes.of(bytes);
  }

  private static Bytes withHighS(Bytes signature) {
    var order =
        new BigInteger("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141", 16);
    var bytes = signature.toByteArray();
    var high = order.subtract(new BigInteger(1, Arrays.copyOfRange(bytes, 32, 64)));
    var digits = "%064x".formatted(high);
    System.arraycopy(HexFormat.of().parseHex(digits), 0, bytes, 32, 32);
    bytes[64] = (byte) (27 + 28 - bytes[64]);
    return Bytes.of(bytes);
  }

  @Test
  void aSignatureOfSomethingElseIsNotUsed() {
    signer.setChange(signature -> withV(signature, signature.toByteArray()[64] == 27 ? 1 : -1));
    assertSays(keys, "no signature of the key of alice");

    signer.setChange(signature -> Bytes.of(new byte[65]));
    assertSays(keys, "no signature of the key of alice");

    signer.setChange(signature -> Bytes.utf8("nothing"));
    assertSays(keys, "no signature of the key of alice");
  }

  @Test
  void whoDoesNotSignIsNamedWithItsReason() throws IOException {
    signer.setStatus(500);
    assertSays(keys, "answers with HTTP 500");
    signer.setStatus(200);
    try (var other =
        keys(signer.address(), Optional.empty(), PATIENCE, signer.unknown("another"))) {
      assertSays(other, "does not have the key");
    }
    signer.setSilent(true);
    try (var hurried = keys(signer.address(), Optional.empty(), Duration.ofMillis(50), alice)) {
      assertSays(hurried, "does not answer in time");
    }
    signer.close();
    assertSays(keys, "The signer at " + signer.address());
  }

  /** What it is asked more than it may be at once is not sent, and waits in no line. */
  @Test
  void noMoreAreAskedAtOnceThanAFixedNumber() {
    signer.setSilent(true);
    var all =
        IntStream.rangeClosed(0, Web3Signer.MOST_AT_ONCE)
            .mapToObj(each -> keys.signed("alice", alice, MESSAGE).toCompletableFuture())
            .toList();

    assertThat(all.getLast())
        .isCompletedExceptionally()
        .failsWithin(PATIENCE)
        .withThrowableThat()
        .havingCause()
        .withMessageContaining("256 signatures already");
  }

  @Test
  void aKeyThatTheSignerLacksIsARemarkUntilItHasIt() {
    try (var other =
        keys(signer.address(), Optional.empty(), PATIENCE, signer.unknown("to come"))) {
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(other.remarks())
                      .singleElement()
                      .asString()
                      .contains("does not have the key", "for alice"));
      signer.key("to come");
      await().atMost(PATIENCE).untilAsserted(() -> assertThat(other.remarks()).isEmpty());
    }
  }

  @Test
  void aSignerThatDoesNotAnswerIsARemarkUntilItDoes() throws IOException {
    signer.setStatus(503);
    assertSays(keys, "HTTP 503");
    assertThat(keys.remarks()).singleElement().asString().contains("HTTP 503");
    var out = new ByteArrayOutputStream();
    PrometheusTextFormatWriter.create().write(out, registry.scrape());
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("sequitur_signer_answers_total{outcome=\"failed\"} 1.0");

    signer.setStatus(200);
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(keys.remarks()).isEmpty());
  }

  @Test
  void aSignerThatWantsACertificateIsShownOne() throws IOException {
    var now = Instant.now();
    var names = List.of(new NodeName("localhost"), new NodeName("node1"));
    Certificates.writeNetwork(
        directory, names, new Certificates.Validity(now.minusSeconds(60), now.plusSeconds(3_600)));
    var authority = directory.resolve("authority.pem");
    var serving = FileContexts.serving(files("localhost", authority)).get();
    try (var over = new ScriptedSigner(directory.resolve("over"), Optional.of(serving));
        var shown =
            keys(
                over.address(),
                Optional.of(
                    new SignerSettings.Tls(authority, Optional.of(files("node1", authority)))),
                PATIENCE,
                over.key("alice"));
        var hidden =
            keys(
                over.address(),
                Optional.of(new SignerSettings.Tls(authority, Optional.empty())),
                PATIENCE,
                over.key("alice"))) {
      assertValid(over.key("alice"), signed(shown, over.key("alice")));
      assertSays(hidden, "The signer at " + over.address());
    }
  }

  private ServerFiles files(String name, Path authority) {
    var files = Certificates.files(directory, new NodeName(name));
    return new ServerFiles(files.certificate(), files.privateKey(), Optional.of(authority));
  }
}
