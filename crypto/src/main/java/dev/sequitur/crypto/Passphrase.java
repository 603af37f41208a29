package dev.sequitur.crypto;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;

/**
 * By what a key seed is encrypted. Of a text it is the NFC form in UTF-8, so that the keyboard it
 * was typed on does not matter. Its text is shown nowhere.
 */
public final class Passphrase {
  private static final int LEAST = 12;
  private static final int MOST_BYTES = 4_096;

  private final byte[] utf8;

  private Passphrase(byte[] utf8) {
    this.utf8 = utf8;
  }

  /**
   * @throws IllegalArgumentException with a sentence, if it is too short or too long
   */
  public static Passphrase of(CharSequence text) {
    var normal = Normalizer.normalize(text, Normalizer.Form.NFC);
    if (normal.codePointCount(0, normal.length()) < LEAST) {
      throw new IllegalArgumentException(
          "A passphrase of a key seed has at least " + LEAST + " characters.");
    }
    var utf8 = normal.getBytes(StandardCharsets.UTF_8);
    if (utf8.length > MOST_BYTES) {
      throw new IllegalArgumentException(
          "A passphrase of a key seed has at most " + MOST_BYTES + " bytes.");
    }
    return new Passphrase(utf8);
  }

  /** As {@link #read(Path, Function)}, where nobody sits at a terminal. */
  public static Passphrase read(Path file) throws IOException {
    return read(file, question -> Optional.empty());
  }

  /**
   * The first line of a file, or what a token makes of it if it is {@linkplain TokenEnvelope an
   * envelope}. Blocks on the disk, and on the token.
   *
   * @param terminal asks for the token's PIN, if it is in no file
   * @throws IOException with a sentence that says what to do, if it cannot be read, is open to
   *     other users, or has no passphrase
   */
  public static Passphrase read(Path file, Function<String, Optional<char[]>> terminal)
      throws IOException {
    OwnerOnly.require(file, "The passphrase file ", "change the passphrase");
    byte[] content;
    try (var in = Files.newInputStream(file)) {
      content = in.readNBytes(MOST_BYTES + 3);
    } catch (IOException e) {
      throw new IOException(
          "The passphrase file "
              + file
              + " cannot be read: make it a file that the user of this process may read.",
          e);
    }
    try {
      var text = new String(content, StandardCharsets.UTF_8);
      var line = firstLine(text);
      return line.equals(TokenEnvelope.FIRST_LINE)
          ? TokenEnvelope.open(file, text, terminal)
          : of(line);
    } catch (IllegalArgumentException e) {
      throw new IOException("The first line of " + file + " is no passphrase: " + e.getMessage());
    } finally {
      Arrays.fill(content, (byte) 0);
    }
  }

  private static String firstLine(String text) {
    return text.lines().findFirst().orElse("");
  }

  byte[] utf8() {
    return utf8.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Passphrase that && MessageDigest.isEqual(utf8, that.utf8);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(utf8);
  }

  @Override
  public String toString() {
    return "(hidden)";
  }
}
