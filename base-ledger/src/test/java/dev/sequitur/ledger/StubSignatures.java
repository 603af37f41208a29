package dev.sequitur.ledger;

import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.port.Signatures;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;

/** Signatures that anybody can make: a hash over key and digest, twice. Counts what it verifies. */
public final class StubSignatures implements Signatures {
  private final AtomicLong verified = new AtomicLong();

  public static Bytes sign(Verifier verifier, Hash digest) {
    var hash = new CanonicalDigest().add(verifier.publicKey()).add(digest).finish().toByteArray();
    return Bytes.of(ByteBuffer.allocate(BYTES).put(hash).put(hash).array());
  }

  @Override
  public boolean verify(Verifier verifier, Hash digest, Bytes signature) {
    verified.incrementAndGet();
    return sign(verifier, digest).equals(signature);
  }

  @Override
  public LedgerAddress address(Verifier verifier) {
    var hash = Hash.sha256(verifier.publicKey().toByteArray()).toByteArray();
    return new LedgerAddress("0x" + HexFormat.of().formatHex(hash, 12, 32));
  }

  public long verified() {
    return verified.get();
  }
}
