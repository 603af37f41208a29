package dev.sequitur.protocol.group;

import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The candidates for coordinator of one contract, agreed by all since it stands on the base ledger
 * (SEL-6).
 *
 * @param members at least one, no identity twice
 */
public record Committee(List<Member> members) {
  public Committee {
    members = List.copyOf(members);
    if (members.isEmpty()) {
      throw new IllegalArgumentException("A committee has at least one member.");
    }
    var seen = new HashSet<Identity>();
    for (var member : members) {
      if (!seen.add(member.identity())) {
        throw new IllegalArgumentException(
            "Each member stands once in a committee: " + member.identity());
      }
    }
  }

  /** The nodes with at least one member, in order of name. */
  public Set<NodeName> nodes() {
    var nodes = new TreeSet<NodeName>();
    members.forEach(member -> nodes.add(member.identity().node()));
    return nodes;
  }

  public boolean hasMemberOn(NodeName node) {
    for (var member : members) {
      if (member.identity().node().equals(node)) {
        return true;
      }
    }
    return false;
  }

  public Optional<Member> member(Identity identity) {
    for (var member : members) {
      if (member.identity().equals(identity)) {
        return Optional.of(member);
      }
    }
    return Optional.empty();
  }

  /**
   * Two of its members that have one key, if there are any: a signature would not tell which of
   * them has signed, nor the address of the key whose coin it is.
   */
  public Optional<List<Identity>> withOneKey() {
    var holders = new HashMap<Verifier, Identity>();
    for (var member : members) {
      var other = holders.putIfAbsent(member.verifier(), member.identity());
      if (other != null) {
        return Optional.of(List.of(other, member.identity()));
      }
    }
    return Optional.empty();
  }

  /**
   * @throws IllegalArgumentException if it cannot be that so many members must endorse
   */
  public void requireThreshold(int threshold) {
    if (threshold < 1 || threshold > members.size()) {
      throw new IllegalArgumentException(
          "Between 1 and " + members.size() + " members must endorse, not " + threshold + ".");
    }
  }

  /**
   * @throws IllegalArgumentException if it cannot be that so many members must sign for a change
   */
  public void requireChangeThreshold(int threshold) {
    if (threshold < 1 || threshold > members.size()) {
      throw new IllegalArgumentException(
          "Between 1 and %d members must sign for a change of their committee, not %d."
              .formatted(members.size(), threshold));
    }
  }

  /** Those of them who are members, each with the key that the base ledger knows. */
  public List<Member> among(Set<Member> others) {
    return members.stream().filter(others::contains).toList();
  }

  public List<Identity> identities() {
    return members.stream().map(Member::identity).toList();
  }

  /** Whether these are its {@link #identities}, in its order. */
  public boolean consistsOf(List<Identity> parties) {
    if (parties.size() != members.size()) {
      return false;
    }
    for (int i = 0; i < members.size(); i++) {
      if (!members.get(i).identity().equals(parties.get(i))) {
        return false;
      }
    }
    return true;
  }
}
