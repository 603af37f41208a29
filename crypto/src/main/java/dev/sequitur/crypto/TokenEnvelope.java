package dev.sequitur.crypto;

import dev.sequitur.protocol.port.Answers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.AuthProvider;
import java.security.GeneralSecurityException;
import java.security.InvalidParameterException;
import java.security.KeyStore;
import java.security.ProviderException;
import java.security.SecureRandom;
import java.security.Security;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.IvParameterSpec;

/**
 * A passphrase of which a file has only what a token (PKCS#11) has encrypted by an AES key that
 * does not leave it. The file says, in lines, which token and which key; it opens where that token
 * is and its PIN is known. Whether it was changed shows when the seed is opened by it.
 *
 * <pre>
 * sequitur envelope 1
 * library /usr/lib/softhsm/libsofthsm2.so
 * slot 0
 * key sequitur
 * pin-file /etc/sequitur/pin
 * sealed HEX
 * </pre>
 */
public final class TokenEnvelope {
  static final String FIRST_LINE = "sequitur envelope 1";

  private static final String SEALED = "sealed";
  private static final String PIN_FILE = "pin-file";
  private static final Set<String> WORDS = Set.of("library", "slot", "key", PIN_FILE, SEALED);
  private static final int BLOCK = 16;
  private static final int PASSPHRASE = 32;
  private static final int MOST_OF_A_PIN_FILE = 256;

  private TokenEnvelope() {}

  /**
   * Which key of which token.
   *
   * @param library by which the token is reached
   * @param slot as the library numbers it
   * @param key its label
   * @param pin the file whose first line is the PIN; empty if who sits at the terminal is asked
   */
  public record Token(Path library, int slot, String key, Optional<Path> pin) {
    public Token {
      for (var text : List.of(library.toString(), key)) {
        if (text.isBlank() || text.contains("\n") || text.contains("\"")) {
          throw new IllegalArgumentException(
              "The library of a token and the label of a key are one line without quotation marks.");
        }
      }
    }
  }

  /**
   * Makes a passphrase at random and writes what opens to it. Waits for the token.
   *
   * @param file that is not there yet
   * @param terminal asks for the PIN, and is answered by nothing if nobody sits there
   * @throws IOException with a sentence that says what to do; then there is no file
   */
  public static void write(Path file, Token token, Function<String, Optional<char[]>> terminal)
      throws IOException {
    var random = new SecureRandom();
    var secret = new byte[PASSPHRASE];
    var iv = new byte[BLOCK];
    random.nextBytes(secret);
    random.nextBytes(iv);
    var sealed = used(token, terminal, Cipher.ENCRYPT_MODE, iv, secret);
    Arrays.fill(secret, (byte) 0);
    var text = new StringBuilder(FIRST_LINE).append('\n');
    text.append("library ").append(token.library()).append('\n');
    text.append("slot ").append(token.slot()).append('\n');
    text.append("key ").append(token.key()).append('\n');
    token.pin().ifPresent(pin -> text.append(PIN_FILE + " ").append(pin).append('\n'));
    text.append(SEALED + " ");
    text.append(HexFormat.of().formatHex(iv)).append(HexFormat.of().formatHex(sealed)).append('\n');
    try {
      Files.createFile(file, OwnerOnly.attributes(file));
      Files.writeString(file, text, StandardOpenOption.SYNC);
    } catch (FileAlreadyExistsException e) {
      throw new IOException("There is a file %s already: name another one.".formatted(file), e);
    } catch (IOException e) {
      throw new IOException("The file %s cannot be written: %s.".formatted(file, e), e);
    }
  }

  /**
   * What the token makes of it. Waits for it.
   *
   * @param text all of a file
   * @throws IOException with a sentence that says what to do
   */
  static Passphrase open(Path file, String text, Function<String, Optional<char[]>> terminal)
      throws IOException {
    Token token;
    byte[] sealed;
    try {
      var lines = read(text);
      token =
          new Token(
              Path.of(named("library", lines)),
              Integer.parseInt(named("slot", lines)),
              named("key", lines),
              Optional.ofNullable(lines.get(PIN_FILE)).map(Path::of));
      sealed = HexFormat.of().parseHex(named(SEALED, lines));
    } catch (IllegalArgumentException e) {
      throw damaged(file);
    }
    if (sealed.length != BLOCK + PASSPHRASE) {
      throw damaged(file);
    }
    var secret =
        used(
            token,
            terminal,
            Cipher.DECRYPT_MODE,
            Arrays.copyOf(sealed, BLOCK),
            Arrays.copyOfRange(sealed, BLOCK, sealed.length));
    try {
      return Passphrase.of(HexFormat.of().formatHex(secret));
    } finally {
      Arrays.fill(secret, (byte) 0);
    }
  }

  private static IOException damaged(Path file) {
    return new IOException(
        "The envelope %s is damaged: restore it from a backup, since without it nobody opens the seed."
            .formatted(file));
  }

  private static String named(String word, Map<String, String> lines) {
    return Optional.ofNullable(lines.get(word))
        .orElseThrow(() -> new IllegalArgumentException("It has no line " + word + "."));
  }

  private static Map<String, String> read(String text) {
    var lines = new HashMap<String, String>();
    text.lines()
        .skip(1)
        .forEach(
            line -> {
              var words = line.split(" ", 2);
              if (words.length != 2
                  || !WORDS.contains(words[0])
                  || lines.put(words[0], words[1]) != null) {
                throw new IllegalArgumentException("It has a line of no use.");
              }
            });
    return lines;
  }

  private static byte[] used(
      Token token, Function<String, Optional<char[]>> terminal, int mode, byte[] iv, byte[] bytes)
      throws IOException {
    var pin = pin(token, terminal);
    try {
      return used(token, pin, mode, iv, bytes);
    } finally {
      Arrays.fill(pin, ' ');
    }
  }

  private static byte[] used(Token token, char[] pin, int mode, byte[] iv, byte[] bytes)
      throws IOException {
    var java = Security.getProvider("SunPKCS11");
    if (java == null) {
      throw new IOException(
          "This Java reaches no tokens: take one that has the module jdk.crypto.cryptoki.");
    }
    try {
      // Its text is its configuration; what has the same name is the same library all the same.
      var provider =
          (AuthProvider)
              java.configure(
                  "--name = sequitur\nlibrary = \"%s\"\nslot = %d\n"
                      .formatted(token.library(), token.slot()));
      var keys = KeyStore.getInstance("PKCS11", provider);
      keys.load(null, pin);
      try {
        if (!(keys.getKey(token.key(), null) instanceof SecretKey key)) {
          throw new IOException(
              "The token in slot %d has no AES key labelled %s: make one, such as by keytool -genseckey."
                  .formatted(token.slot(), token.key()));
        }
        // Every token has this mode, which sees no change; the seed does.
        var cipher = Cipher.getInstance("AES/CBC/NoPadding", provider);
        cipher.init(mode, key, new IvParameterSpec(iv));
        return cipher.doFinal(bytes);
      } finally {
        provider.logout();
      }
    } catch (GeneralSecurityException | ProviderException | InvalidParameterException e) {
      throw unusable(token, e);
    } catch (IOException e) {
      // Of the key store: the PIN. It says so in the cause.
      throw e.getCause() == null ? e : unusable(token, e);
    }
  }

  private static IOException unusable(Token token, Exception why) {
    var root = Answers.root(why);
    return new IOException(
        "The token in slot %d of %s cannot be used (%s): check that it is there, the PIN, and that the library is the token's."
            .formatted(
                token.slot(),
                token.library(),
                Optional.ofNullable(root.getMessage()).orElse(root.getClass().getSimpleName())),
        why);
  }

  private static char[] pin(Token token, Function<String, Optional<char[]>> terminal)
      throws IOException {
    if (token.pin().isEmpty()) {
      return terminal
          .apply("PIN of the token in slot %d: ".formatted(token.slot()))
          .orElseThrow(
              () ->
                  new IOException(
                      "The PIN of the token is not given: name a file that has it, or start at a terminal."));
    }
    var file = token.pin().get();
    OwnerOnly.require(file, "The PIN file ", "change the PIN");
    byte[] content;
    try (var in = Files.newInputStream(file)) {
      content = in.readNBytes(MOST_OF_A_PIN_FILE);
    } catch (IOException e) {
      throw new IOException(
          "The PIN file %s cannot be read: make it a file that the user of this process may read."
              .formatted(file),
          e);
    }
    var decoded = StandardCharsets.UTF_8.decode(ByteBuffer.wrap(content));
    Arrays.fill(content, (byte) 0);
    var all = new char[decoded.remaining()];
    decoded.get(all);
    Arrays.fill(decoded.array(), ' ');
    int end = 0;
    while (end < all.length && all[end] != '\n' && all[end] != '\r') {
      end++;
    }
    var pin = Arrays.copyOf(all, end);
    Arrays.fill(all, ' ');
    return pin;
  }
}
