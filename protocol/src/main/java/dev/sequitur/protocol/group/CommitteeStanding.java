package dev.sequitur.protocol.group;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Identity;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What a group's contract keeps of its committees: the last, and the one before while it counts.
 * The rules of what the ledger takes from either (CMT-3, CMT-4).
 *
 * @param number of the last change, 0 if there was none
 * @param newest what stands after it
 * @param former what stood before it; empty if there was none
 */
public record CommitteeStanding(int number, Quorum newest, Optional<Former> former) {
  /**
   * What stood before the last change.
   *
   * @param changed the block with that change: up to it nothing else counts
   * @param until the last block in which its endorsements are taken
   */
  public record Former(Quorum quorum, BlockHeight changed, BlockHeight until) {
    private boolean countsIn(BlockHeight block) {
      return block.compareTo(until) <= 0;
    }
  }

  /** Of a group that begins. */
  public static CommitteeStanding of(Quorum genesis) {
    return new CommitteeStanding(0, genesis, Optional.empty());
  }

  /**
   * What is wrong with a change, whoever signs it and in whatever block it is: what a node looks at
   * before it signs.
   */
  public Optional<ChangeFlaw> flaw(CommitteeChange change) {
    var committee = change.quorum().committee();
    if (change.number() != number + 1) {
      return Optional.of(ChangeFlaw.NUMBER_NOT_NEXT);
    } else if (committee.members().size() > CommitteeChange.MOST_MEMBERS) {
      return Optional.of(ChangeFlaw.TOO_MANY_MEMBERS);
    } else if (committee.withOneKey().isPresent()) {
      return Optional.of(ChangeFlaw.KEY_TWICE);
    }
    var before = new HashSet<Identity>(newest.committee().identities());
    return committee.identities().stream().anyMatch(before::contains)
        ? Optional.empty()
        : Optional.of(ChangeFlaw.NOBODY_STAYS);
  }

  /**
   * Why the ledger does not take a change in that block.
   *
   * @param signers who has validly signed it, each by the key that it has signed with
   */
  public Optional<ChangeFlaw> flaw(CommitteeChange change, Set<Member> signers, BlockHeight block) {
    return flaw(change).or(() -> timeFlaw(change, block)).or(() -> signatureFlaw(change, signers));
  }

  private Optional<ChangeFlaw> timeFlaw(CommitteeChange change, BlockHeight block) {
    if (!newestCountsIn(block)) {
      return Optional.of(ChangeFlaw.SECOND_IN_BLOCK);
    }
    return block.compareTo(change.until()) > 0
        ? Optional.of(ChangeFlaw.TOO_LATE)
        : Optional.empty();
  }

  private Optional<ChangeFlaw> signatureFlaw(CommitteeChange change, Set<Member> signers) {
    if (!newest.mayChangeBy(signers)) {
      return Optional.of(ChangeFlaw.TOO_FEW_SIGNED);
    }
    return signers.containsAll(change.newcomers(newest.committee()))
        ? Optional.empty()
        : Optional.of(ChangeFlaw.NEW_KEY_UNSIGNED);
  }

  /** What stands after a change that the ledger has taken in that block. */
  public CommitteeStanding after(CommitteeChange change, BlockHeight block) {
    return new CommitteeStanding(
        change.number(), change.quorum(), Optional.of(new Former(newest, block, change.until())));
  }

  /** Those whose endorsements are taken in that block, the newest first: one, or two. */
  public Stream<Quorum> counting(BlockHeight block) {
    return Stream.concat(
        Stream.of(newest).filter(it -> newestCountsIn(block)),
        former.filter(it -> it.countsIn(block)).map(Former::quorum).stream());
  }

  /**
   * The committee under which the ledger takes what these have endorsed, in that block; empty if it
   * does not (CMT-4).
   *
   * @param endorsers who has validly signed, each by the key that it has signed with
   */
  public Optional<Quorum> taken(Set<Member> endorsers, BlockHeight block) {
    return counting(block).filter(quorum -> quorum.isMetBy(endorsers)).findFirst();
  }

  /**
   * Whether what these have endorsed, and is not taken, may be mended by another assembly (CMT-4).
   * These are enough of the committee before; or there was one before that, of which nothing is
   * kept, so that nobody can tell.
   */
  public boolean isOutdated(Set<Member> endorsers) {
    return number > 1 || former.filter(it -> it.quorum().isMetBy(endorsers)).isPresent();
  }

  private boolean newestCountsIn(BlockHeight block) {
    return former.isEmpty() || block.compareTo(former.get().changed()) > 0;
  }
}
