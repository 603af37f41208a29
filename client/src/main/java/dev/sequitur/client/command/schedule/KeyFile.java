package dev.sequitur.client.command.schedule;

import dev.sequitur.console.WrongOption;
import dev.sequitur.links.tls.BadCertificate;
import dev.sequitur.links.tls.PemFile;
import dev.sequitur.protocol.id.Bytes;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemWriter;

/**
 * A person's key in a file, made as PKCS#8 and read as {@link PemFile} does. The private key never
 * leaves this process.
 */
final class KeyFile {
  private static final String MAKE =
      " Make one with: sequitur schedule key alice.pem --new ed25519";

  private final PersonalKey key;

  private KeyFile(PersonalKey key) {
    this.key = key;
  }

  /**
   * @throws WrongOption with a sentence for the person, if there is no such key in the file
   */
  static KeyFile read(Path file) {
    if (!Files.isRegularFile(file)) {
      throw new WrongOption("There is no key file " + file + "." + MAKE);
    }
    try {
      return PersonalKey.of(new PemFile("key file", file).privateKeyInfo())
          .map(KeyFile::new)
          .orElseThrow(
              () -> new WrongOption("The key in " + file + " is not Ed25519 or secp256k1." + MAKE));
    } catch (BadCertificate e) {
      throw new WrongOption(e.getMessage() + MAKE);
    }
  }

  /**
   * Makes a key and a file of it that only its owner reads.
   *
   * @throws WrongOption if there is such a file already, which is left as it is, or none can be
   *     made
   */
  static KeyFile create(Path file, PersonalKey.Algorithm algorithm) {
    var key = PersonalKey.random(algorithm);
    try {
      write(file, pem(key));
    } catch (FileAlreadyExistsException e) {
      throw new WrongOption(
          file + " is there already, and no key is overwritten: name another file.");
    } catch (IOException e) {
      throw new WrongOption(
          "The key file "
              + file
              + " cannot be made: name one in a directory that you may write, on a disk with room.");
    }
    return new KeyFile(key);
  }

  private static String pem(PersonalKey key) throws IOException {
    var text = new StringWriter();
    try (var writer = new PemWriter(text)) {
      writer.writeObject(new PemObject("PRIVATE KEY", key.encoded()));
    }
    return text.toString();
  }

  private static void write(Path file, String pem) throws IOException {
    try (var channel =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            ownerOnly(file))) {
      try {
        fill(channel, pem);
      } catch (IOException e) {
        Files.deleteIfExists(file); // half a key would be in the way of the next attempt
        throw e;
      }
    }
  }

  private static void fill(FileChannel channel, String pem) throws IOException {
    var content = ByteBuffer.wrap(pem.getBytes(StandardCharsets.US_ASCII));
    while (content.hasRemaining()) {
      channel.write(content);
    }
    channel.force(true);
  }

  private static FileAttribute<?>[] ownerOnly(Path file) {
    boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
    return posix
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }

  /** As the nodes write keys: {@code ed25519:} or {@code secp256k1:} and hexadecimal digits. */
  String publicKey() {
    return key.publicKey();
  }

  /** Hexadecimal digits, over bytes in hexadecimal digits. */
  String sign(String hex) {
    return key.sign(Bytes.hex(hex)).toHex();
  }
}
