package dev.sequitur.crypto;

import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.port.Keys;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The file that {@link FileKeys} are opened from, as whoever runs the node lists and changes it. A
 * node that has opened the keys goes on with those of then. Each method blocks on the disk, and for
 * some tenths of a second on the processor if the file is encrypted.
 */
public final class NodeKeyFile {
  private static final int MOST_OF_AN_IMPORTED_FILE = 256;

  private final SeedFile file;
  private final PassphraseSource passphrases;

  /**
   * @param directory where the node's keys are
   * @param passphrases by which the file is opened, if it is encrypted
   */
  public NodeKeyFile(Path directory, PassphraseSource passphrases) {
    this.file = new SeedFile(directory);
    this.passphrases = passphrases;
  }

  /**
   * What the file tells of a key.
   *
   * @param name whose it is
   * @param made whether it follows from the seed
   */
  public record Listed(String name, Verifier verifier, boolean made, Keys.Standing standing) {}

  /**
   * Encrypts the file by another passphrase, or has it lie open. The keys stay the same.
   *
   * @param next empty if it is not to be encrypted
   * @throws IOException with a sentence that says what to do; the file is as before then
   */
  public void reseal(Optional<Passphrase> next) throws IOException {
    file.reseal(passphrases, next, new SecureRandom());
  }

  /**
   * Has a name begin with this key in place of the one that follows from the seed.
   *
   * @param keyFile its first line are 64 hexadecimal digits, perhaps after 0x; only its owner reads
   *     it
   * @return its public key
   * @throws IOException with a sentence that says what to do, if the name has other keys already or
   *     that is no key; the file is as before then
   */
  public Verifier importKey(String name, Path keyFile) throws IOException {
    var key = secret(keyFile);
    change(
        ring -> {
          if (ring.entries().containsKey(name)) {
            throw new IllegalArgumentException(
                "%s has keys of its own already: give it another by `sequitur keys rotate`."
                    .formatted(name));
          }
          return ring.with(name, new SeedAndKeys.Entry(Optional.of(key), false));
        });
    return FileKeys.signing(key).verifier();
  }

  /**
   * Gives a name another key beside those that it has. What names an older one is signed with that
   * still.
   *
   * @param keyFile as for {@link #importKey}; empty to have a key made at random
   * @return its public key
   * @throws IOException with a sentence that says what to do; the file is as before then
   */
  public Verifier rotate(String name, Optional<Path> keyFile) throws IOException {
    var key = keyFile.isPresent() ? secret(keyFile.get()) : random();
    var verifier = FileKeys.signing(key).verifier();
    change(
        ring -> {
          if (listed(ring, name).stream().anyMatch(it -> it.verifier().equals(verifier))) {
            throw new IllegalArgumentException("%s has that key already.".formatted(name));
          }
          return ring.rotated(name, key);
        });
    return verifier;
  }

  /**
   * Has nothing signed with a key any more.
   *
   * @param which its public key; empty for all that the name has
   * @return those that are revoked by it
   * @throws IOException with a sentence that says what to do; the file is as before then
   */
  public List<Verifier> revoke(String name, Optional<Verifier> which) throws IOException {
    var revoked = new ArrayList<Verifier>();
    change(
        ring -> {
          listed(ring, name).stream()
              .filter(key -> key.standing() == Keys.Standing.HELD)
              .map(Listed::verifier)
              .filter(key -> which.isEmpty() || which.get().equals(key))
              .forEach(revoked::add);
          if (revoked.isEmpty()) {
            throw new IllegalArgumentException(
                "%s has no such key that is not revoked: `sequitur keys list` tells which it has."
                    .formatted(name));
          }
          var keys = new FileKeys(ring);
          return ring.revoked(name, revoked, key -> keys.key(name, key).verifier());
        });
    return revoked;
  }

  /**
   * The keys of all names that have others than the seed's, the oldest of each first.
   *
   * @throws IOException with a sentence that says what to do
   */
  public List<Listed> list() throws IOException {
    var ring = file.read(passphrases);
    return ring.entries().keySet().stream().flatMap(name -> listed(ring, name).stream()).toList();
  }

  private static List<Listed> listed(SeedAndKeys ring, String name) {
    var keys = new FileKeys(ring);
    return ring.keys(name).stream()
        .map(
            key ->
                new Listed(
                    name,
                    keys.key(name, key).verifier(),
                    key.secret().isEmpty(),
                    key.revoked() ? Keys.Standing.REVOKED : Keys.Standing.HELD))
        .toList();
  }

  private void change(UnaryOperator<SeedAndKeys> change) throws IOException {
    try {
      file.change(passphrases, change, new SecureRandom());
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static SeedAndKeys.Secret secret(Path file) throws IOException {
    OwnerOnly.require(file, "The key file ", "use another key");
    byte[] content;
    try (var in = Files.newInputStream(file)) {
      content = in.readNBytes(MOST_OF_AN_IMPORTED_FILE);
    } catch (IOException e) {
      throw new IOException(
          "The key file %s cannot be read: make it a file that the user of this process may read."
              .formatted(file),
          e);
    }
    var line = new String(content, StandardCharsets.UTF_8).lines().findFirst().orElse("");
    var hex = line.strip();
    try {
      var bytes = HexFormat.of().parseHex(hex.startsWith("0x") ? hex.substring(2) : hex);
      if (bytes.length == SigningKey.BYTES && SigningKey.of(bytes).isPresent()) {
        return new SeedAndKeys.Secret(bytes);
      }
    } catch (IllegalArgumentException e) {
      // Its message would show the text.
    }
    throw new IOException(
        "The first line of %s is no private key of secp256k1: write its 32 bytes as 64 hexadecimal digits."
            .formatted(file));
  }

  private static SeedAndKeys.Secret random() {
    var random = new SecureRandom();
    var bytes = new byte[SigningKey.BYTES];
    do {
      random.nextBytes(bytes);
    } while (SigningKey.of(bytes).isEmpty());
    return new SeedAndKeys.Secret(bytes);
  }
}
