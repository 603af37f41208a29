package dev.sequitur.protocol.selection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.group.CommitteeHistory;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.BlockRange;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The ranking of coordinators (SEL-1 to SEL-5). */
final class CoordinatorSelectionTest {
  private static final Path RESOURCES =
      Path.of("src/main/resources/dev/sequitur/protocol/selection");
  private static final ContractAddress CONTRACT = new ContractAddress("0x" + "12".repeat(20));

  private static List<Identity> members(int number) {
    var members = new ArrayList<Identity>();
    for (int i = 0; i < number; i++) {
      members.add(new Identity("member", new NodeName("node" + i)));
    }
    return members;
  }

  private static CoordinatorSelection selection(
      ContractAddress contract, List<Identity> committee, SelectionPolicy policy) {
    var only = CommitteeHistory.of(Contract.all(committee));
    return new CoordinatorSelection(Contract.group(contract, only), policy);
  }

  private static List<Identity> ranked(List<Identity> committee, long range) {
    return selection(CONTRACT, committee, new SelectionPolicy(1, 16))
        .ranking(new BlockRange(range))
        .members()
        .stream()
        .map(Ranking.Ranked::identity)
        .toList();
  }

  @Property(tries = 200)
  void leavingAMemberOutNeverReordersTheOthers(
      @ForAll @IntRange(min = 2, max = 9) int size,
      @ForAll @LongRange(min = 0, max = 1L << 40) long range,
      @ForAll @IntRange(max = 8) int left) {
    var committee = members(size);
    var gone = committee.get(left % size);
    var all = new ArrayList<>(ranked(committee, range));
    committee.remove(gone);

    all.remove(gone);

    assertThat(ranked(committee, range)).isEqualTo(all);
  }

  @Property(tries = 200)
  void theOrderInWhichTheCommitteeIsNamedDoesNotMatter(
      @ForAll @IntRange(min = 2, max = 9) int size,
      @ForAll @LongRange(min = 0, max = 1L << 40) long range,
      @ForAll long seed) {
    var committee = members(size);
    var shuffled = new ArrayList<>(committee);
    Collections.shuffle(shuffled, new Random(seed));

    assertThat(ranked(shuffled, range)).isEqualTo(ranked(committee, range));
  }

  @Property(tries = 200)
  void onTheDrawnRingTheNearestPositionIsOfWhoCoordinates(
      @ForAll @IntRange(min = 1, max = 9) int size,
      @ForAll @LongRange(min = 0, max = 1L << 40) long range) {
    var selection = selection(CONTRACT, members(size), new SelectionPolicy(1, 16));

    var ring = selection.ring(new BlockRange(range), 3);

    assertThat(ring.members())
        .extracting(Ring.Place::identity)
        .containsExactlyElementsOf(members(size));
    for (int i = 0; i < 3; i++) {
      var point = ring.ranges().get(i);
      assertThat(point.ranking()).isEqualTo(selection.ranking(new BlockRange(range + i)));
      var nearest =
          ring.members().stream()
              .min(
                  Comparator.comparing(
                      place -> distance(place.positions(), point.at()), Long::compareUnsigned))
              .orElseThrow();
      assertThat(nearest.identity()).isEqualTo(point.ranking().members().get(0).identity());
    }
  }

  /** A change may be of the last block before the range, and of its first one (SEL-10). */
  @Property(tries = 500)
  void theMembersOfARangeAreThoseWhoStandOnTheLedgerWhenItBegins(
      @ForAll @LongRange(min = 1, max = 12) long size,
      @ForAll @LongRange(max = 60) long changed,
      @ForAll @LongRange(max = 80) long height) {
    var policy = new SelectionPolicy(size, 4);
    var before = members(3);
    var after = members(5).subList(1, 5);
    var selection = new CoordinatorSelection(changing(changed, before, after), policy);
    var at = new BlockHeight(height);
    long first = height - height % size;
    var expected = changed < first ? after : before;

    var ranking = selection.ranking(selection.range(at));

    assertThat(ranking)
        .isEqualTo(selection(CONTRACT, expected, policy).ranking(selection.range(at)));
    assertThat(selection.group(at).committee().identities()).isEqualTo(expected);
  }

  @Test
  void theDrawnRingHasAllWhoAreMembersInItsRanges() {
    var before = members(2);
    var after = members(3).subList(1, 3);
    var selection =
        new CoordinatorSelection(changing(7, before, after), new SelectionPolicy(10, 4));

    assertThat(selection.ring(new BlockRange(0), 1).members())
        .extracting(Ring.Place::identity)
        .containsExactlyElementsOf(before);
    assertThat(selection.ring(new BlockRange(0), 2).members())
        .extracting(Ring.Place::identity)
        .containsExactlyElementsOf(members(3));
    assertThat(selection.ring(new BlockRange(1), 1).members())
        .extracting(Ring.Place::identity)
        .containsExactlyElementsOf(after);
  }

  private static PrivacyGroup changing(long block, List<Identity> before, List<Identity> after) {
    var change =
        new CommitteeHistory.Change(
            new BlockHeight(block), Contract.all(after), new BlockHeight(block));
    return Contract.group(CONTRACT, new CommitteeHistory(Contract.all(before), List.of(change)));
  }

  private static long distance(List<Long> positions, long point) {
    return positions.stream()
        .flatMap(position -> Stream.of(position - point, point - position))
        .min(Long::compareUnsigned)
        .orElseThrow();
  }

  @Property(tries = 200)
  void distancesNeverExceedHalfTheRingAndAscend(
      @ForAll @LongRange(min = 0, max = 1L << 40) long range) {
    var selection = selection(CONTRACT, members(7), new SelectionPolicy(1, 1));

    var distances =
        selection.ranking(new BlockRange(range)).members().stream()
            .map(Ranking.Ranked::distance)
            .toList();

    // In either direction, so that the farther way round is never taken.
    assertThat(distances)
        .allSatisfy(distance -> assertThat(distance + Long.MIN_VALUE).isLessThanOrEqualTo(0));
    assertThat(distances).isSortedAccordingTo(Long::compareUnsigned);
  }

  @Property(tries = 100)
  void aRankingHoldsForAllBlocksOfARange(
      @ForAll @LongRange(min = 1, max = 1_000) long size,
      @ForAll @LongRange(min = 0, max = 1L << 40) long range) {
    var selection = selection(CONTRACT, members(3), new SelectionPolicy(size, 4));

    assertThat(selection.range(new BlockHeight(range * size))).isEqualTo(new BlockRange(range));
    assertThat(selection.range(new BlockHeight(range * size + size - 1)))
        .isEqualTo(new BlockRange(range));
    assertThat(selection.range(new BlockHeight(range * size + size)))
        .isEqualTo(new BlockRange(range + 1));
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 7})
  void overManyRangesEachMemberIsPreferredAboutEquallyOften(int size) {
    int ranges = 10_000;
    for (int number = 1; number <= 5; number++) {
      var contract = new ContractAddress(String.format("0x%040x", number));
      var selection = selection(contract, members(size), SelectionPolicy.DEFAULT);
      var counts = new HashMap<NodeName, Integer>();
      for (long range = 0; range < ranges; range++) {
        counts.merge(selection.ranking(new BlockRange(range)).preferred(), 1, Integer::sum);
      }

      assertThat(counts).hasSize(size);
      assertThat(counts.values())
          .allSatisfy(count -> assertThat(count * size / (double) ranges).isBetween(0.75, 1.25));
    }
  }

  @Test
  void aRankingIsTheSameHoweverOftenItIsAskedFor() {
    var selection = selection(CONTRACT, members(5), SelectionPolicy.DEFAULT);
    var first = selection.ranking(new BlockRange(1));

    assertThat(selection.ranking(new BlockRange(1))).isEqualTo(first);
    assertThat(selection.ranking(new BlockRange(2)).range()).isEqualTo(new BlockRange(2));
    assertThat(selection.ranking(new BlockRange(1))).isEqualTo(first);
  }

  @Test
  void aPolicyHasRangesOfBlocksAndABoundedNumberOfVirtualNodes() {
    assertThat(new SelectionPolicy(1, 1).rangeSize()).isEqualTo(1);
    assertThat(new SelectionPolicy(1, 10_000).virtualNodes()).isEqualTo(10_000);
    for (int wrong : List.of(0, 10_001)) {
      assertThatThrownBy(() -> new SelectionPolicy(1, wrong))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> new SelectionPolicy(0, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> selection(CONTRACT, List.of(), SelectionPolicy.DEFAULT))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void differentContractsHaveDifferentRings() {
    Set<NodeName> preferred = new HashSet<>();
    for (int number = 1; number <= 50; number++) {
      var contract = new ContractAddress(String.format("0x%040x", number));
      var selection = selection(contract, members(4), SelectionPolicy.DEFAULT);
      preferred.add(selection.ranking(new BlockRange(0)).preferred());
    }
    assertThat(preferred).hasSize(4);
  }

  @Test
  void whoIsUnavailableIsPassedOverAndOneNodesIdentitiesComeAndGoTogether() {
    var random = new SplittableRandom(1);
    var node = new NodeName("two");
    var committee =
        List.of(new Identity("one", node), new Identity("two", node), members(1).get(0));
    var selection = selection(CONTRACT, committee, SelectionPolicy.DEFAULT);
    for (int i = 0; i < 50; i++) {
      var ranking = selection.ranking(new BlockRange(random.nextLong(1_000_000)));

      assertThat(ranking.preferred(other -> !other.equals(node)))
          .contains(members(1).get(0).node());
      assertThat(ranking.preferred(other -> false)).isEmpty();
      assertThat(ranking.prefers(node, node)).isFalse();
    }
  }

  @Test
  void thePublishedVectorsAreWhatThisImplementationRanks() throws IOException {
    assertPublished("ranking-vectors.jsonl", RankingVectors.all());
    assertPublished("changing-committee-vectors.jsonl", RankingVectors.changing());
  }

  private static void assertPublished(String file, List<String> vectors) throws IOException {
    var path = RESOURCES.resolve(file);
    if (Boolean.getBoolean("vectors.write")) {
      Files.createDirectories(RESOURCES);
      Files.write(path, vectors);
    }

    assertThat(Files.readAllLines(path))
        .as("To publish other vectors: -Dvectors.write=true. Every network would notice.")
        .isEqualTo(vectors);
  }
}
