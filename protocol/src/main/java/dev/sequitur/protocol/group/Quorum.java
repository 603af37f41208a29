package dev.sequitur.protocol.group;

import java.util.Set;

/**
 * A committee, how many of its members must endorse (ATT-6), and how many must sign for it to
 * change (CMT-2).
 *
 * @param threshold 1 to all of them
 * @param changeThreshold 1 to all of them
 */
public record Quorum(Committee committee, int threshold, int changeThreshold) {
  /**
   * @throws IllegalArgumentException if it cannot be that so many members must endorse or sign
   */
  public Quorum {
    committee.requireThreshold(threshold);
    committee.requireChangeThreshold(changeThreshold);
  }

  /** As many must sign for a change as endorse. */
  public Quorum(Committee committee, int threshold) {
    this(committee, threshold, threshold);
  }

  /**
   * Whether enough members are among these.
   *
   * @param signers who has validly signed, each by the key that it has signed with
   */
  public boolean isMetBy(Set<Member> signers) {
    return committee.among(signers).size() >= threshold;
  }

  /** The same for a change of the committee. */
  public boolean mayChangeBy(Set<Member> signers) {
    return committee.among(signers).size() >= changeThreshold;
  }
}
