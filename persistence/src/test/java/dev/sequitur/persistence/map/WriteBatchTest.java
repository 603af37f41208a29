package dev.sequitur.persistence.map;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

final class WriteBatchTest {
  private static final Key ONE = Key.in(KeySpace.CELL).text("one");
  private static final Key TWO = Key.in(KeySpace.CELL).text("two");

  private final WriteBatch batch =
      new WriteBatch(key -> key.equals(ONE) ? Optional.of(new byte[] {7}) : Optional.empty());

  @Test
  void readsWhatEarlierWritesLeftUntilItChangesIt() {
    assertThat(batch.get(ONE)).hasValueSatisfying(value -> assertThat(value).containsExactly(7));
    assertThat(batch.get(TWO)).isEmpty();

    batch.delete(ONE);
    batch.put(TWO, new byte[] {8});

    assertThat(batch.get(ONE)).isEmpty();
    assertThat(batch.get(TWO)).hasValueSatisfying(value -> assertThat(value).containsExactly(8));
    assertThat(batch.changes()).containsOnlyKeys(ONE, TWO);
  }

  @Test
  void countsKeysAndValues() {
    batch.put(TWO, new byte[10]);
    assertThat(batch.bytes()).isEqualTo(1 + 2 + 3 + 10);

    batch.delete(ONE);
    assertThat(batch.bytes()).isEqualTo(2 * (1 + 2 + 3) + 10);
  }
}
