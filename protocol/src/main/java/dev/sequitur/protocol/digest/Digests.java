package dev.sequitur.protocol.digest;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import org.bouncycastle.crypto.Digest;
import org.bouncycastle.crypto.digests.Blake2bDigest;
import org.bouncycastle.crypto.digests.KeccakDigest;

/** The hashes that the specifications ask for and the JDK has not. */
public final class Digests {
  private static final int BITS = 256;

  private Digests() {}

  /** Keccak-256 as Ethereum has it, which is not SHA3-256: it pads otherwise. */
  public static Hash keccak256(Bytes content) {
    return keccak256(content.toByteArray());
  }

  /** The same of bytes that are hashed and then not needed any more. */
  public static Hash keccak256(byte[] content) {
    return hash(new KeccakDigest(BITS), content);
  }

  /** BLAKE2b with 32 bytes of output, without a key. */
  public static Hash blake2b256(Bytes content) {
    return hash(new Blake2bDigest(BITS), content.toByteArray());
  }

  private static Hash hash(Digest digest, byte[] content) {
    var hash = new byte[digest.getDigestSize()];
    digest.update(content, 0, content.length);
    digest.doFinal(hash, 0);
    return Hash.of(hash);
  }
}
