package dev.sequitur.protocol.listener;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Several subscriptions to one listener, which come and go, crash, answer late or not at all, while
 * the store fails and the listener is stopped, deleted and made anew: at least once, in order, and
 * nothing after a deletion (CLR-2, CLR-3, CLR-6). What must hold is asserted after each step, by
 * {@link ToldListener}.
 */
final class SharedTellingTest {
  private static final int SEEDS = 500;
  private static final int STEPS = 400;

  @ParameterizedTest
  @ValueSource(longs = {1, 1_000_000, 2_000_000, 3_000_000})
  void eachRowIsTakenAtLeastOnceAndNothingComesAfterADeletion(long first) {
    for (long seed = first; seed < first + SEEDS; seed++) {
      var world = new ToldListener(seed);
      for (int step = 0; step < STEPS; step++) {
        world.step();
      }
      world.settle();
      assertThat(world.untold()).as("seed " + seed + ": " + world).isEmpty();
    }
  }
}
