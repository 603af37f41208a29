package dev.sequitur.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.PriorityQueue;

/** The virtual clock, and all that is still to happen: by time, then in order of scheduling. */
final class Timeline {
  static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

  private final PriorityQueue<Entry> entries = new PriorityQueue<>();
  private Instant now = START;
  private long scheduled;

  private record Entry(Instant time, long order, Runnable what) implements Comparable<Entry> {
    @Override
    public int compareTo(Entry other) {
      int byTime = time.compareTo(other.time);
      return byTime == 0 ? Long.compare(order, other.order) : byTime;
    }
  }

  Instant now() {
    return now;
  }

  void after(Duration wait, Runnable what) {
    entries.add(new Entry(now.plus(wait), scheduled++, what));
  }

  /** Lets the next thing happen, unless there is none before {@code end}. */
  boolean step(Instant end) {
    var next = entries.peek();
    if (next == null || next.time().isAfter(end)) {
      return false;
    }
    entries.poll();
    now = next.time();
    next.what().run();
    return true;
  }

  /** What does not depend on the clock of one step: used when nothing is left to happen. */
  void skipTo(Instant time) {
    if (time.isAfter(now)) {
      now = time;
    }
  }
}
