package dev.sequitur.sequencer.crypto;

import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.ledger.LedgerAddress;
import dev.sequitur.protocol.port.Signatures;
import fr.acinq.secp256k1.Secp256k1;
import fr.acinq.secp256k1.Secp256k1Exception;
import java.util.Arrays;
import java.util.HexFormat;
import org.bouncycastle.crypto.digests.KeccakDigest;

/**
 * {@link Signatures} by the native library. A signature with a high s is wrong: otherwise anyone
 * could turn one valid signature into another.
 */
public final class Secp256k1Signatures implements Signatures {
  private static final int SIGNATURE_BYTES = 64;
  private static final int ADDRESS_BYTES = 20;

  private final Secp256k1 library = Secp256k1.get();

  /** Never throws: what is no signature or no key on the curve verifies nothing. */
  @Override
  public boolean verify(Verifier verifier, Hash digest, Bytes signature) {
    // The library also reads other encodings of signatures; two encodings would be two signatures.
    if (signature.size() != SIGNATURE_BYTES) {
      return false;
    }
    try {
      return library.verify(
          signature.toByteArray(), digest.toByteArray(), verifier.publicKey().toByteArray());
    } catch (Secp256k1Exception e) {
      return false;
    }
  }

  /**
   * @throws IllegalArgumentException if the verifier is no point of the curve
   */
  @Override
  public LedgerAddress address(Verifier verifier) {
    byte[] uncompressed;
    try {
      uncompressed = library.pubkeyParse(verifier.publicKey().toByteArray());
    } catch (Secp256k1Exception e) {
      throw new IllegalArgumentException(
          "The verifier " + verifier + " is no secp256k1 public key.", e);
    }
    var keccak = new KeccakDigest(256);
    keccak.update(uncompressed, 1, uncompressed.length - 1);
    var hash = new byte[keccak.getDigestSize()];
    keccak.doFinal(hash, 0);
    var address = Arrays.copyOfRange(hash, hash.length - ADDRESS_BYTES, hash.length);
    return new LedgerAddress("0x" + HexFormat.of().formatHex(address));
  }
}
