package dev.sequitur.ethereum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.ethereum.NodeHeads.Choice;
import dev.sequitur.ethereum.NodeHeads.Follow;
import dev.sequitur.ethereum.NodeHeads.Refuse;
import dev.sequitur.ethereum.NodeHeads.Told;
import java.net.URI;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** CHN-1 to CHN-3. */
final class NodeHeadsTest {
  private static final List<URI> NODES =
      List.of(URI.create("http://a"), URI.create("http://b"), URI.create("http://c"));
  private static final long SILENT = -1;

  /** With a lag of at most 5. */
  private static Choice choose(int quorum, int preferred, long seen, long... heads) {
    var told =
        LongStream.of(heads)
            .mapToObj(
                head ->
                    head == SILENT
                        ? new Told(OptionalLong.empty(), "It is down.")
                        : new Told(OptionalLong.of(head), ""))
            .toList();
    return new NodeHeads(NODES, quorum, 5).choose(told, preferred, seen);
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

  @Test
  void withFewerThanMustAgreeNothingCounts() {
    assertThat(choose(2, 0, 0, 100, SILENT, SILENT))
        .isInstanceOfSatisfying(
            Refuse.class,
            refuse -> assertThat(refuse.sentence()).contains("1 of", "is 2", "It is down."));
    assertThat(choose(1, 0, 0, SILENT, SILENT, SILENT)).isInstanceOf(Refuse.class);
  }

  @Test
  void nodesThatTellLessThanWasSeenAreNotFollowed() {
    assertThat(choose(1, 0, 106, 100, 100, 99))
        .isInstanceOfSatisfying(
            Refuse.class, refuse -> assertThat(refuse.sentence()).contains("100", "106", "backup"));
    assertThat(choose(1, 0, 105, 100, 100, 99)).isInstanceOf(Follow.class);
  }
}
