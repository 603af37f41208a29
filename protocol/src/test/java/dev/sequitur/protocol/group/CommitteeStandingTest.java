package dev.sequitur.protocol.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Identity;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Which changes of a committee the ledger takes (CMT-3), and whose endorsements (CMT-4). */
class CommitteeStandingTest {
  private static final Member A = member("a", 1);
  private static final Member B = member("b", 2);
  private static final Member C = member("c", 3);
  private static final Member D = member("d", 4);

  /** Of the same member, who has lost the key before. */
  private static final Member OTHER_C = member("c", 13);

  /** All must endorse, two sign for a change. */
  private static final CommitteeStanding THREE =
      CommitteeStanding.of(new Quorum(new Committee(List.of(A, B, C)), 3, 2));

  /** In whose place came, by block 10, one without c; a, b and c count up to block 14. */
  private static final CommitteeStanding TWO =
      THREE.after(change(1, 14, quorum(2, 2, A, B)), height(10));

  @Test
  void aChangeThatEnoughHaveSignedIsTaken() {
    assertThat(flaw(change(1, 20, quorum(2, 2, A, B)), 10, A, B)).isEmpty();
    assertThat(flaw(change(1, 20, quorum(2, 2, A, B)), 10, B, C)).isEmpty();
    assertThat(flaw(change(1, 20, quorum(3, 3, A, B, C)), 10, A, B, C)).isEmpty();
  }

  @Test
  void eachFlawIsFound() {
    var fine = quorum(2, 2, A, B);

    assertThat(flaw(change(2, 20, fine), 10, A, B)).contains(ChangeFlaw.NUMBER_NOT_NEXT);
    assertThat(TWO.flaw(change(1, 20, fine), Set.of(A, B), height(11)))
        .contains(ChangeFlaw.NUMBER_NOT_NEXT);
    assertThat(flaw(change(1, 9, fine), 10, A, B)).contains(ChangeFlaw.TOO_LATE);
    assertThat(flaw(change(1, 20, fine), 10, A)).contains(ChangeFlaw.TOO_FEW_SIGNED);
    assertThat(flaw(change(1, 20, quorum(1, 1, D)), 10, A, B, D)).contains(ChangeFlaw.NOBODY_STAYS);
    assertThat(flaw(change(1, 20, quorum(3, 3, A, B, member("x", 2))), 10, A, B, C))
        .contains(ChangeFlaw.KEY_TWICE);
    assertThat(flaw(change(1, 20, quorum(3, 3, A, B, D)), 10, A, B, C))
        .contains(ChangeFlaw.NEW_KEY_UNSIGNED);
    assertThat(flaw(change(1, 20, quorum(3, 3, A, B, OTHER_C)), 10, A, B, C))
        .contains(ChangeFlaw.NEW_KEY_UNSIGNED);
  }

  @Test
  void theBlockOfUntilIsTheLastInWhichAChangeIsTaken() {
    var change = change(1, 10, quorum(2, 2, A, B));

    assertThat(flaw(change, 10, A, B)).isEmpty();
    assertThat(flaw(change, 11, A, B)).contains(ChangeFlaw.TOO_LATE);
  }

  /** A member's new key is no vote for it, and neither is who comes; a stranger is nobody. */
  @Test
  void onlyKeysOfTheCommitteeBeforeAreCountedForAChange() {
    var replaced = change(1, 20, quorum(3, 2, A, B, OTHER_C));
    assertThat(flaw(replaced, 10, A, OTHER_C)).contains(ChangeFlaw.TOO_FEW_SIGNED);
    assertThat(flaw(replaced, 10, A, B, OTHER_C)).isEmpty();
    assertThat(flaw(replaced, 10, A, C, OTHER_C)).isEmpty();

    var joined = change(1, 20, quorum(4, 3, A, B, C, D));
    assertThat(flaw(joined, 10, A, D)).contains(ChangeFlaw.TOO_FEW_SIGNED);
    assertThat(flaw(joined, 10, A, D, member("x", 9))).contains(ChangeFlaw.TOO_FEW_SIGNED);
    assertThat(flaw(joined, 10, A, B, D)).isEmpty();
  }

  /** One identity that was there before is enough, whatever its key. */
  @Test
  void whoHasAnotherKeyStays() {
    var alone = CommitteeStanding.of(quorum(1, 1, C));

    assertThat(alone.flaw(change(1, 20, quorum(1, 1, OTHER_C)), Set.of(C, OTHER_C), height(10)))
        .isEmpty();
    assertThat(alone.flaw(change(1, 20, quorum(1, 1, D)), Set.of(C, D), height(10)))
        .contains(ChangeFlaw.NOBODY_STAYS);
  }

  @Test
  void aCommitteeThatComesByAChangeHas255MembersAtMost() {
    var many = IntStream.range(0, 256).mapToObj(i -> member("m" + i, 1_000 + i)).toList();
    var standing = CommitteeStanding.of(new Quorum(new Committee(many.subList(0, 1)), 1));

    assertThat(standing.flaw(change(1, 20, new Quorum(new Committee(many), 1))))
        .contains(ChangeFlaw.TOO_MANY_MEMBERS);
    assertThat(standing.flaw(change(1, 20, new Quorum(new Committee(many.subList(0, 255)), 1))))
        .isEmpty();
  }

  @Test
  void theNextChangeWaitsForABlockOfItsOwnAndIsSignedByTheNewCommittee() {
    var next = change(2, 30, quorum(1, 1, A));

    assertThat(TWO.flaw(next, Set.of(A, B), height(10))).contains(ChangeFlaw.SECOND_IN_BLOCK);
    assertThat(TWO.flaw(next, Set.of(A, B), height(11))).isEmpty();
    assertThat(TWO.flaw(next, Set.of(A, C), height(11))).contains(ChangeFlaw.TOO_FEW_SIGNED);
  }

  /** a, b and c must endorse until a change in block 10, which c counts for up to block 14. */
  @ParameterizedTest
  @CsvSource({
    "abc, 10, 3",
    "ab, 10, 0",
    "abc, 11, 2",
    "ab, 11, 2",
    "ac, 11, 0",
    "bc, 14, 0",
    "ab, 15, 2",
    "abc, 15, 2",
    "a, 15, 0"
  })
  void whatIsEndorsedIsTakenUnderACommitteeThatCountsInTheBlock(
      String endorsers, long block, int members) {
    var signed = new HashSet<Member>();
    endorsers.chars().forEach(c -> signed.add(c == 'a' ? A : c == 'b' ? B : C));

    assertThat(TWO.taken(signed, height(block)).map(it -> it.committee().members().size()))
        .isEqualTo(Optional.of(members).filter(it -> it > 0));
  }

  /** So what was endorsed before a key was replaced is not lost on its way. */
  @Test
  void whatTheCommitteeBeforeHasEndorsedIsTakenUpToItsLastBlock() {
    var replaced = THREE.after(change(1, 14, quorum(3, 2, A, B, OTHER_C)), height(10));

    assertThat(replaced.taken(Set.of(A, B, C), height(14))).contains(THREE.newest());
    assertThat(replaced.taken(Set.of(A, B, C), height(15))).isEmpty();
    assertThat(replaced.isOutdated(Set.of(A, B, C))).isTrue();
    assertThat(replaced.isOutdated(Set.of(A, B))).isFalse();
    assertThat(replaced.taken(Set.of(A, B, OTHER_C), height(10))).isEmpty();
    assertThat(replaced.taken(Set.of(A, B, OTHER_C), height(11))).contains(replaced.newest());
  }

  /** Of two committees before, the older one counts no more, whatever its change has said. */
  @Test
  void oneCommitteeBeforeTheNewestCounts() {
    var third = TWO.after(change(2, 100, quorum(1, 1, A)), height(11));

    assertThat(third.taken(Set.of(A, B), height(12))).contains(third.newest());
    assertThat(third.counting(height(11))).containsExactly(TWO.newest());
    assertThat(third.counting(height(12))).containsExactly(third.newest(), TWO.newest());
    assertThat(third.counting(height(101))).containsExactly(third.newest());
    assertThat(third.isOutdated(Set.of(A, B, C))).isTrue();
    assertThat(TWO.isOutdated(Set.of(A, B))).isFalse();
  }

  /** Somebody always counts: else nothing could be done, and nothing changed, for good. */
  @Property(tries = 500)
  void inEachBlockSomeCommitteeCounts(
      @ForAll @LongRange(min = 1, max = 40) long changed,
      @ForAll @LongRange(max = 40) long more,
      @ForAll @LongRange(min = 1, max = 90) long block) {
    var standing = THREE.after(change(1, changed + more, quorum(2, 2, A, B)), height(changed));

    assertThat(standing.counting(height(block)))
        .isNotEmpty()
        .hasSizeLessThanOrEqualTo(2)
        .doesNotHaveDuplicates();
    assertThat(standing.counting(height(block)).anyMatch(standing.newest()::equals))
        .isEqualTo(block > changed);
  }

  /** The signatures of those before and of who is new are all that is needed, and each of them. */
  @Property(tries = 500)
  void aChangeIsTakenIfAndOnlyIfEnoughAndAllNewKeysHaveSigned(
      @ForAll @IntRange(min = 0, max = 31) int who) {
    var all = List.of(A, B, C, D, OTHER_C);
    var signers = new HashSet<Member>();
    IntStream.range(0, 5).filter(i -> (who >> i & 1) == 1).forEach(i -> signers.add(all.get(i)));
    var change = change(1, 20, quorum(2, 2, A, D, OTHER_C));

    long before = Stream.of(A, B, C).filter(signers::contains).count();
    assertThat(THREE.flaw(change, signers, height(10)).isEmpty())
        .isEqualTo(before >= 2 && signers.contains(D) && signers.contains(OTHER_C));
  }

  @Test
  void changesAreNumberedFromOneAndNeedASensibleNumberOfSigners() {
    assertThatThrownBy(() -> change(0, 1, quorum(1, 1, A)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Changes of a committee are numbered from 1, and not 0.");
    for (int wrong : new int[] {-1, 0, 3}) {
      assertThatThrownBy(() -> quorum(1, wrong, A, B))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "Between 1 and 2 members must sign for a change of their committee, not "
                  + wrong
                  + ".");
    }
    assertThat(new Quorum(new Committee(List.of(A, B)), 1).changeThreshold()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void eachFlawIsASentence(ChangeFlaw flaw) {
    assertThat(flaw.sentence()).matches("[A-Z].*\\.");
  }

  private static Optional<ChangeFlaw> flaw(CommitteeChange change, long block, Member... signers) {
    return THREE.flaw(change, Set.of(signers), height(block));
  }

  private static CommitteeChange change(int number, long until, Quorum quorum) {
    return new CommitteeChange(number, quorum, height(until));
  }

  private static Quorum quorum(int threshold, int changeThreshold, Member... members) {
    return new Quorum(new Committee(Arrays.asList(members)), threshold, changeThreshold);
  }

  private static Member member(String name, int key) {
    return new Member(
        Identity.parse(name + "@node-" + name),
        new Verifier(Bytes.of(ByteBuffer.allocate(33).putInt(29, key).array())));
  }

  private static BlockHeight height(long value) {
    return new BlockHeight(value);
  }
}
