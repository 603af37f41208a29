package dev.sequitur.simulation;

import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.port.Signatures;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;

/** Keys whose signature is a hash of key and digest: cheap, and a wrong one is still found. */
final class SimulatedKeys implements Keys {
  static final Signatures SIGNATURES = new Checking();

  private final NodeName node;
  private final Map<String, Verifier> verifiers = new HashMap<>();

  /** What else their operator has given names, beside the keys that they have at first. */
  private final Map<String, Set<Verifier>> more = new HashMap<>();

  SimulatedKeys(NodeName node) {
    this.node = node;
  }

  @Override
  public Verifier verifier(String name) {
    return verifiers.computeIfAbsent(name, this::derive);
  }

  /**
   * Gives a name another key, for the groups that know it; others know its first one still.
   *
   * @param number of the key; the first one has none
   */
  Verifier give(String name, int number) {
    var key = derive(name + " " + number);
    more.computeIfAbsent(name, any -> new HashSet<>()).add(key);
    return key;
  }

  @Override
  public Standing standing(String name, Verifier key) {
    return verifier(name).equals(key) || more.getOrDefault(name, Set.of()).contains(key)
        ? Standing.HELD
        : Standing.UNKNOWN;
  }

  private Verifier derive(String name) {
    byte[] key = new byte[33];
    key[0] = 2;
    byte[] hash = new CanonicalDigest().add(node.value()).add(name).finish().toByteArray();
    System.arraycopy(hash, 0, key, 1, hash.length);
    return new Verifier(Bytes.of(key));
  }

  @Override
  public Bytes sign(String name, Hash digest) {
    return signature(verifier(name), digest);
  }

  @Override
  public Bytes sign(String name, Verifier key, Hash digest) {
    if (standing(name, key) != Standing.HELD) {
      throw new IllegalStateException("The key is none of " + name + ".");
    }
    return signature(key, digest);
  }

  private static Bytes signature(Verifier verifier, Hash digest) {
    byte[] half =
        new CanonicalDigest().add(verifier.publicKey()).add(digest).finish().toByteArray();
    byte[] value = new byte[Signatures.BYTES];
    System.arraycopy(half, 0, value, 0, 32);
    return Bytes.of(value);
  }

  /** Recomputes what the key would have signed. */
  private static final class Checking implements Signatures {
    @Override
    public boolean verify(Verifier verifier, Hash digest, Bytes signature) {
      return signature(verifier, digest).equals(signature);
    }

    @Override
    public LedgerAddress address(Verifier verifier) {
      byte[] key = verifier.publicKey().toByteArray();
      return new LedgerAddress("0x" + HexFormat.of().formatHex(key, 13, 33));
    }
  }
}
