package dev.sequitur.protocol.errand;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.founding.Changing;
import dev.sequitur.protocol.founding.GroupRules;
import dev.sequitur.protocol.group.CommitteeHistory;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.group.Quorum;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.port.Signatures;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a node that has committees changed is made of, in tests: keys, signatures and rules. */
public final class ChangingNode {
  /** Blocks of a range. */
  public static final long RANGE = 10;

  private ChangingNode() {}

  /**
   * @param text name@node
   * @param key another one for each number
   */
  public static Member member(String text, int key) {
    var bytes = new byte[33];
    bytes[0] = 2;
    bytes[32] = (byte) key;
    return new Member(Identity.parse(text), new Verifier(Bytes.of(bytes)));
  }

  public static PrivacyGroup group(Quorum genesis) {
    return group("test", genesis);
  }

  public static PrivacyGroup group(String domain, Quorum genesis) {
    return new PrivacyGroup(
        Contract.GROUP.id(),
        Contract.GROUP.chainId(),
        Contract.ADDRESS,
        domain,
        "group",
        CommitteeHistory.of(genesis),
        Bytes.EMPTY);
  }

  /** Of a node that knows the nodes a, b, c and d. */
  public static Changing rules(NodeName self, Set<Member> held) {
    return rules(self, held, true);
  }

  /** As before. */
  public static Changing rules(NodeName self, Set<Member> held, boolean tellsGenesis) {
    var peers = new HashSet<NodeName>();
    for (var name : new String[] {"a", "b", "c", "d"}) {
      peers.add(new NodeName(name));
    }
    peers.remove(self);
    return new Changing(
        new GroupRules(
            self,
            Map.of("test", domain()),
            () -> peers,
            identity -> identity.name().startsWith("deployer."),
            new HeldKeys(held)),
        RANGE,
        tellsGenesis);
  }

  private static Domain domain() {
    return (Domain)
        Proxy.newProxyInstance(
            Domain.class.getClassLoader(),
            new Class<?>[] {Domain.class},
            (proxy, method, arguments) -> Optional.empty());
  }

  /** Those of some members; it signs with any other name as well. */
  public record HeldKeys(Set<Member> held) implements Keys {
    @Override
    public Verifier verifier(String name) {
      return held.stream()
          .filter(member -> member.identity().name().equals(name))
          .map(Member::verifier)
          .findFirst()
          .orElseGet(() -> member("any@any", name.length()).verifier());
    }

    @Override
    public Standing standing(String name, Verifier key) {
      return held.stream()
              .anyMatch(
                  member -> member.identity().name().equals(name) && member.verifier().equals(key))
          ? Standing.HELD
          : Standing.UNKNOWN;
    }

    @Override
    public Bytes sign(String name, Hash digest) {
      return signature(verifier(name), digest);
    }

    @Override
    public Bytes sign(String name, Verifier key, Hash digest) {
      return signature(key, digest);
    }
  }

  private static Bytes signature(Verifier key, Hash digest) {
    return Bytes.of(
        ByteBuffer.allocate(Signatures.BYTES)
            .put(digest.toByteArray())
            .put(key.publicKey().toByteArray(), 0, 33)
            .array());
  }

  /** A signature tells by which key and of what it is. */
  public static final class ToldSignatures implements Signatures {
    @Override
    public boolean verify(Verifier verifier, Hash digest, Bytes signature) {
      return signature.equals(signature(verifier, digest));
    }

    @Override
    public LedgerAddress address(Verifier verifier) {
      return new LedgerAddress(verifier.publicKey().toHex().substring(0, 42));
    }
  }
}
