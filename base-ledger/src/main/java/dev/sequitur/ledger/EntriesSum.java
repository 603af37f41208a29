package dev.sequitur.ledger;

import dev.sequitur.encoding.Codec;
import dev.sequitur.persistence.map.Key;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.Hash;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Optional;

/**
 * A digest of a set of entries that follows each change in the same time, however many entries
 * there are. Each entry is spread by SHA-256 over 1,024 numbers of 16 bits; the sum of all, number
 * by number, is that of the set. This is LtHash: two sets with one sum would solve a problem of
 * lattices that is believed to be as hard as 200 bits. (A plain sum of 32 bytes could be forged in
 * seconds.) An entry that is added twice is not the same as one that is added once. Confined to one
 * thread at a time.
 */
final class EntriesSum {
  static final int BYTES = 2_048;

  static final Codec<EntriesSum> CODEC =
      Codec.of((to, sum) -> to.bytes(sum.toByteArray()), from -> new EntriesSum(from.bytes(BYTES)));

  private static final int HASH = 32;

  private final short[] lanes = new short[BYTES / Short.BYTES];

  /** Of no entries. */
  EntriesSum() {}

  private EntriesSum(byte[] stored) {
    ByteBuffer.wrap(stored).asShortBuffer().get(lanes);
  }

  void add(Key key, byte[] value) {
    var entry = spread(key, value);
    for (int lane = 0; lane < lanes.length; lane++) {
      lanes[lane] += entry[lane];
    }
  }

  void remove(Key key, byte[] value) {
    var entry = spread(key, value);
    for (int lane = 0; lane < lanes.length; lane++) {
      lanes[lane] -= entry[lane];
    }
  }

  /** An entry gets another value, or comes, or goes. */
  void replace(Key key, Optional<byte[]> before, Optional<byte[]> after) {
    before.ifPresent(value -> remove(key, value));
    after.ifPresent(value -> add(key, value));
  }

  /** Those of another sum, too. */
  void addAll(EntriesSum other) {
    for (int lane = 0; lane < lanes.length; lane++) {
      lanes[lane] += other.lanes[lane];
    }
  }

  boolean isEmpty() {
    for (short lane : lanes) {
      if (lane != 0) {
        return false;
      }
    }
    return true;
  }

  Hash digest() {
    return Hash.sha256(toByteArray());
  }

  private byte[] toByteArray() {
    var bytes = ByteBuffer.allocate(BYTES);
    bytes.asShortBuffer().put(lanes);
    return bytes.array();
  }

  private static short[] spread(Key key, byte[] value) {
    var seed = new CanonicalDigest().add(key.unsafeBytes()).add(value).finish();
    var numbered = ByteBuffer.allocate(HASH + 1);
    seed.writeTo(numbered);
    var spread = ByteBuffer.allocate(BYTES);
    MessageDigest digest = Hash.newDigest("SHA-256");
    for (int part = 0; part < BYTES / HASH; part++) {
      numbered.put(HASH, (byte) part);
      spread.put(digest.digest(numbered.array()));
    }
    var entry = new short[BYTES / Short.BYTES];
    spread.flip().asShortBuffer().get(entry);
    return entry;
  }
}
