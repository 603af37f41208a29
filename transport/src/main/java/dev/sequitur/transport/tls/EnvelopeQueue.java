package dev.sequitur.transport.tls;

import dev.sequitur.protocol.message.Envelope;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * What waits for one peer. When it is full the oldest go: what is newer says more, and what matters
 * is resent by the protocol. Many threads add, one takes.
 */
final class EnvelopeQueue {
  private final int capacity;
  private final Deque<Envelope> waiting = new ArrayDeque<>();
  private boolean woken;

  EnvelopeQueue(int capacity) {
    this.capacity = capacity;
  }

  /**
   * Adds at the end.
   *
   * @return how many envelopes had to go
   */
  synchronized int add(List<Envelope> batch) {
    int excess = Math.max(0, waiting.size() + batch.size() - capacity);
    waiting.addAll(batch);
    for (int i = 0; i < excess; i++) {
      waiting.removeFirst();
    }
    notifyAll();
    return excess;
  }

  /** Waits for something to take; empty if the time is over or {@link #wake} was called. */
  synchronized List<Envelope> take(int most, Duration time) throws InterruptedException {
    long end = System.nanoTime() + time.toNanos();
    long left = millisUntil(end);
    while (waiting.isEmpty() && !woken && left > 0) {
      wait(left);
      left = millisUntil(end);
    }
    woken = false;
    var batch = new ArrayList<Envelope>(Math.min(most, waiting.size()));
    while (batch.size() < most && !waiting.isEmpty()) {
      batch.add(waiting.removeFirst());
    }
    return batch;
  }

  /** What waits now. */
  synchronized List<Envelope> takeAll() {
    var all = List.copyOf(waiting);
    waiting.clear();
    return all;
  }

  /** Waits for the time to pass or {@link #wake} to be called, whatever comes to the queue. */
  synchronized void pause(Duration time) throws InterruptedException {
    long end = System.nanoTime() + time.toNanos();
    long left = millisUntil(end);
    while (!woken && left > 0) {
      wait(left);
      left = millisUntil(end);
    }
    woken = false;
  }

  /** Ends the present wait of the taker, or its next one. */
  synchronized void wake() {
    woken = true;
    notifyAll();
  }

  synchronized int size() {
    return waiting.size();
  }

  /** Rounded up, since 0 would wait for ever; 0 or less when the time is over. */
  private static long millisUntil(long end) {
    return (end - System.nanoTime() + 999_999) / 1_000_000;
  }
}
