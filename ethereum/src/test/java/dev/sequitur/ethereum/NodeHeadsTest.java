package dev.sequitur.ethereum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.ethereum.NodeHeads.Choice;
import dev.sequitur.ethereum.NodeHeads.Follow;
import dev.sequitur.ethereum.NodeHeads.Head;
import dev.sequitur.ethereum.NodeHeads.Place;
import dev.sequitur.ethereum.NodeHeads.Refuse;
import dev.sequitur.ethereum.NodeHeads.Settled;
import dev.sequitur.ethereum.NodeHeads.Told;
import dev.sequitur.ethereum.NodeHeads.View;
import java.net.URI;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** CHN-1 to CHN-3. */
final class NodeHeadsTest {
  private static final List<URI> NODES =
      List.of(URI.create("http://a"), URI.create("http://b"), URI.create("http://c"));
  private static final long SILENT = -1;

  private static final Duration BEGIN = Duration.ofDays(3);
  private static final Duration LONG = NodeHeads.LEAST_ALONE;

  /** With a lag of at most 5. */
  private static NodeHeads rule(int quorum) {
    return new NodeHeads(NODES, "ledger.ethereum.rpc", 1337, quorum, 5);
  }

  /** As rule(quorum) says it of what each has told last. */
  private static Choice choose(int quorum, int preferred, long seen, long... heads) {
    long highest = LongStream.of(heads).max().orElseThrow();
    var told =
        LongStream.of(heads)
            .mapToObj(
                head ->
                    head == SILENT
                        ? new Told(OptionalLong.empty(), "It is down.", 0)
                        : new Told(OptionalLong.of(head), "", highest))
            .toList();
    return rule(quorum).choose(told, preferred, seen);
  }

  @Test
  void theOneThatWasAskedIsAskedAgainWhileItDoesNotLieFarBehind() {
    assertThat(choose(1, 1, 0, 100, 95, 90))
        .isInstanceOfSatisfying(
            Follow.class,
            follow -> {
              assertThat(follow.place()).isOne();
              assertThat(follow.height()).isEqualTo(95);
            });
  }

  @Test
  void oneThatLiesTooFarBehindIsNotAskedAndToldOf() {
    assertThat(choose(1, 1, 0, 100, 94, 100))
        .isInstanceOfSatisfying(
            Follow.class,
            follow -> {
              assertThat(follow.place()).isZero();
              assertThat(follow.height()).isEqualTo(100);
              assertThat(follow.remarks())
                  .singleElement()
                  .asString()
                  .contains("http://b", "94", "100");
            });
  }

  @Test
  void oneThatDoesNotAnswerIsNotAskedAndToldOf() {
    assertThat(choose(1, 1, 0, 100, SILENT, 99))
        .isEqualTo(new Follow(0, 100, List.of("It is down.")));
  }

  @Test
  void aBlockCountsWhenAsManyHaveItAsMust() {
    assertThat(choose(2, 0, 0, 100, 98, 97)).isEqualTo(new Follow(0, 98, List.of()));
    assertThat(choose(3, 0, 0, 100, 98, 97)).isEqualTo(new Follow(0, 97, List.of()));
    assertThat(choose(2, 2, 0, 100, 98, 97)).isEqualTo(new Follow(2, 97, List.of()));
  }

  /** Fewer than the quorum answer (CHN-2). */
  @Test
  void withFewerThanMustAgreeNothingCounts() {
    assertThat(choose(2, 0, 0, 100, SILENT, SILENT))
        .isInstanceOfSatisfying(
            Refuse.class,
            refuse -> assertThat(refuse.sentence()).contains("1 of", "is 2", "It is down."));
    assertThat(choose(1, 0, 0, SILENT, SILENT, SILENT)).isInstanceOf(Refuse.class);
  }

  /**
   * Of three nodes the first is asked. What each has told: a height, nothing yet (-) or that it is
   * silent (x).
   */
  @ParameterizedTest(name = "a quorum of {0}, told {1} {2} {3}: {4}")
  @CsvSource({
    "1, -, -, -, false",
    "1, -, 100, 100, false",
    "1, 100, -, -, true",
    "1, 100, 105, -, true",
    "1, 100, 106, -, false",
    "1, 100, 106, 106, true",
    "1, x, 100, -, false",
    "1, x, x, -, false",
    "1, x, x, x, true",
    "2, 100, -, -, false",
    "2, 100, 99, -, true",
    "2, 100, x, -, false",
    "2, 100, x, 100, true",
    "2, -, 100, 100, false",
    "3, 100, 100, -, false",
    "3, 100, 100, x, true"
  })
  void itIsWaitedForTheOneThatIsAskedAndForAsManyAsMustAgree(
      int quorum, String first, String second, String third, boolean isEnough) {
    var rule = rule(quorum);
    var view = rule.begin(BEGIN);
    var done = new HashSet<Integer>();
    var told = List.of(first, second, third);
    for (int place = 0; place < told.size(); place++) {
      view =
          switch (told.get(place)) {
            case "-" -> view;
            case "x" -> rule.silent(view, place, "It is down.");
            default -> told(view, place, block(Long.parseLong(told.get(place)), "x"), BEGIN);
          };
      if (!told.get(place).equals("-")) {
        done.add(place);
      }
    }

    assertThat(rule.isEnough(view, done, 0, BEGIN)).isEqualTo(isEnough);
    var answered = told.stream().filter(one -> !one.equals("-") && !one.equals("x")).count();
    assertThat(rule.isEnoughLate(view, done, BEGIN))
        .as("after a while")
        .isEqualTo(answered >= quorum);
  }

  /** Fewer than the quorum agree (CHN-2). */
  @Test
  void aBlockIsReadIfAsManyAsMustHaveTheSame() {
    assertThat(rule(2).agree("x7", List.of("x7", "x7", "y7"))).isTrue();
    assertThat(rule(2).agree("x7", List.of("x7", "y7", "does not answer"))).isFalse();
    assertThat(rule(3).agree("x7", List.of("x7", "x7", "has none"))).isFalse();
  }

  @Test
  void theBlockThatCountsHasTheHashThatTheOneThatIsAskedHasToldOf() {
    var view = told(rule(1).begin(BEGIN), 0, block(100, "x"), BEGIN);

    assertThat(view.at(0, 100)).isEqualTo(new Place(100, "x100"));
    assertThat(view.at(0, 99)).as("a quorum has less").isEqualTo(new Place(99, ""));
    assertThat(view.at(1, 100)).as("it has told nothing").isEqualTo(new Place(100, ""));
  }

  private static Head block(long height, String branch) {
    return new Head(new Place(height, branch + height), branch + (height - 1), 0);
  }

  /** A head, and whatever is asked of it then is answered as by a node of this branch. */
  private static View told(View view, int place, Head head, Duration at) {
    var heard = rule(1).heard(view, place, head, at);
    return heard
        .doubt()
        .map(
            doubt ->
                rule(1)
                    .settled(
                        heard.view(),
                        place,
                        doubt,
                        new Settled(
                            1337,
                            doubt
                                .before()
                                .map(it -> head.place().hash().charAt(0) + "" + it.height())
                                .orElse(""),
                            true),
                        at))
        .orElse(heard.view());
  }

  private static List<String> remarks(View view) {
    return ((Follow) rule(1).choose(view, 0, BEGIN)).remarks();
  }

  @Test
  void whoHasNotAnsweredYetDoesNotLieBehindForThat() {
    var view = rule(1).begin(BEGIN);
    for (int place = 0; place < 3; place++) {
      view = told(view, place, block(20, "a"), BEGIN);
    }

    var first = told(view, 0, block(60, "a"), BEGIN);
    var behind = told(first, 1, block(20, "a"), BEGIN);
    var caughtUp = told(behind, 1, block(60, "a"), BEGIN);

    assertThat(remarks(first)).isEmpty();
    assertThat(remarks(behind)).singleElement().asString().contains("http://b", "20", "60");
    assertThat(remarks(caughtUp)).isEmpty();
  }

  /** All have told block 20 of one branch, which was read; then two are of another one. */
  private static View parted() {
    var view = rule(1).begin(BEGIN);
    for (int place = 0; place < 3; place++) {
      view = told(view, place, block(20, "a"), BEGIN);
    }
    view = rule(1).read(view, block(20, "a").place());
    view = told(view, 1, block(20, "b"), BEGIN);
    return told(view, 2, block(20, "b"), BEGIN);
  }

  private static View apartGoOn(View before, int times, Duration at) {
    var view = before;
    for (int i = 1; i <= times; i++) {
      long height = 20L + i;
      view = told(view, 1, block(height, "b"), at);
      view = told(view, 2, block(height, "b"), at);
    }
    return view;
  }

  private static int followed(View view, Duration at) {
    return ((Follow) rule(1).choose(view, 0, at)).place();
  }

  @Test
  void whoIsApartAndGoesOnAloneIsFollowedOnceItHasToldOfManyBlocksForLong() {
    var few = apartGoOn(parted(), 5, BEGIN);
    var many = apartGoOn(parted(), 6, BEGIN);
    var soon = BEGIN.plus(LONG).minusNanos(1);

    assertThat(followed(few, BEGIN.plus(LONG))).as("told of few").isZero();
    assertThat(followed(many, soon)).as("how many it tells of is its own word").isZero();
    assertThat(followed(many, BEGIN.plus(LONG))).isNotZero();
  }

  /** A chain with a block each twelve seconds is looked at twenty times in each of them. */
  @Test
  void ifOneThatJoinsGoesOnBothBeginAnew() {
    var later = BEGIN.plus(LONG);
    var many = told(apartGoOn(parted(), 6, BEGIN), 0, block(21, "a"), later);

    assertThat(followed(many, later.plus(LONG))).as("none has told of a newer one since").isZero();
    var again = many;
    for (long height = 27; height < 33; height++) {
      again = told(again, 1, block(height, "b"), later);
    }
    assertThat(followed(again, later.plus(LONG).minusNanos(1))).isZero();
    assertThat(followed(again, later.plus(LONG))).isOne();
  }

  /** A chain's newest block is replaced every day, and one endpoint may be on its way for long. */
  @Test
  void oneThatLiesFarBehindKeepsNobodyOut() {
    var view = rule(1).begin(BEGIN);
    view = told(view, 0, block(14, "a"), BEGIN);
    view = told(view, 1, block(20, "a"), BEGIN);
    view = told(view, 2, block(20, "a"), BEGIN);
    view = rule(1).read(view, block(20, "a").place());
    view = told(view, 1, block(20, "b"), BEGIN);
    view = told(view, 2, block(20, "b"), BEGIN);

    assertThat(followed(view, BEGIN)).isNotZero();
    var near = told(view, 0, block(15, "a"), BEGIN);
    assertThat(followed(near, BEGIN)).as("it may have what was read in a moment").isZero();
    assertThat(followed(near, BEGIN.plus(NodeHeads.LONGEST_BEHIND)))
        .as("it stands still")
        .isNotZero();
  }

  @Test
  void oneThatIsOnItsWayToWhatWasReadDoesNotGoOn() {
    var later = BEGIN.plus(LONG);
    var view = rule(1).begin(BEGIN);
    view = told(view, 0, block(17, "a"), BEGIN);
    view = told(view, 1, block(20, "a"), BEGIN);
    view = rule(1).read(view, block(20, "a").place());
    view = apartGoOn(told(view, 1, block(20, "b"), BEGIN), 7, BEGIN);

    view = told(view, 0, block(18, "a"), later);
    view = told(view, 0, block(20, "a"), later);

    assertThat(followed(view, later)).isNotZero();
  }

  @Test
  void aQuorumThatHasTheSameInsteadIsBelievedAtOnce() {
    assertThat(rule(2).choose(parted(), 0, BEGIN))
        .isInstanceOfSatisfying(
            Follow.class,
            follow -> {
              assertThat(follow.place()).isNotZero();
              assertThat(follow.height()).isEqualTo(20);
              assertThat(follow.remarks()).anyMatch(remark -> remark.contains("has another block"));
            });
    var third = told(parted(), 0, block(22, "c"), BEGIN);
    assertThat(((Follow) rule(2).choose(third, 0, BEGIN)).place())
        .as("one with a block of its own leads nobody")
        .isNotZero();
    var each = told(parted(), 2, block(20, "c"), BEGIN);
    assertThat(rule(2).choose(each, 0, BEGIN)).isInstanceOf(Refuse.class);
  }

  @Test
  void whoTellsOfTheSameBlockAgainHasNotGoneOn() {
    var view = apartGoOn(parted(), 5, BEGIN);
    for (int i = 0; i < 10; i++) {
      view = told(view, 1, block(25, "b"), BEGIN);
      view = told(view, 2, block(24, "b"), BEGIN);
    }

    assertThat(followed(view, BEGIN.plus(LONG))).isZero();
  }

  @Test
  void whereAllArePartedFromWhatWasReadTheyAreFollowed() {
    var view = told(parted(), 0, block(21, "b"), BEGIN);

    assertThat(rule(1).choose(view, 0, BEGIN)).isInstanceOf(Follow.class);
  }

  @Test
  void oneOfAnotherChainIsAsOneThatDoesNotAnswer() {
    var view = rule(1).begin(BEGIN);
    var heard = rule(1).heard(view, 0, block(20, "a"), BEGIN);
    assertThat(heard.doubt()).isPresent();
    view =
        rule(1)
            .settled(heard.view(), 0, heard.doubt().orElseThrow(), new Settled(5, "", true), BEGIN);

    assertThat(view.isAnswered(0)).isFalse();
    assertThat(rule(1).choose(view, 0, BEGIN))
        .isInstanceOfSatisfying(
            Refuse.class, refuse -> assertThat(refuse.sentence()).contains("is of chain 5"));
  }

  /** What answers at an address may be another node each time. */
  @Test
  void onlyAHeadThatIsOrFollowsTheOneToldBeforeIsNotAskedAbout() {
    var view = told(rule(1).begin(BEGIN), 0, block(20, "a"), BEGIN);

    assertThat(rule(1).heard(view, 0, block(20, "a"), BEGIN).doubt()).isEmpty();
    assertThat(rule(1).heard(view, 0, block(21, "a"), BEGIN).doubt()).isEmpty();
    assertThat(rule(1).heard(view, 0, block(22, "a"), BEGIN).doubt()).isPresent();
    assertThat(rule(1).heard(view, 0, block(21, "b"), BEGIN).doubt()).isPresent();
    assertThat(rule(1).heard(view, 1, block(21, "a"), BEGIN).doubt()).isPresent();
  }

  /** CHN-11. */
  @Test
  void aHeadFarAheadCountsOnlyIfThereIsABlockBehindIt() {
    var rule = rule(1);
    var view = rule.begin(BEGIN);
    for (int place = 0; place < 3; place++) {
      view = told(view, place, block(20, "a"), BEGIN);
    }
    view = rule.read(view, block(20, "a").place());

    assertThat(doubt(view, block(25, "a")).behind()).as("within the lag").isEmpty();
    var doubt = doubt(view, block(26, "a"));
    assertThat(doubt.behind()).containsExactly(25L, 21L);
    var backed = rule.settled(view, 0, doubt, new Settled(1337, "a20", true), BEGIN);
    assertThat(rule.choose(backed, 0, BEGIN)).isEqualTo(new Follow(0, 26, List.of()));

    var alone = rule.settled(view, 0, doubt, new Settled(1337, "a20", false), BEGIN);
    assertThat(rule.choose(alone, 0, BEGIN))
        .isInstanceOfSatisfying(
            Follow.class,
            follow -> {
              assertThat(follow.place()).isNotZero();
              assertThat(follow.height()).isEqualTo(20);
              assertThat(follow.remarks())
                  .containsExactly(
                      "The chain's node at http://a says that its newest block is 26, and has neither the one before it nor block 21: that does not count, and it is not asked until it tells of blocks that it has.");
            });
  }

  /** Whatever it says is before it. */
  @Test
  void aHeadFollowsOnlyTheBlockThatIsOneLower() {
    var view = told(rule(1).begin(BEGIN), 0, block(20, "a"), BEGIN);
    var far = new Head(new Place(1_000_000, "e"), "a20", 0);

    assertThat(rule(1).heard(view, 0, far, BEGIN).doubt()).isPresent();
  }

  private static NodeHeads.Doubt doubt(View view, Head head) {
    return rule(1).heard(view, 0, head, BEGIN).doubt().orElseThrow();
  }

  @Test
  void nodesThatTellLessThanWasSeenAreNotFollowed() {
    assertThat(choose(1, 0, 106, 100, 100, 99))
        .isInstanceOfSatisfying(
            Refuse.class, refuse -> assertThat(refuse.sentence()).contains("100", "106", "backup"));
    assertThat(choose(1, 0, 105, 100, 100, 99)).isInstanceOf(Follow.class);
  }
}
