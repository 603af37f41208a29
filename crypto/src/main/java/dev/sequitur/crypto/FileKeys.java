package dev.sequitur.crypto;

import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Utf8;
import dev.sequitur.protocol.limited.LimitedMap;
import dev.sequitur.protocol.port.Keys;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.generators.HKDFBytesGenerator;
import org.bouncycastle.crypto.params.HKDFParameters;

/**
 * {@link Keys} of one file in the node's directory: to back up the file is to back up every key,
 * and JVMs that share it share the keys. Most are derived from its seed; a name that was given
 * others has those ({@link NodeKeyFile}).
 *
 * <p>The private key called <i>name</i> is HKDF-SHA256 (RFC 5869) of the seed with salt {@code
 * sequitur keys} and info <i>attempt</i> (one byte, 0, 1, …) followed by the name in UTF-8; the
 * first attempt that is a valid private key counts. This never changes: it would change every key.
 * The keys are those that the file had when it was opened.
 */
public final class FileKeys implements Keys {
  private static final byte[] SALT = "sequitur keys".getBytes(StandardCharsets.UTF_8);
  private static final byte[] SECRETS = "sequitur secrets".getBytes(StandardCharsets.UTF_8);
  private static final int MAX_NAME_BYTES = 512;

  /** Any name: its key tells the seed. */
  private static final String ORIGIN = "node";

  /** Keys beyond it are derived anew, which takes tens of microseconds. */
  static final int CACHED_KEYS = 1024;

  private final byte[] seed;
  private final Map<String, SigningKey> cache = LimitedMap.ofLastUsed(CACHED_KEYS);

  /** Of names whose keys do not all follow from the seed: the oldest first. */
  private final Map<String, List<Own>> own = new TreeMap<>();

  private record Own(SigningKey key, boolean revoked) {}

  FileKeys(SeedAndKeys ring) {
    this.seed = ring.seed();
    ring.entries()
        .forEach(
            (name, keys) ->
                own.put(
                    name,
                    keys.stream().map(key -> new Own(key(name, key), key.revoked())).toList()));
  }

  /** Whether {@code directory} has a seed already, which {@link #open} would use. */
  public static boolean exist(Path directory) {
    return Files.exists(directory.resolve(SeedFile.NAME));
  }

  /**
   * Opens the keys of the node that lives in {@code directory}; makes directory and seed on first
   * use. Blocks on the disk.
   *
   * @throws IOException with a sentence that says what to do, if the seed cannot be made or read,
   *     is damaged, or is open to other users
   */
  public static FileKeys open(Path directory) throws IOException {
    return open(directory, PassphraseSource.NONE);
  }

  /**
   * The same of a seed that may be encrypted. One that is made is, if a passphrase is given.
   *
   * @throws IOException as above, and if the seed does not open, or is not encrypted though a
   *     passphrase is given for it
   */
  public static FileKeys open(Path directory, PassphraseSource passphrases) throws IOException {
    return new FileKeys(new SeedFile(directory).readOrCreate(passphrases, new SecureRandom()));
  }

  /**
   * Whether the seed of {@code directory} is encrypted.
   *
   * @throws IOException with a sentence that says what to do, if there is none or it is damaged
   */
  public static boolean areSealed(Path directory) throws IOException {
    return new SeedFile(directory).isSealed();
  }

  static SigningKey signing(SeedAndKeys.Secret secret) {
    return SigningKey.of(secret.bytes())
        .orElseThrow(() -> new IllegalArgumentException("It has a key that is none."));
  }

  SigningKey key(String name, SeedAndKeys.Entry entry) {
    return entry.secret().map(FileKeys::signing).orElseGet(() -> key(name));
  }

  /**
   * @throws IllegalArgumentException if the name is empty or longer than 512 bytes
   */
  @Override
  public Verifier verifier(String name) {
    return keys(name).getLast().key().verifier();
  }

  @Override
  public Verifier account(String name) {
    return keys(name).getFirst().key().verifier();
  }

  @Override
  public Standing standing(String name, Verifier key) {
    return keys(name).stream()
        .filter(own -> own.key().verifier().equals(key))
        .findFirst()
        .map(own -> own.revoked() ? Standing.REVOKED : Standing.HELD)
        .orElse(Standing.UNKNOWN);
  }

  @Override
  public Verifier origin() {
    return key(ORIGIN).verifier();
  }

  @Override
  public List<Placed> besideSeed() {
    return own.entrySet().stream()
        .flatMap(
            keys ->
                keys.getValue().stream()
                    .filter(key -> !key.revoked())
                    .map(key -> key.key().verifier())
                    .filter(key -> !key.equals(key(keys.getKey()).verifier()))
                    .map(key -> new Placed(Place.FILE, keys.getKey(), key)))
        .toList();
  }

  private List<Own> keys(String name) {
    var keys = own.get(name);
    return keys == null ? List.of(new Own(key(name), false)) : keys;
  }

  /**
   * The nonce is that of RFC 6979, so that the same key and digest give the same signature.
   *
   * @throws IllegalArgumentException if the name is empty or longer than 512 bytes
   */
  @Override
  public Bytes sign(String name, Hash digest) {
    return sign(name, keys(name).getLast(), digest);
  }

  @Override
  public Bytes sign(String name, Verifier key, Hash digest) {
    return keys(name).stream()
        .filter(own -> own.key().verifier().equals(key))
        .findFirst()
        .map(own -> sign(name, own, digest))
        .orElseThrow(
            () -> new IllegalStateException("The key " + key + " is none of " + name + "."));
  }

  private static Bytes sign(String name, Own own, Hash digest) {
    if (own.revoked()) {
      throw new RevokedKeyException(name);
    }
    return own.key().sign(digest);
  }

  /** A signature of the key that follows from the seed, which is always the same. */
  @Override
  public Bytes secret(String name, Hash digest) {
    return key(name).sign(digest);
  }

  /**
   * 32 bytes for what is no signature, such as an HMAC: always the same of one name. HKDF-SHA256 of
   * the seed with salt {@code sequitur secrets} and the name in UTF-8 as info, so that they say
   * nothing of a key. This never changes either.
   */
  public byte[] secret(String name) {
    return expand(SECRETS, Utf8.encode(name));
  }

  /**
   * 32 bytes of each key that a name has and that is not revoked, the oldest first, for what is no
   * signature, such as encryption. HKDF-SHA256 of the private key with salt {@code sequitur
   * secrets} and the name in UTF-8 as info; this never changes either.
   */
  public List<byte[]> secrets(String name) {
    return keys(name).stream()
        .filter(own -> !own.revoked())
        .map(own -> own.key().derived(SECRETS, Utf8.encode(name)))
        .toList();
  }

  private SigningKey key(String name) {
    synchronized (cache) {
      var known = cache.get(name);
      if (known != null) {
        return known;
      }
    }
    var derived = derive(name);
    synchronized (cache) {
      cache.put(name, derived);
    }
    return derived;
  }

  int cachedKeys() {
    synchronized (cache) {
      return cache.size();
    }
  }

  private SigningKey derive(String name) {
    var utf8 = Utf8.encode(name);
    if (utf8.length == 0 || utf8.length > MAX_NAME_BYTES) {
      throw new IllegalArgumentException(
          "The name of a key has 1 to " + MAX_NAME_BYTES + " bytes, not " + utf8.length + ".");
    }
    for (int attempt = 0; attempt <= 0xff; attempt++) {
      var key = SigningKey.of(expand(attempt, utf8));
      if (key.isPresent()) {
        return key.get();
      }
    }
    throw new IllegalStateException("None of 256 derivations is a valid private key.");
  }

  private byte[] expand(int attempt, byte[] name) {
    var info = new byte[name.length + 1];
    info[0] = (byte) attempt;
    System.arraycopy(name, 0, info, 1, name.length);
    return expand(SALT, info);
  }

  private byte[] expand(byte[] salt, byte[] info) {
    var generator = new HKDFBytesGenerator(new SHA256Digest());
    generator.init(new HKDFParameters(seed, salt, info));
    var key = new byte[SigningKey.BYTES];
    generator.generateBytes(key, 0, key.length);
    return key;
  }
}
