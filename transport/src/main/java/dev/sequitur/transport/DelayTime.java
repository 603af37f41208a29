package dev.sequitur.transport;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** How long a delayed envelope is held back. */
public sealed interface DelayTime {

  /** Not negative. */
  Duration draw(RandomGenerator random);

  /** Always the same, so that the order stays. */
  record Fixed(Duration time) implements DelayTime {
    public Fixed {
      checkNotNegative(time);
    }

    @Override
    public Duration draw(RandomGenerator random) {
      return time;
    }
  }

  /** Every time from {@code atLeast} to {@code atMost} is equally likely. */
  record Uniform(Duration atLeast, Duration atMost) implements DelayTime {
    public Uniform {
      checkNotNegative(atLeast);
      if (atMost.compareTo(atLeast) < 0) {
        throw new IllegalArgumentException(
            "The longest delay is at least the shortest: " + atMost + " < " + atLeast + ".");
      }
    }

    @Override
    public Duration draw(RandomGenerator random) {
      long width = atMost.minus(atLeast).toNanos();
      return atLeast.plusNanos(random.nextLong(width + 1));
    }
  }

  /** Mostly short, seldom long, as in a network with queues; never above {@code atMost}. */
  record Exponential(Duration mean, Duration atMost) implements DelayTime {
    public Exponential {
      checkNotNegative(mean);
      checkNotNegative(atMost);
    }

    @Override
    public Duration draw(RandomGenerator random) {
      long nanos = (long) (random.nextExponential() * mean.toNanos());
      return Duration.ofNanos(Math.min(nanos, atMost.toNanos()));
    }
  }

  private static void checkNotNegative(Duration time) {
    if (time.isNegative()) {
      throw new IllegalArgumentException("A delay is not negative: " + time + ".");
    }
  }
}
