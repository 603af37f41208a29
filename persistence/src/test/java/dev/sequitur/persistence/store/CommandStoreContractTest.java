package dev.sequitur.persistence.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.persistence.store.CommandStore.Done;
import dev.sequitur.persistence.store.CommandStore.Extent;
import dev.sequitur.protocol.id.Hash;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What each store of commands that were done promises. */
abstract class CommandStoreContractTest extends QueueStoreFixture<CommandStore> {
  private static final Instant MORNING = Instant.parse("2030-01-31T08:00:00Z");

  CommandStoreContractTest(OwnStores own) {
    super(own, QueueStores::commands);
  }

  private static Hash id(long number) {
    return Hash.sha256(("command " + number).getBytes(UTF_8));
  }

  private static Done done(long number) {
    return new Done(number, id(number), ("content " + number).getBytes(UTF_8));
  }

  private static List<Done> done(long first, long last) {
    return LongStream.rangeClosed(first, last).mapToObj(CommandStoreContractTest::done).toList();
  }

  private static void has(CommandStore store, String queue, long number) {
    assertThat(get(store.find(queue, List.of(id(number), id(-1)))))
        .containsOnlyKeys(id(number))
        .allSatisfy((id, content) -> assertThat(content).isEqualTo(done(number).content()));
  }

  @Test
  void whatWasNeverAddedIsNotThere() {
    assertThat(get(store().find("a", List.of(id(1))))).isEmpty();
    assertThat(get(store().extent("a"))).isEqualTo(new Extent(1, 0));
  }

  @Test
  void whatWasAddedIsThereAfterARestart() {
    get(store().add("a", 3, MORNING, List.of(done(1), done(3))));

    var reopened = reopened();

    has(reopened, "a", 1);
    has(reopened, "a", 3);
    assertThat(get(reopened.find("a", List.of(id(2))))).isEmpty();
    assertThat(get(reopened.extent("a"))).isEqualTo(new Extent(1, 3));
  }

  @Test
  void addingAgainChangesNothing() {
    get(store().add("a", 4, MORNING, done(1, 4)));

    get(store().add("a", 3, MORNING, done(2, 3)));

    has(store(), "a", 2);
    assertThat(get(store().extent("a"))).isEqualTo(new Extent(1, 4));
  }

  @Test
  void eachQueueHasItsOwn() {
    get(store().add("a", 1, MORNING, done(1, 1)));
    get(store().add("ab", 1, MORNING, done(1, 1)));

    get(store().forget("ab", MORNING.plusSeconds(1), 10));

    has(store(), "a", 1);
    assertThat(get(store().find("ab", List.of(id(1))))).isEmpty();
    assertThat(get(store().find("", List.of(id(1))))).isEmpty();
  }

  @Test
  void whatIsOlderIsForgottenAndNothingElse() {
    get(store().add("a", 10, MORNING, done(1, 10)));
    get(store().add("a", 20, MORNING.plusSeconds(60), done(11, 20)));

    assertThat(get(store().forget("a", MORNING, 100))).isEqualTo(new Extent(1, 20));
    assertThat(get(store().forget("a", MORNING.plusSeconds(60), 4))).isEqualTo(new Extent(5, 20));
    assertThat(get(store().forget("a", MORNING.plusSeconds(60), 100)))
        .isEqualTo(new Extent(11, 20));

    assertThat(get(store().find("a", List.of(id(1), id(10))))).isEmpty();
    has(store(), "a", 11);
    assertThat(get(store().forget("a", MORNING.plusSeconds(61), 100)).size()).isZero();
    assertThat(get(reopened().extent("a"))).isEqualTo(new Extent(21, 20));
  }

  @Test
  void manyAreAddedAtOnce() {
    get(store().add("a", 10_000, MORNING, done(1, 10_000)));

    has(store(), "a", 1);
    has(store(), "a", 10_000);
  }
}
