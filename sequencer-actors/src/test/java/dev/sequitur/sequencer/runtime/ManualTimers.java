package dev.sequitur.sequencer.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Timers that go off when a test lets time pass. */
final class ManualTimers implements Later {
  private final List<Timer> timers = new ArrayList<>();
  private Duration now = Duration.ZERO;

  private record Timer(Duration due, Runnable what) {}

  @Override
  public void run(Duration delay, Runnable what) {
    timers.add(new Timer(now.plus(delay), what));
  }

  int count() {
    return timers.size();
  }

  void pass(Duration time) {
    var end = now.plus(time);
    while (true) {
      var next =
          timers.stream()
              .filter(timer -> timer.due().compareTo(end) <= 0)
              .min(Comparator.comparing(Timer::due));
      if (next.isEmpty()) {
        now = end;
        return;
      }
      timers.remove(next.get());
      now = next.get().due();
      next.get().what().run();
    }
  }
}
