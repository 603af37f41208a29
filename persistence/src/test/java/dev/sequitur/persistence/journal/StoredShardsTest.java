package dev.sequitur.persistence.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.persistence.map.MemoryMap;
import dev.sequitur.protocol.placement.ShardNumber;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class StoredShardsTest {
  private final StoredShards stored = new StoredShards(new MemoryMap());

  private OptionalInt number() {
    return stored.number().toCompletableFuture().join();
  }

  @Test
  void aNodeThatWasNeverToldHasTheUsualNumber() {
    assertThat(number()).hasValue(ShardNumber.USUAL);
  }

  @Test
  void whileListsAreDealtAnewThereIsNoneAndThenTheNewOne() {
    stored.begin().toCompletableFuture().join();
    assertThat(number()).isEmpty();

    stored.done(256).toCompletableFuture().join();
    assertThat(number()).hasValue(256);
  }
}
