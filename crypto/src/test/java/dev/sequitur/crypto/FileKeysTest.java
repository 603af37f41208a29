package dev.sequitur.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.port.Keys;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileKeysTest {
  private static final String TEXT = "wer reitet so spät";
  private static final Passphrase FIRST = Passphrase.of(TEXT);
  private static final Passphrase SECOND = Passphrase.of("durch Nacht und Wind");

  @TempDir Path directory;
  private Path seed;

  @BeforeEach
  void findSeed() {
    seed = directory.resolve(SeedFile.NAME);
  }

  @Test
  void derivesTheKeysThatItAlwaysDerived() throws IOException {
    givenSeed(32);

    var keys = FileKeys.open(directory);

    // Computed apart from this code: HKDF and the curve in a few lines of Python.
    assertThat(keys.verifier("alice"))
        .hasToString("0x0203f5fe6e81776548ca590f15b70e41cfb2be131ac906fb899b98e07158216084");
    assertThat(keys.verifier("submitter/0"))
        .hasToString("0x021b8965ee718feadc6f23b44b937b7d80440bd5c1b05a30809dad9e2938238051");
  }

  @Test
  void derivesTheSecretsThatItAlwaysDerived() throws IOException {
    givenSeed(32);

    var keys = FileKeys.open(directory);

    // Computed apart from this code, as the keys are.
    assertThat(Bytes.of(keys.secret("webhook a")).toHex())
        .isEqualTo("0x3757b3cd92449de607389fad859b9b7a3df6e8b42a900360e9926221f6e6174f");
    assertThat(keys.secret("webhook b")).isNotEqualTo(keys.secret("webhook a"));
  }

  @Test
  void makesASeedThatOnlyItsOwnerMayRead() throws IOException {
    FileKeys.open(directory);

    assertThat(seed).hasSize(SeedFile.BYTES);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(seed)))
        .isEqualTo("rw-------");
    assertThat(directory).isDirectoryNotContaining(file -> !file.equals(seed));
  }

  @Test
  void makesTheDirectoryToo() throws IOException {
    var node = directory.resolve("data/node1");

    FileKeys.open(node);

    assertThat(node.resolve(SeedFile.NAME)).exists();
  }

  @Test
  void hasTheSameKeysAfterARestartAndOthersInAnotherDirectory() throws IOException {
    var before = FileKeys.open(directory).verifier("alice");

    assertThat(FileKeys.open(directory).verifier("alice")).isEqualTo(before);
    assertThat(FileKeys.open(directory.resolve("other")).verifier("alice")).isNotEqualTo(before);
  }

  @Test
  void endsWithOneSeedWhenManyOpenAtOnce() {
    var verifiers =
        IntStream.range(0, 16)
            .parallel()
            .mapToObj(i -> open(directory.resolve("shared")).verifier("alice"))
            .collect(Collectors.toSet());

    assertThat(verifiers).hasSize(1);
  }

  @Test
  void refusesASeedThatOthersMayRead() throws IOException {
    givenSeed(32);
    Files.setPosixFilePermissions(seed, PosixFilePermissions.fromString("rw-r--r--"));

    assertThatThrownBy(() -> FileKeys.open(directory))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(seed.toString())
        .hasMessageContaining("chmod 600");
  }

  @Test
  void refusesADamagedSeedRatherThanMakeANewOne() throws IOException {
    givenSeed(31);

    assertThatThrownBy(() -> FileKeys.open(directory))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("restore it from a backup");
    assertThat(seed).hasSize(31);
  }

  @Test
  void saysThatASeedCannotBeRead() throws IOException {
    Files.createDirectory(
        seed, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));

    assertThatThrownBy(() -> FileKeys.open(directory))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot be read");
  }

  @Test
  void saysThatASeedCannotBeMade() throws IOException {
    var file = Files.createFile(directory.resolve("file"));

    assertThatThrownBy(() -> FileKeys.open(file.resolve("node1")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot be made");
  }

  @Test
  void refusesAnEmptyNameAndAnEndlessOne() throws IOException {
    var keys = FileKeys.open(directory);

    assertThatThrownBy(() -> keys.verifier("")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> keys.sign("a".repeat(513), Hash.sha256(new byte[0])))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void signsTheSameForAllThreadsWhateverTheCacheForgot() throws IOException {
    var keys = FileKeys.open(directory);
    var digest = Hash.sha256(new byte[] {7});
    var signatures = new Secp256k1Signatures();
    var first = keys.sign("key-0", digest);

    boolean all =
        IntStream.range(0, 3_000)
            .parallel()
            .mapToObj(i -> "key-" + i)
            .allMatch(
                name -> signatures.verify(keys.verifier(name), digest, keys.sign(name, digest)));

    assertThat(all).isTrue();
    assertThat(keys.sign("key-0", digest)).isEqualTo(first);
    assertThat(keys.cachedKeys()).isEqualTo(FileKeys.CACHED_KEYS);
  }

  @Test
  void hasTheSameKeysByASeedThatIsEncryptedAndByNoOtherPassphrase() throws IOException {
    var before = FileKeys.open(directory).verifier("alice");
    assertThat(FileKeys.areSealed(directory)).isFalse();

    file(PassphraseSource.NONE).reseal(Optional.of(FIRST));

    assertThat(FileKeys.areSealed(directory)).isTrue();
    assertThat(Files.readAllBytes(seed)).hasSize(SealedSeed.BYTES);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(seed)))
        .isEqualTo("rw-------");
    assertThat(directory).isDirectoryNotContaining(file -> !file.equals(seed));
    assertThat(FileKeys.open(directory, given(FIRST)).verifier("alice")).isEqualTo(before);
    assertThatThrownBy(() -> FileKeys.open(directory, given(SECOND)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the passphrase is wrong")
        .hasMessageNotContaining(TEXT);
    assertThatThrownBy(() -> FileKeys.open(directory))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is encrypted");
  }

  @Test
  void changesThePassphraseAndTakesItAway() throws IOException {
    var before = FileKeys.open(directory, given(FIRST)).verifier("alice");
    assertThat(FileKeys.areSealed(directory)).as("made so").isTrue();

    file(given(FIRST)).reseal(Optional.of(SECOND));
    assertThat(FileKeys.open(directory, given(SECOND)).verifier("alice")).isEqualTo(before);

    file(given(SECOND)).reseal(Optional.empty());
    assertThat(FileKeys.open(directory).verifier("alice")).isEqualTo(before);
  }

  @Test
  void leavesTheSeedAsItIsIfThePassphraseIsWrong() throws IOException {
    FileKeys.open(directory, given(FIRST));
    var before = Files.readAllBytes(seed);

    assertThatThrownBy(() -> file(given(SECOND)).reseal(Optional.empty()))
        .isInstanceOf(IOException.class);

    assertThat(Files.readAllBytes(seed)).isEqualTo(before);
  }

  @Test
  void refusesASeedThatLiesOpenThoughAPassphraseIsGiven() throws IOException {
    givenSeed(32);

    assertThatThrownBy(() -> FileKeys.open(directory, given(FIRST)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is not encrypted")
        .hasMessageContaining("sequitur keys encrypt");
  }

  @Test
  void readsAPassphraseOfItsOwnersFileOnly() throws IOException {
    var file = Files.writeString(directory.resolve("passphrase"), TEXT + "\nmore\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    FileKeys.open(directory.resolve("node"), given(Passphrase.read(file)));
    FileKeys.open(directory.resolve("node"), given(FIRST));

    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    assertThatThrownBy(() -> Passphrase.read(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("chmod 600");
    assertThatThrownBy(() -> Passphrase.read(directory.resolve("none")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot be read");
    Files.writeString(file, "short\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--------"));
    assertThatThrownBy(() -> Passphrase.read(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("at least 12 characters");
  }

  @Test
  void aNameThatGotAKeyBeginsWithItAndTheOthersStayAsTheyAre() throws IOException {
    givenSeed(32);
    var before = FileKeys.open(directory);
    var name = "alice";

    var imported = file(PassphraseSource.NONE).importKey(name, keyFile(ONE));

    var keys = FileKeys.open(directory);
    assertThat(imported).hasToString(PUBLIC_OF_ONE);
    assertThat(keys.verifier(name)).isEqualTo(imported);
    assertThat(keys.account(name)).isEqualTo(imported);
    assertThat(keys.standing(name, imported)).isEqualTo(Keys.Standing.HELD);
    assertThat(keys.standing(name, before.verifier(name))).isEqualTo(Keys.Standing.UNKNOWN);
    assertThat(keys.verifier("bob")).isEqualTo(before.verifier("bob"));
    assertThat(keys.origin()).isEqualTo(before.origin()).isEqualTo(before.verifier("node"));
    assertThat(keys.secret(name, DIGEST)).isEqualTo(before.sign(name, DIGEST));
    assertValid(keys.verifier(name), keys.sign(name, DIGEST));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(seed)))
        .isEqualTo("rw-------");
    assertThatThrownBy(() -> file(PassphraseSource.NONE).importKey(name, keyFile(TWO)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("sequitur keys rotate");
  }

  @Test
  void aNameThatGetsAnotherKeySignsWithEachThatItHad() throws IOException {
    var first = FileKeys.open(directory).verifier("alice");
    var second = file(PassphraseSource.NONE).rotate("alice", Optional.of(keyFile(ONE)));
    var third = file(PassphraseSource.NONE).rotate("alice", Optional.empty());

    var keys = FileKeys.open(directory);

    assertThat(keys.verifier("alice")).isEqualTo(third).isNotEqualTo(second);
    assertThat(keys.account("alice")).isEqualTo(first);
    for (var key : List.of(first, second, third)) {
      assertThat(keys.standing("alice", key)).isEqualTo(Keys.Standing.HELD);
      assertValid(key, keys.sign("alice", key, DIGEST));
    }
    assertValid(third, keys.sign("alice", DIGEST));
    assertValid(first, keys.signer("alice").sign(DIGEST));
    assertThatThrownBy(() -> keys.sign("bob", first, DIGEST))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> file(PassphraseSource.NONE).rotate("alice", Optional.of(keyFile(ONE))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("has that key already");
  }

  @Test
  void aKeyThatIsRevokedIsToldAndSignsNothing() throws IOException {
    var first = FileKeys.open(directory).verifier("alice");
    var second = file(PassphraseSource.NONE).rotate("alice", Optional.empty());

    assertThat(file(PassphraseSource.NONE).revoke("alice", Optional.of(first)))
        .containsExactly(first);

    var keys = FileKeys.open(directory);
    assertThat(keys.standing("alice", first)).isEqualTo(Keys.Standing.REVOKED);
    assertThat(keys.standing("alice", second)).isEqualTo(Keys.Standing.HELD);
    assertThat(keys.account("alice")).isEqualTo(first);
    assertThatThrownBy(() -> keys.sign("alice", first, DIGEST))
        .isInstanceOf(Keys.RevokedKeyException.class)
        .hasMessageContaining("alice");
    assertValid(second, keys.sign("alice", DIGEST));
    assertThatThrownBy(() -> file(PassphraseSource.NONE).revoke("alice", Optional.of(first)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("sequitur keys list");

    file(PassphraseSource.NONE).revoke("bob", Optional.empty());
    assertThat(file(PassphraseSource.NONE).list())
        .extracting(
            NodeKeyFile.Listed::name, NodeKeyFile.Listed::made, NodeKeyFile.Listed::standing)
        .containsExactly(
            tuple("alice", true, Keys.Standing.REVOKED),
            tuple("alice", false, Keys.Standing.HELD),
            tuple("bob", true, Keys.Standing.REVOKED));
  }

  @Test
  void keysThatWereGivenAreEncryptedWithTheSeed() throws IOException {
    FileKeys.open(directory, given(FIRST));

    file(given(FIRST)).importKey("alice", keyFile(ONE));

    assertThat(FileKeys.areSealed(directory)).isTrue();
    assertThat(FileKeys.open(directory, given(FIRST)).verifier("alice")).hasToString(PUBLIC_OF_ONE);
    assertThatThrownBy(() -> file(given(SECOND)).importKey("bob", keyFile(TWO)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the passphrase is wrong");
    file(given(FIRST)).reseal(Optional.of(SECOND));
    file(given(SECOND)).reseal(Optional.empty());
    assertThat(FileKeys.open(directory).verifier("alice")).hasToString(PUBLIC_OF_ONE);
  }

  @Test
  void whatIsNoKeyIsRefusedWithoutBeingShown() throws IOException {
    FileKeys.open(directory);
    for (var wrong : List.of("00".repeat(32), "ff".repeat(32), "ab".repeat(31), "xy".repeat(32))) {
      assertThatThrownBy(() -> file(PassphraseSource.NONE).importKey("alice", keyFile(wrong)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("64 hexadecimal digits")
          .hasMessageNotContaining(wrong);
    }
    var open = keyFile(ONE);
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));
    assertThatThrownBy(() -> file(PassphraseSource.NONE).importKey("alice", open))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("chmod 600");
    assertThatThrownBy(() -> file(PassphraseSource.NONE).importKey("a b", keyFile(ONE)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("letters, digits");
    assertThat(seed).hasSize(SeedFile.BYTES);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sequitur keys 1\n",
        "sequitur keys 1\nseed 00\n",
        "sequitur keys 1\nseed SEED",
        "sequitur keys 1\nseed SEED\nkey alice made held",
        "sequitur keys 1\nseed SEED\nkey alice made lost\n",
        "sequitur keys 1\nseed SEED\nkey alice 00 held\n",
        "sequitur keys 1\nseed SEED\nkey alice ZERO held\n",
        "sequitur keys 1\nseed SEED\nkey made held\n",
        "sequitur keys 2\nseed SEED\n"
      })
  void aListOfKeysThatIsDamagedIsRefused(String text) throws IOException {
    givenSeed(32);
    Files.writeString(seed, text.replace("SEED", "11".repeat(32)).replace("ZERO", "00".repeat(32)));

    assertThatThrownBy(() -> FileKeys.open(directory))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("restore it from a backup");
  }

  /** What was written once is read for good. */
  @Test
  void readsAListOfKeysAsItAlwaysWas() throws IOException {
    givenSeed(32);
    var made = FileKeys.open(directory).verifier("bob");
    var text =
        """
        sequitur keys 1
        seed 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f
        key alice %s held
        key bob made revoked
        key bob %s held
        """
            .formatted(ONE, TWO);
    Files.writeString(seed, text);

    var keys = FileKeys.open(directory);

    assertThat(keys.verifier("alice")).hasToString(PUBLIC_OF_ONE);
    assertThat(keys.standing("bob", made)).isEqualTo(Keys.Standing.REVOKED);
    file(PassphraseSource.NONE).reseal(Optional.empty());
    assertThat(seed).hasContent(text);
  }

  private static final String ONE = "00".repeat(31) + "01";
  private static final String TWO = "00".repeat(31) + "02";

  /** The generator of the curve. */
  private static final String PUBLIC_OF_ONE =
      "0x0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";

  private static final Hash DIGEST = Hash.sha256(new byte[] {7});

  private static void assertValid(Verifier key, Bytes signature) {
    assertThat(new Secp256k1Signatures().verify(key, DIGEST, signature)).isTrue();
  }

  private NodeKeyFile file(PassphraseSource passphrases) {
    return new NodeKeyFile(directory, passphrases);
  }

  private Path keyFile(String hex) throws IOException {
    var file = Files.createTempFile(directory, "given", ".key");
    return Files.writeString(file, hex + "\n");
  }

  private static PassphraseSource given(Passphrase passphrase) {
    return new PassphraseSource() {
      @Override
      public Optional<Passphrase> given() {
        return Optional.of(passphrase);
      }

      @Override
      public Passphrase toOpen(Path seed) {
        return passphrase;
      }
    };
  }

  private void givenSeed(int bytes) throws IOException {
    assumeThat(directory.getFileSystem().supportedFileAttributeViews()).contains("posix");
    var content = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      content[i] = (byte) i;
    }
    Files.write(seed, content);
    Files.setPosixFilePermissions(seed, PosixFilePermissions.fromString("rw-------"));
  }

  private static FileKeys open(Path directory) {
    try {
      return FileKeys.open(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
