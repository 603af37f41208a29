package dev.sequitur.schedule.gaspriority;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.DueKey;
import dev.sequitur.schedule.family.QueueView;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What one question whether a schedule is reached costs, whatever the settings are. */
class ReachTest {
  private static final int EXPIRY_TICKS = 1_000_000;
  private static final DueKey KEY = DueKey.of(2_000_000, 1, Hash.sha256(new byte[0]));

  private final AtomicInteger looks = new AtomicInteger();

  /** A queue in which so many stand in the tick before the key. */
  private QueueView queue(int before) {
    return (QueueView)
        Proxy.newProxyInstance(
            ReachTest.class.getClassLoader(),
            new Class<?>[] {QueueView.class},
            (proxy, method, arguments) -> {
              looks.incrementAndGet();
              return switch (method.getName()) {
                case "waiting" -> Math.min(before, (int) arguments[2]);
                case "waitingIn" -> List.of();
                default -> throw new UnsupportedOperationException(method.getName());
              };
            });
  }

  @Test
  void ticksInWhichNobodyWaitsAreNotLookedAt() {
    var settings = new GasPrioritySettings(100, 1, EXPIRY_TICKS, 100, 1, 64);

    assertThat(new Reach(settings, queue(5), 1).comesTo(KEY)).isTrue();

    assertThat(looks).hasValueLessThan(10);
  }
}
