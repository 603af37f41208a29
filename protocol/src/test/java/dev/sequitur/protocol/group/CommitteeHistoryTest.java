package dev.sequitur.protocol.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.group.CommitteeHistory.Change;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Identity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which committee counts at a block (SEL-10). */
class CommitteeHistoryTest {
  /** Of one member, then of two by block 7, then of three by block 8. */
  private static final CommitteeHistory THREE = history(7, 8);

  /** Blocks after its own in which the committee before is taken. */
  private static final long UNTIL = 5;

  @ParameterizedTest
  @CsvSource({"0,1", "6,1", "7,1", "8,2", "9,3", "1000000,3"})
  void aChangeCountsFromTheBlockAfterItsOwn(long block, int members) {
    assertThat(at(THREE, block)).isEqualTo(quorum(members));
  }

  @Test
  void oneThatHasNeverChangedIsTheSameAtEachBlock() {
    var only = CommitteeHistory.of(quorum(4));

    for (long block : List.of(0L, 1L, 1_000_000L)) {
      assertThat(only.asOf(height(block))).isSameAs(only);
    }
    assertThat(only.newest()).isEqualTo(quorum(4));
    assertThat(only.all()).containsExactly(quorum(4));
    assertThat(THREE.all()).containsExactly(quorum(1), quorum(2), quorum(3));
  }

  @Test
  void itKnowsWhoWasItsCommitteeAtSomeTime() {
    for (int members = 1; members <= 3; members++) {
      assertThat(THREE.hasHad(quorum(members).committee().identities())).isTrue();
    }
    assertThat(THREE.hasHad(quorum(4).committee().identities())).isFalse();
    assertThat(THREE.asOf(height(7)).hasHad(quorum(2).committee().identities())).isFalse();
  }

  /** CMT-5: a block that is told again takes back nothing that a later one has changed. */
  @Test
  void ofTwoReadingsOfAGroupTheOneWithLaterChangesHolds() {
    var before = group(history(7));
    var later = group(THREE);

    assertThat(before.orLater(Optional.of(later))).isSameAs(later);
    assertThat(later.orLater(Optional.of(before))).isSameAs(later);
    assertThat(later.orLater(Optional.empty())).isSameAs(later);
  }

  private static PrivacyGroup group(CommitteeHistory committees) {
    var group = Contract.GROUP;
    return new PrivacyGroup(
        group.id(),
        group.chainId(),
        group.contract(),
        group.domain(),
        group.name(),
        committees,
        group.configuration());
  }

  @Test
  void changesStandInTheOrderOfTheirBlocksOneInEach() {
    for (var wrong : List.of(List.of(7L, 7L), List.of(8L, 7L), List.of(1L, 9L, 8L))) {
      assertThatThrownBy(() -> history(wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("in the order of their blocks");
    }
    assertThat(history(List.of(0L, 1L, 2L)).newest()).isEqualTo(quorum(4));
  }

  /** Whoever has read less knows the same of what it has read: nodes agree without a message. */
  @Property(tries = 500)
  void whatCountedAtABlockIsTheSameForWhoHasReadNoFurtherAndForWhoHas(
      @ForAll @Size(max = 6) Set<@LongRange(max = 40) Long> blocks,
      @ForAll @LongRange(max = 45) long read,
      @ForAll @LongRange(max = 45) long asked) {
    var all = history(new ArrayList<>(new TreeSet<>(blocks)));
    var known = all.asOf(height(read));

    if (asked <= read) {
      assertThat(at(known, asked)).isEqualTo(at(all, asked));
    }
    assertThat(known.newest()).isEqualTo(at(all, read));
    assertThat(known.asOf(height(asked)).newest()).isEqualTo(at(all, Math.min(read, asked)));
  }

  /** Said in another way: the last of those whose block is before. */
  @Property(tries = 500)
  void itIsTheLastThatStoodOnTheLedgerBefore(
      @ForAll @Size(max = 6) Set<@LongRange(max = 40) Long> blocks,
      @ForAll @LongRange(max = 45) long asked) {
    long before = blocks.stream().filter(block -> block < asked).count();

    assertThat(at(history(new ArrayList<>(new TreeSet<>(blocks))), asked))
        .isEqualTo(quorum((int) before + 1));
  }

  @Test
  void aGroupAsOfABlockHasTheCommitteeAndTheThresholdThatCountThere() {
    var group = Contract.group(Contract.ADDRESS, THREE);

    assertThat(group.committee()).isEqualTo(quorum(3).committee());
    assertThat(group.asOf(height(8)).committee()).isEqualTo(quorum(2).committee());
    assertThat(group.asOf(height(8)).endorsementThreshold()).isEqualTo(2);
    assertThat(group.asOf(height(8)).endorsementPolicy().quorum()).isEqualTo(quorum(2));
    assertThat(group.asOf(height(8)).id()).isEqualTo(group.id());
    assertThat(group.asOf(height(9))).isSameAs(group);
  }

  /** The group at a node says the same of the ledger as the ledger itself (CMT-5). */
  @Test
  void whatTheLedgerKeepsFollowsFromIt() {
    var group = Contract.group(Contract.ADDRESS, CommitteeHistory.of(quorum(1)));
    var standing = CommitteeStanding.of(quorum(1));
    assertThat(group.committees().standing()).isEqualTo(standing);
    assertThat(group.committees().number()).isZero();

    for (int number = 1; number <= 3; number++) {
      var change = new CommitteeChange(number, quorum(number + 1), height(10L * number + UNTIL));
      group = group.changed(change, height(10L * number)).orElseThrow();
      standing = standing.after(change, height(10L * number));

      assertThat(group.committees().standing()).isEqualTo(standing);
      assertThat(group.committees().number()).isEqualTo(number);
    }
    assertThat(group.committees().all())
        .containsExactly(quorum(1), quorum(2), quorum(3), quorum(4));
    assertThat(group.asOf(height(21)).committees().number()).isEqualTo(2);
    assertThat(group.asOf(height(20)).committees().number()).isEqualTo(1);
  }

  @Test
  void aChangeThatIsReadAgainIsTheSame() {
    assertThat(THREE.read(change(1, 7), height(7))).containsSame(THREE);
    assertThat(THREE.read(change(2, 8), height(8))).containsSame(THREE);
    assertThat(history(7).read(change(2, 8), height(8))).contains(THREE);
  }

  /** Only where blocks that counted as final were replaced (CNF-11). */
  @Test
  void aChangeInThePlaceOfAnotherTakesThoseAfterItAway() {
    assertThat(THREE.read(change(1, 6), height(6)).orElseThrow()).isEqualTo(history(6));
    assertThat(THREE.read(change(2, 9), height(8)).orElseThrow().changes())
        .containsExactly(
            new Change(height(7), quorum(2), height(7 + UNTIL)),
            new Change(height(8), quorum(3), height(9 + UNTIL)));
  }

  @Test
  void aChangeThatDoesNotFollowIsNotTaken() {
    assertThat(THREE.read(change(5, 9), height(9))).isEmpty();
    assertThat(THREE.read(change(2, 9), height(9))).isEmpty();
    assertThat(history().read(change(2, 9), height(9))).isEmpty();
  }

  private static CommitteeChange change(int number, long block) {
    return new CommitteeChange(number, quorum(number + 1), height(block + UNTIL));
  }

  private static CommitteeHistory history(long... blocks) {
    return history(LongStream.of(blocks).boxed().toList());
  }

  /** The committee after each change has one member more. */
  private static CommitteeHistory history(List<Long> blocks) {
    return new CommitteeHistory(
        quorum(1),
        IntStream.range(0, blocks.size())
            .mapToObj(
                i ->
                    new Change(height(blocks.get(i)), quorum(i + 2), height(blocks.get(i) + UNTIL)))
            .toList());
  }

  private static Quorum at(CommitteeHistory history, long block) {
    return history.asOf(height(block)).newest();
  }

  private static Quorum quorum(int members) {
    return Contract.all(
        IntStream.range(0, members)
            .mapToObj(number -> Identity.parse("member@node" + number))
            .toList());
  }

  private static BlockHeight height(long value) {
    return new BlockHeight(value);
  }
}
