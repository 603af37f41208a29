package dev.sequitur.persistence.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Hash;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What each store of executed bodies promises. */
abstract class BodyStoreContractTest extends QueueStoreFixture<BodyStore> {
  BodyStoreContractTest(OwnStores own) {
    super(own, QueueStores::bodies);
  }

  private static Hash body(int number) {
    return Hash.sha256(new byte[] {(byte) number, (byte) (number >> 8)});
  }

  @Test
  void whatWasNeverAddedIsNotThere() {
    assertThat(get(store().contains("a", body(1)))).isFalse();
  }

  @Test
  void whatWasAddedIsThereForEver() {
    get(store().add("a", 2, List.of(body(1), body(2))));
    assertThat(get(store().contains("a", body(1)))).isTrue();

    var reopened = reopened();

    assertThat(get(reopened.contains("a", body(1)))).isTrue();
    assertThat(get(reopened.contains("a", body(2)))).isTrue();
    assertThat(get(reopened.contains("a", body(3)))).isFalse();
  }

  @Test
  void addingAgainChangesNothing() {
    get(store().add("a", 2, List.of(body(1), body(2))));

    get(store().add("a", 3, List.of(body(2), body(3), body(3))));

    for (int number = 1; number <= 3; number++) {
      assertThat(get(store().contains("a", body(number)))).isTrue();
    }
  }

  @Test
  void eachQueueHasItsOwn() {
    get(store().add("a", 1, List.of(body(1))));

    assertThat(get(store().contains("ab", body(1)))).isFalse();
    assertThat(get(store().contains("", body(1)))).isFalse();
  }

  @Test
  void manyAreAddedAtOnce() {
    get(
        store()
            .add(
                "a",
                10_000,
                IntStream.range(0, 10_000).mapToObj(BodyStoreContractTest::body).toList()));

    assertThat(get(store().contains("a", body(0)))).isTrue();
    assertThat(get(store().contains("a", body(9_999)))).isTrue();
    assertThat(get(store().contains("a", body(10_000)))).isFalse();
  }

  @Test
  void itKnowsUpToWhichExecutionItHasThem() {
    assertThat(get(store().storedUpTo("a"))).isZero();
    get(store().add("a", 2, List.of(body(1), body(2))));
    get(store().add("a", 5, List.of(body(3))));
    get(store().add("a", 3, List.of(body(3))));

    assertThat(get(reopened().storedUpTo("a"))).isEqualTo(5);
    assertThat(get(store().storedUpTo("ab"))).isZero();
  }
}
