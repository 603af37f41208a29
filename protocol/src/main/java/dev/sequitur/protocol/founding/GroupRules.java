package dev.sequitur.protocol.founding;

import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.group.GroupRequest;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.port.PrivateTransactions.RefusedIntent;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Which groups a node takes from a caller. Each refusal is said here and nowhere else.
 *
 * @param peers the other nodes that this one knows
 * @param taken whether an identity is called like a key of the node's own
 * @param keys of this node's identities
 */
public record GroupRules(
    NodeName self,
    Map<String, Domain> domains,
    Supplier<Set<NodeName>> peers,
    Predicate<Identity> taken,
    Keys keys) {
  /** The code of what cannot be used. */
  public static final String UNUSABLE = "SQ020010";

  /** What is asked for once more has the same id, if it was asked for by the same transaction. */
  public static GroupId idOf(GroupRequest request, TransactionId genesis) {
    var digest = new CanonicalDigest().add(request.domain()).add(request.name());
    request.members().forEach(member -> digest.add(member.toString()));
    return new GroupId(digest.add(request.configuration()).add(genesis.toString()).finish());
  }

  /** Why no such group can be made, as far as this node can tell. */
  public Optional<RefusedIntent> refusal(GroupRequest request) {
    return problem(request).map(problem -> new RefusedIntent(UNUSABLE, problem));
  }

  Optional<String> problem(GroupRequest request) {
    var domain = domains.get(request.domain());
    if (domain == null) {
      return Optional.of(
          "There is no domain '"
              + request.domain()
              + "': choose one of "
              + new TreeSet<>(domains.keySet())
              + ".");
    }
    if (request.members().isEmpty()
        || new HashSet<>(request.members()).size() != request.members().size()) {
      return Optional.of("A group has at least one member, and each only once.");
    }
    if (request.members().stream().noneMatch(member -> member.node().equals(self))) {
      return Optional.of(
          "Ask a node that is in the group: none of its members is on " + self + ".");
    }
    var like = request.members().stream().filter(taken).findFirst();
    if (like.isPresent()) {
      return Optional.of(
          "Member "
              + like.get()
              + " is called like a key of its node's own: choose a name that starts with none of"
              + " 'submitter.', 'deployer.', 'funding.', 'salts.' and 'storage.'.");
    }
    var without = request.members().stream().filter(this::signsNothing).findFirst();
    if (without.isPresent()) {
      return Optional.of(
          "The key of member %s is revoked on its node, which would sign nothing in the group: give it another by `sequitur keys rotate`, and start the node again."
              .formatted(without.get()));
    }
    var known = new HashSet<>(peers.get());
    known.add(self);
    for (var member : request.members()) {
      if (!known.contains(member.node())) {
        return Optional.of(
            "Member "
                + member
                + " is on a node that this one does not know: its peers are "
                + known
                + ".");
      }
    }
    return refused(request.domain(), domain, request.configuration());
  }

  /** Whether it is one of this node's, and its newest key is revoked. */
  boolean signsNothing(Identity identity) {
    return identity.node().equals(self)
        && keys.standing(identity.name(), ownKey(identity)) == Keys.Standing.REVOKED;
  }

  /** With what an identity of this node's is named in a new group. */
  Verifier ownKey(Identity identity) {
    return keys.verifier(identity.name());
  }

  /**
   * What this node may do with a member's key: anything, as far as it is concerned, if the member
   * is another node's.
   */
  private Keys.Standing standing(Identity identity, Verifier key) {
    return identity.node().equals(self) ? keys.standing(identity.name(), key) : Keys.Standing.HELD;
  }

  /** Why a group that was to be made some time ago can't be made with the keys of now. */
  Optional<String> hindrance(Committee committee) {
    return committee.members().stream()
        .filter(member -> standing(member.identity(), member.verifier()) != Keys.Standing.HELD)
        .findFirst()
        .map(
            member ->
                "The group names a key of member %s that its node %s: make it anew with the key of now."
                    .formatted(
                        member.identity(),
                        standing(member.identity(), member.verifier()) == Keys.Standing.REVOKED
                            ? "has revoked since"
                            : "does not hold any more"));
  }

  /** Why a domain takes no such configuration. One that fails over it does not take it either. */
  static Optional<String> refused(String name, Domain domain, Bytes configuration) {
    try {
      return domain.checkConfiguration(configuration);
    } catch (RuntimeException e) {
      return Optional.of(
          "The domain '%s' cannot check the group's configuration: %s"
              .formatted(name, Optional.ofNullable(e.getMessage()).orElse(e.toString())));
    }
  }
}
