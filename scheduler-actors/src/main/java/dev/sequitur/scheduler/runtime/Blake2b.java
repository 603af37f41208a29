package dev.sequitur.scheduler.runtime;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import org.bouncycastle.crypto.digests.Blake2bDigest;

/** BLAKE2b with 256 bits, by which recurring tasks have their ids (DECISIONS D8). */
public final class Blake2b {
  private static final int BITS = 256;

  private Blake2b() {}

  public static Hash hash256(Bytes content) {
    var digest = new Blake2bDigest(BITS);
    var bytes = content.toByteArray();
    digest.update(bytes, 0, bytes.length);
    var hash = new byte[BITS / Byte.SIZE];
    digest.doFinal(hash, 0);
    return Hash.of(hash);
  }
}
