package dev.sequitur.persistence.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.persistence.store.OutcomeStore.Ended;
import dev.sequitur.persistence.store.OutcomeStore.Found;
import dev.sequitur.persistence.store.OutcomeStore.Query;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What each store of outcomes promises. */
abstract class OutcomeStoreContractTest extends QueueStoreFixture<OutcomeStore> {
  private static final Instant MORNING = Instant.parse("2030-01-31T08:00:00Z");

  OutcomeStoreContractTest(OwnStores own) {
    super(own, QueueStores::outcomes);
  }

  /** A second after the one before; each third is marked, too. */
  private static Ended ended(long number) {
    var marks = number % 3 == 0 ? List.of("all", "third") : List.of("all");
    return new Ended(
        number, MORNING.plusSeconds(number), marks, ("content " + number).getBytes(UTF_8));
  }

  private static List<Ended> ended(long first, long last) {
    return LongStream.rangeClosed(first, last).mapToObj(OutcomeStoreContractTest::ended).toList();
  }

  private static Query all() {
    return new Query(Optional.empty(), 0, Optional.empty(), false, 100);
  }

  private static Query marked(String mark, boolean newestFirst, int atMost) {
    return new Query(Optional.of(mark), 0, Optional.empty(), newestFirst, atMost);
  }

  private static List<Long> numbers(OutcomeStore store, Query query) {
    var found = get(store.find("a", query));
    assertThat(found)
        .allSatisfy(each -> assertThat(each.content()).isEqualTo(ended(each.number()).content()));
    return found.stream().map(Found::number).toList();
  }

  @Test
  void whatWasAddedIsThereInOrderAfterARestart() {
    assertThat(numbers(store(), all())).isEmpty();
    assertThat(get(store().oldest("a"))).isEmpty();
    get(store().add("a", ended(2, 4), 0));
    get(store().add("a", ended(5, 5), 0));
    get(store().add("a", ended(3, 4), 0));

    assertThat(numbers(reopened(), all())).containsExactly(2L, 3L, 4L, 5L);
    assertThat(get(store().oldest("a"))).contains(2L);
    assertThat(get(store().find("b", all()))).isEmpty();
  }

  @Test
  void aPageBeginsAtANumberAndEndsWhenItIsFull() {
    get(store().add("a", ended(0, 9), 0));

    assertThat(numbers(store(), new Query(Optional.empty(), 3, Optional.empty(), false, 2)))
        .containsExactly(3L, 4L);
    assertThat(numbers(store(), new Query(Optional.of("third"), 4, Optional.empty(), false, 9)))
        .containsExactly(6L, 9L);
  }

  @Test
  void theyAreFoundByTheirMarksFromEitherEnd() {
    get(store().add("a", ended(0, 9), 0));

    assertThat(numbers(store(), marked("third", false, 9))).containsExactly(0L, 3L, 6L, 9L);
    assertThat(numbers(store(), marked("third", true, 2))).containsExactly(9L, 6L);
    assertThat(numbers(store(), marked("all", false, 100))).hasSize(10);
    assertThat(numbers(store(), marked("thir", false, 9))).isEmpty();
  }

  @Test
  void theyAreFoundByTheirTime() {
    get(store().add("a", ended(5, 20), 0));

    for (long second : new long[] {0, 5, 6, 13, 20}) {
      assertThat(numbers(store(), since(MORNING.plusSeconds(second))))
          .as("%d", second)
          .startsWith(Math.max(5, second))
          .endsWith(20L);
    }
    assertThat(numbers(store(), since(MORNING.plusMillis(12_001)))).startsWith(13L);
    assertThat(numbers(store(), since(MORNING.plusSeconds(21)))).isEmpty();
  }

  private static Query since(Instant at) {
    return new Query(Optional.empty(), 0, Optional.of(at), false, 100);
  }

  /** A row is kept whole while one of its outcomes is to be kept. */
  @Test
  void theOldestAreForgottenWithTheirMarks() {
    get(store().add("a", ended(0, 69), 0));
    get(store().add("b", ended(0, 69), 0));

    get(store().add("a", ended(70, 70), 64));

    assertThat(numbers(store(), all())).containsExactly(64L, 65L, 66L, 67L, 68L, 69L, 70L);
    assertThat(numbers(store(), marked("third", false, 9))).containsExactly(66L, 69L);
    assertThat(get(store().oldest("a"))).contains(64L);
    assertThat(get(store().find("b", all()))).hasSize(70);
  }

  /** After the limit was lowered. */
  @Test
  void moreAreForgottenThanAreAdded() {
    get(store().add("a", ended(0, 299), 0));

    get(store().add("a", ended(300, 300), 300));
    assertThat(get(store().oldest("a"))).contains(112L);
    get(store().add("a", ended(301, 301), 300));
    get(store().add("a", ended(302, 302), 300));

    assertThat(get(store().oldest("a")))
        .hasValueSatisfying(oldest -> assertThat(300 - oldest).isBetween(0L, 16L));
  }

  /** So that nothing is left of a mark for which there is no outcome. */
  @Test
  void whatWasHandedOverInOtherPiecesBeforeIsThereOnce() {
    get(store().add("a", ended(0, 20), 0));
    get(store().add("a", ended(0, 40), 0));
    get(store().add("a", ended(37, 70), 0));

    assertThat(numbers(store(), all())).isEqualTo(LongStream.rangeClosed(0, 70).boxed().toList());
    assertThat(numbers(store(), marked("all", false, 100))).hasSize(71);
    get(store().add("a", ended(71, 71), 72));
    assertThat(get(store().find("a", all())))
        .allSatisfy(each -> assertThat(each.number()).isGreaterThanOrEqualTo(64));
    assertThat(numbers(store(), marked("all", true, 100))).hasSize(8);
  }

  /** A page may begin and end within a row, and a row of a mark is found from either end. */
  @Test
  void aPageIsTheSameWhereverItBeginsAndEnds() {
    get(store().add("a", ended(5, 90), 0));

    for (long from = 0; from < 92; from += 7) {
      for (int atMost : new int[] {1, 3, 16, 17, 100}) {
        for (var mark : List.of(Optional.<String>empty(), Optional.of("third"))) {
          long first = from;
          var there =
              LongStream.rangeClosed(5, 90)
                  .filter(it -> it >= first && (mark.isEmpty() || it % 3 == 0))
                  .boxed()
                  .toList();
          assertThat(numbers(store(), new Query(mark, from, Optional.empty(), false, atMost)))
              .isEqualTo(there.stream().limit(atMost).toList());
          assertThat(numbers(store(), new Query(mark, from, Optional.empty(), true, atMost)))
              .isEqualTo(there.reversed().stream().limit(atMost).toList());
        }
      }
    }
  }
}
