package dev.sequitur.crypto;

import dev.sequitur.persistence.directory.PrivateDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The 32 secret bytes that keys of a node are derived from, and the keys that are not, in a file
 * only its owner reads: as they are, or encrypted by a passphrase.
 */
final class SeedFile {
  static final String NAME = "keys.seed";
  static final int BYTES = 32;

  private final Path directory;
  private final Path file;

  SeedFile(Path directory) {
    this.directory = directory;
    this.file = directory.resolve(NAME);
  }

  /**
   * Reads it; makes a seed first, if there is none.
   *
   * @throws IOException with a sentence that says what to do, also if it is not encrypted though a
   *     passphrase is given for it
   */
  SeedAndKeys readOrCreate(PassphraseSource passphrases, SecureRandom random) throws IOException {
    var given = passphrases.given();
    if (!Files.exists(file)) {
      create(given, random);
    }
    var content = read();
    if (SealedSeed.isSealed(content)) {
      return open(content, given.isPresent() ? given.get() : passphrases.toOpen(file));
    }
    if (given.isPresent()) {
      throw new IOException(
          "The key seed "
              + file
              + " is not encrypted, though a passphrase is given for it: encrypt it by `sequitur"
              + " keys encrypt`, or give no passphrase.");
    }
    return ring(content);
  }

  /**
   * Reads it, if it is there.
   *
   * @param passphrases not asked if it is not encrypted
   */
  SeedAndKeys read(PassphraseSource passphrases) throws IOException {
    var content = read();
    return SealedSeed.isSealed(content) ? open(content, passphrases.toOpen(file)) : ring(content);
  }

  boolean isSealed() throws IOException {
    return SealedSeed.isSealed(read());
  }

  /**
   * Has other keys in the file, under the passphrase of now if there is one.
   *
   * @param change of what is there
   */
  void change(PassphraseSource now, UnaryOperator<SeedAndKeys> change, SecureRandom random)
      throws IOException {
    var content = read();
    if (SealedSeed.isSealed(content)) {
      var passphrase = now.toOpen(file);
      replace(change.apply(open(content, passphrase)), Optional.of(passphrase), random);
    } else {
      replace(change.apply(ring(content)), Optional.empty(), random);
    }
  }

  /**
   * Has the same seed in the file under another passphrase, or under none. Whoever reads meanwhile
   * reads one or the other.
   *
   * @param now by which it is opened; not asked for if it is not encrypted
   * @param next empty is no passphrase
   */
  void reseal(PassphraseSource now, Optional<Passphrase> next, SecureRandom random)
      throws IOException {
    replace(read(now), next, random);
  }

  private void replace(SeedAndKeys ring, Optional<Passphrase> passphrase, SecureRandom random)
      throws IOException {
    var content = ring.encode();
    var written =
        passphrase.map(by -> SealedSeed.seal(content, by, SealedSeed.COST, random)).orElse(content);
    try {
      var draft = draft(written);
      try {
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        force();
      } finally {
        Files.deleteIfExists(draft);
      }
    } catch (IOException e) {
      throw new IOException(
          "The key seed "
              + file
              + " cannot be written and is as before: let the user of this process write into its"
              + " directory.",
          e);
    }
  }

  private SeedAndKeys ring(byte[] content) throws IOException {
    try {
      return SeedAndKeys.decode(content);
    } catch (IllegalArgumentException e) {
      throw damaged();
    }
  }

  private SeedAndKeys open(byte[] sealed, Passphrase passphrase) throws IOException {
    try {
      return SealedSeed.open(sealed, passphrase)
          .map(SeedAndKeys::decode)
          .orElseThrow(
              () ->
                  new IOException(
                      "The key seed "
                          + file
                          + " does not open: the passphrase is wrong, or the file is damaged. If you are"
                          + " sure of the passphrase, restore the file from a backup."));
    } catch (IllegalArgumentException e) {
      throw damaged();
    }
  }

  private byte[] read() throws IOException {
    OwnerOnly.require(file, "The key seed ", "make new keys");
    byte[] content;
    try (var in = Files.newInputStream(file)) {
      content = in.readNBytes(SealedSeed.MOST_BYTES + 1);
    } catch (IOException e) {
      throw new IOException(
          "The key seed "
              + file
              + " cannot be read: make it a file that the user of this process may read.",
          e);
    }
    if (content.length != BYTES && !SealedSeed.isSealed(content) && !SeedAndKeys.isRing(content)) {
      throw damaged();
    }
    return content;
  }

  private IOException damaged() {
    return new IOException(
        "The key seed "
            + file
            + " is damaged: restore it from a backup, since without it this node cannot sign for its"
            + " identities. It has neither "
            + BYTES
            + " bytes nor the form of one that is encrypted or has other keys.");
  }

  /**
   * The seed appears under its name whole and once: a link, unlike a rename, replaces nothing, so
   * two processes that start at once end with the same seed.
   */
  private void create(Optional<Passphrase> passphrase, SecureRandom random) throws IOException {
    try {
      PrivateDirectory.make(directory);
      var seed = new byte[BYTES];
      random.nextBytes(seed);
      var draft =
          draft(
              passphrase
                  .map(by -> SealedSeed.seal(seed, by, SealedSeed.COST, random))
                  .orElse(seed));
      try {
        publish(draft);
      } finally {
        Files.deleteIfExists(draft);
      }
    } catch (IOException e) {
      throw new IOException(
          "The key seed "
              + file
              + " cannot be made: let the user of this process write into its directory.",
          e);
    }
  }

  private Path draft(byte[] content) throws IOException {
    var draft = Files.createTempFile(directory, NAME, ".new", OwnerOnly.attributes(directory));
    try {
      write(draft, content);
    } catch (IOException e) {
      Files.deleteIfExists(draft);
      throw e;
    }
    return draft;
  }

  private static void write(Path draft, byte[] content) throws IOException {
    try (var channel = FileChannel.open(draft, StandardOpenOption.WRITE)) {
      var buffer = ByteBuffer.wrap(content);
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
      channel.force(true);
    }
  }

  private void publish(Path draft) throws IOException {
    try {
      Files.createLink(file, draft);
    } catch (FileAlreadyExistsException e) {
      return; // another process was faster: its seed is the node's
    } catch (UnsupportedOperationException | FileSystemException e) {
      Files.move(draft, file); // a file system without links
    }
    force();
  }

  /** What has a new name has it after a power failure, too. */
  private void force() throws IOException {
    if (OwnerOnly.isPosix(directory)) {
      try (var channel = FileChannel.open(directory, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
  }
}
