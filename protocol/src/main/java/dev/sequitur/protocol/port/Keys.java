package dev.sequitur.protocol.port;

import dev.sequitur.protocol.digest.Digests;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.ledger.Signer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * The node's own keys, found by name and made on first use: the same name is the same key, on every
 * JVM of the node and across restarts. A name has one key, unless its operator gave it others
 * (decision 0259). Private keys never leave it. Thread-safe.
 */
public interface Keys {
  /** What a node may do with a key under a name. */
  enum Standing {
    /** Sign. */
    HELD,
    /** Nothing any more: its operator has taken it back. */
    REVOKED,
    /** Nothing: it is none of this name. */
    UNKNOWN
  }

  /**
   * The verifier of the newest key called {@code name}: the part of an identity before {@code @}.
   * It is told also if the key is revoked.
   */
  Verifier verifier(String name);

  /**
   * The verifier of the oldest key called {@code name}. An account of a base ledger is its key, so
   * what a name sends to it is signed by that one for good.
   */
  default Verifier account(String name) {
    return verifier(name);
  }

  /** Whether this node may sign with a key under that name. */
  default Standing standing(String name, Verifier key) {
    return verifier(name).equals(key) ? Standing.HELD : Standing.UNKNOWN;
  }

  /**
   * Whether this process has the keys of that name, and so signs with them at once. Of others only
   * {@link #signed} gets a signature.
   */
  default boolean areHere(String name) {
    return true;
  }

  /**
   * Signs a 32-byte digest with the newest key called {@code name}, deterministically: r, s and v,
   * 65 bytes. s is low, and v is 27, or 28 if the point of r has an odd y: so a contract of an EVM
   * finds the key.
   *
   * @throws RevokedKeyException if that key is revoked
   * @throws IllegalStateException if it is not here
   */
  Bytes sign(String name, Hash digest);

  /**
   * The same with one of the keys that {@link #standing} tells of.
   *
   * @throws RevokedKeyException if that key is revoked
   * @throws IllegalStateException if it is not here
   */
  default Bytes sign(String name, Verifier key, Hash digest) {
    return sign(name, digest);
  }

  /**
   * Signs the Keccak-256 hash of a message: whoever holds the key may want to see what it signs.
   *
   * @return done already if the key is here; fails with a sentence, if who holds it does not sign
   * @throws RevokedKeyException if that key is revoked
   */
  default CompletionStage<Bytes> signed(String name, Verifier key, Bytes message) {
    return CompletableFuture.completedFuture(sign(name, key, Digests.keccak256(message)));
  }

  /**
   * What only this node can make of a digest, always the same of one name, and shown to nobody. It
   * follows from the node's seed, whatever other keys a name got.
   */
  default Bytes secret(String name, Hash digest) {
    return sign(name, digest);
  }

  /** What tells one seed from another. It is the same whatever other keys a name got. */
  default Verifier origin() {
    return verifier("node");
  }

  /** Where a key is. */
  enum Place {
    /** In the file of the seed, beside it. */
    FILE,
    /** With a signer of its own process. */
    SIGNER
  }

  /** A key that does not follow from the seed. */
  record Placed(Place place, String name, Verifier key) {
    @Override
    public String toString() {
      return "%s %s (%s)"
          .formatted(
              name,
              key,
              switch (place) {
                case FILE -> "in the file of the seed";
                case SIGNER -> "at the signer";
              });
    }
  }

  /** All that sign and do not follow from the seed: who has the seed alone lacks them. */
  default List<Placed> besideSeed() {
    return List.of();
  }

  /** Sentences on what their operator should look at. */
  default List<String> remarks() {
    return List.of();
  }

  /** The account called {@code name}, for the base ledger. */
  default Signer signer(String name) {
    var key = account(name);
    return new Signer(
        key,
        digest -> sign(name, key, digest),
        areHere(name)
            ? Optional.<Function<Bytes, Bytes>>empty()
            : Optional.of(message -> waitedFor(signed(name, key, message))));
  }

  private static Bytes waitedFor(CompletionStage<Bytes> signature) {
    try {
      return signature.toCompletableFuture().join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException why ? why : e;
    }
  }

  /** Its operator has taken a key back. */
  final class RevokedKeyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public RevokedKeyException(String name) {
      super("The key of %s is revoked on this node, which signs nothing with it.".formatted(name));
    }
  }
}
