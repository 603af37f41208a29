package dev.sequitur.node.command.schedule;

import dev.sequitur.node.process.WrongOption;
import dev.sequitur.protocol.id.Bytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import org.bouncycastle.crypto.params.Ed25519PrivateKeyParameters;
import org.bouncycastle.crypto.signers.Ed25519Signer;
import org.bouncycastle.crypto.util.PrivateKeyFactory;

/**
 * A person's Ed25519 key: PKCS#8 in PEM, as OpenSSL writes it. The private key never leaves this
 * process.
 */
final class KeyFile {
  private static final String BEGIN = "-----BEGIN PRIVATE KEY-----";
  private static final String MAKE =
      " Make one with: openssl genpkey -algorithm ed25519 -out alice.pem";
  private static final int MOST_BYTES = 10_000;

  private final Ed25519PrivateKeyParameters key;

  private KeyFile(Ed25519PrivateKeyParameters key) {
    this.key = key;
  }

  /**
   * @throws WrongOption with a sentence for the person, if there is no such key in the file
   */
  static KeyFile read(Path file) {
    if (!Files.isRegularFile(file)) {
      throw new WrongOption("There is no key file " + file + "." + MAKE);
    }
    byte[] encoded = {};
    try {
      encoded = content(file);
      if (PrivateKeyFactory.createKey(encoded) instanceof Ed25519PrivateKeyParameters key) {
        return new KeyFile(key);
      }
      throw new WrongOption("The key in " + file + " is not Ed25519." + MAKE);
    } catch (IOException | IllegalArgumentException e) {
      throw new WrongOption(
          "The key file " + file + " has no private key as PKCS#8 in PEM, unencrypted." + MAKE);
    } finally {
      Arrays.fill(encoded, (byte) 0);
    }
  }

  private static byte[] content(Path file) throws IOException {
    if (Files.size(file) > MOST_BYTES) {
      throw new IOException("Too long for a key.");
    }
    var lines = Files.readAllLines(file);
    int begin = lines.indexOf(BEGIN);
    if (begin < 0) {
      throw new IOException("No private key.");
    }
    var base64 =
        lines.stream().skip(begin + 1L).takeWhile(line -> !line.startsWith("-----")).toList();
    return Base64.getMimeDecoder().decode(String.join("", base64));
  }

  /** As the nodes write keys: {@code ed25519:} and hexadecimal digits. */
  String publicKey() {
    return "ed25519:" + digits(key.generatePublicKey().getEncoded());
  }

  /** Hexadecimal digits, over bytes in hexadecimal digits. */
  String sign(String hex) {
    var content = Bytes.hex(hex).toByteArray();
    var signer = new Ed25519Signer();
    signer.init(true, key);
    signer.update(content, 0, content.length);
    return Bytes.of(signer.generateSignature()).toHex();
  }

  private static String digits(byte[] bytes) {
    var hex = Bytes.of(bytes).toHex();
    return hex.startsWith("0x") ? hex.substring(2) : hex;
  }
}
