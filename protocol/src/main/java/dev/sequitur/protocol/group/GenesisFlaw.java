package dev.sequitur.protocol.group;

import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/** Why a node takes no part in a group whose genesis it is given (SEL-7). */
public enum GenesisFlaw {
  DOMAIN_UNKNOWN("has no such domain"),
  CONFIGURATION_REFUSED("refuses the configuration"),
  NOT_FROM_A_MEMBER("is asked by a node that has no member in the group"),
  NO_MEMBER_HERE("has no member in the group"),
  KEY_NOT_OURS("does not hold a key that the group names for one of its members"),
  KEY_REVOKED("has revoked a key that the group names for one of its members"),
  TOO_MANY("has too many groups that wait for their contract"),
  OTHER_GENESIS("was given another genesis under the same id"),
  KEY_TWICE("is given one key for two members of the group"),
  WITHDRAWN("was told that the group is never made");

  private final String sentence;

  GenesisFlaw(String sentence) {
    this.sentence = sentence;
  }

  /** Whether the same genesis may be taken later, though nobody changes anything. */
  public boolean passes() {
    return this == TOO_MANY;
  }

  /** What a caller is told, behind the node's name. */
  public String sentence() {
    return sentence;
  }

  /**
   * What a node asks of a group before it takes part.
   *
   * @param self the node
   * @param ownKey the key of one of its identities
   * @param revoked whether that key is revoked
   * @param taken whether an identity is called like a key of the node's own
   */
  public record Check(
      NodeName self,
      Function<Identity, Verifier> ownKey,
      Predicate<Identity> revoked,
      Predicate<Identity> taken) {
    /**
     * The first that is wrong with the members.
     *
     * @param from who gives the genesis
     */
    public Optional<GenesisFlaw> flaw(NodeName from, Committee committee) {
      if (!committee.hasMemberOn(from)) {
        return Optional.of(NOT_FROM_A_MEMBER);
      } else if (!committee.hasMemberOn(self)) {
        return Optional.of(NO_MEMBER_HERE);
      }
      if (!committee.members().stream().allMatch(this::isRight)) {
        return Optional.of(KEY_NOT_OURS);
      } else if (committee.identities().stream().anyMatch(this::signsNothing)) {
        return Optional.of(KEY_REVOKED);
      }
      return committee.withOneKey().map(both -> KEY_TWICE);
    }

    private boolean signsNothing(Identity identity) {
      return identity.node().equals(self) && revoked.test(identity);
    }

    private boolean isRight(Member member) {
      var identity = member.identity();
      return !identity.node().equals(self)
          || (!taken.test(identity) && ownKey.apply(identity).equals(member.verifier()));
    }
  }
}
