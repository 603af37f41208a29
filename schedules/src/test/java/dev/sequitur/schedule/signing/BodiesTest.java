package dev.sequitur.schedule.signing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How executed bodies leave memory. */
class BodiesTest {
  private static final int MANY = 5_000;

  private static Hash body(long number) {
    return Hash.sha256(Bytes.utf8("body " + number).toByteArray());
  }

  private static Bodies executed(Bodies before, int count) {
    var bodies = before;
    for (int i = 0; i < count; i++) {
      bodies = bodies.execute(body(bodies.executed() + 1));
    }
    return bodies;
  }

  @Test
  void theOldestThatTheStoreHasNotAreTakenAndNoMoreThanWanted() {
    var bodies = executed(Bodies.EMPTY, 10).archive(4);

    assertThat(bodies.unstored(3))
        .containsExactlyElementsOf(IntStream.rangeClosed(5, 7).mapToObj(BodiesTest::body).toList());
    assertThat(bodies.unstored(100)).hasSize(6);
    assertThat(bodies.unstored()).isEqualTo(6);
    assertThat(bodies.archive(10).unstored()).isZero();
  }

  @Test
  void whatTheStoreHasJustGotStaysUntilItGetsMore() {
    var bodies = executed(Bodies.EMPTY, 10).archive(4);
    assertThat(bodies.archived()).isZero();

    assertThat(bodies.archive(10).archived()).isEqualTo(4);
    assertThat(executed(bodies, 100).archived()).isZero();
  }

  @Test
  void manyLeaveAFewAtATimeAndAllBeforeAsManyMoreHaveCome() {
    var bodies = executed(Bodies.EMPTY, 2 * MANY).archive(MANY);

    var next = bodies.archive(2 * MANY);

    assertThat(next.archived()).as("at once").isEqualTo(1_000);
    assertThat(executed(next, 1).archived()).as("with one more").isEqualTo(1_002);
    assertThat(executed(next, MANY / 2).archived()).isEqualTo(MANY);
    assertThat(executed(next, MANY).archived()).as("and no others").isEqualTo(MANY);
    assertThat(next.uses()).hasSize(2 * MANY - (int) next.archived());
  }
}
