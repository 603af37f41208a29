package dev.sequitur.crypto;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.AuthProvider;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.Security;
import java.security.spec.ECGenParameterSpec;
import java.util.Optional;
import javax.crypto.KeyGenerator;

/**
 * What {@link TokenEnvelopeTest} has done in a process of its own, since SoftHSM is told by the
 * environment where its tokens are. Prints what comes of it.
 */
final class TokenProbe {
  private TokenProbe() {}

  /**
   * @param arguments library, slot, and a directory with a file {@code pin} and another {@code
   *     wrong}
   */
  public static void main(String[] arguments) throws Exception {
    var library = Path.of(arguments[0]);
    int slot = Integer.parseInt(arguments[1]);
    var directory = Path.of(arguments[2]);
    makeKey(library, slot, Files.readString(directory.resolve("pin")).strip().toCharArray());
    var token =
        new TokenEnvelope.Token(library, slot, "seeds", Optional.of(directory.resolve("pin")));
    var envelope = directory.resolve("envelope");
    TokenEnvelope.write(envelope, token, question -> Optional.empty());
    var passphrase = Passphrase.read(envelope);
    System.out.println("same " + passphrase.equals(Passphrase.read(envelope)));
    System.out.println("length " + passphrase.utf8().length);
    var keys = directory.resolve("node");
    PassphraseSource source = source(envelope);
    var made = FileKeys.open(keys, source).verifier("alice");
    System.out.println("sealed " + FileKeys.areSealed(keys));
    System.out.println("opened " + FileKeys.open(keys, source).verifier("alice").equals(made));

    var asking = directory.resolve("asking");
    TokenEnvelope.write(
        asking,
        new TokenEnvelope.Token(library, slot, "seeds", Optional.empty()),
        question -> Optional.of(pin(directory, "pin")));
    tell("nobody", () -> Passphrase.read(asking));
    tell("wrong", () -> Passphrase.read(asking, question -> Optional.of(pin(directory, "wrong"))));
    tell(
        "label",
        () ->
            write(directory, "other", new TokenEnvelope.Token(library, slot, "none", token.pin())));
    tell(
        "slot",
        () ->
            write(
                directory,
                "other",
                new TokenEnvelope.Token(library, slot + 1, "seeds", token.pin())));
    tell(
        "library",
        () ->
            write(
                directory,
                "other",
                new TokenEnvelope.Token(directory.resolve("none.so"), slot, "seeds", token.pin())));
    Files.writeString(envelope, Files.readString(envelope).replace("sealed ", "sealed 00"));
    tell("damaged", () -> Passphrase.read(envelope));
    tell("curve", () -> curve(library, slot));
  }

  private static PassphraseSource source(Path envelope) {
    return new PassphraseSource() {
      @Override
      public Optional<Passphrase> given() throws IOException {
        return Optional.of(Passphrase.read(envelope));
      }

      @Override
      public Passphrase toOpen(Path seed) throws IOException {
        return Passphrase.read(envelope);
      }
    };
  }

  private static char[] pin(Path directory, String name) {
    try {
      return Files.readString(directory.resolve(name)).strip().toCharArray();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Object write(Path directory, String name, TokenEnvelope.Token token)
      throws Exception {
    TokenEnvelope.write(directory.resolve(name), token, question -> Optional.empty());
    return name;
  }

  private interface Try {
    Object run() throws Exception;
  }

  private static void tell(String what, Try tried) {
    try {
      var unused = tried.run();
      System.out.println(what + " done");
    } catch (Exception e) {
      System.out.println(what + " " + e.getMessage());
    }
  }

  private static AuthProvider provider(Path library, int slot) {
    return (AuthProvider)
        Security.getProvider("SunPKCS11")
            .configure("--name = probe\nlibrary = \"%s\"\nslot = %d\n".formatted(library, slot));
  }

  private static void makeKey(Path library, int slot, char[] pin) throws Exception {
    var provider = provider(library, slot);
    var store = KeyStore.getInstance("PKCS11", provider);
    store.load(null, pin);
    var generator = KeyGenerator.getInstance("AES", provider);
    generator.init(256);
    store.setKeyEntry("seeds", generator.generateKey(), null, null);
    provider.logout();
  }

  /** Whether a token could sign for identities itself, through this Java. */
  private static Object curve(Path library, int slot) throws Exception {
    var generator = KeyPairGenerator.getInstance("EC", provider(library, slot));
    generator.initialize(new ECGenParameterSpec("secp256k1"));
    return generator.generateKeyPair();
  }
}
