package dev.sequitur.protocol.group;

import java.util.Set;

/**
 * A committee, and how many of its members must endorse (ATT-6).
 *
 * @param threshold 1 to all of them
 */
public record Quorum(Committee committee, int threshold) {
  /**
   * @throws IllegalArgumentException if it cannot be that so many members must endorse
   */
  public Quorum {
    committee.requireThreshold(threshold);
  }

  /**
   * Whether enough members are among these.
   *
   * @param signers who has validly signed, each by the key that it has signed with
   */
  public boolean isMetBy(Set<Member> signers) {
    return committee.among(signers).size() >= threshold;
  }
}
