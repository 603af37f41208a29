package dev.sequitur.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

    FileKeys.reseal(directory, PassphraseSource.NONE, Optional.of(FIRST));

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

    FileKeys.reseal(directory, given(FIRST), Optional.of(SECOND));
    assertThat(FileKeys.open(directory, given(SECOND)).verifier("alice")).isEqualTo(before);

    FileKeys.reseal(directory, given(SECOND), Optional.empty());
    assertThat(FileKeys.open(directory).verifier("alice")).isEqualTo(before);
  }

  @Test
  void leavesTheSeedAsItIsIfThePassphraseIsWrong() throws IOException {
    FileKeys.open(directory, given(FIRST));
    var before = Files.readAllBytes(seed);

    assertThatThrownBy(() -> FileKeys.reseal(directory, given(SECOND), Optional.empty()))
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
