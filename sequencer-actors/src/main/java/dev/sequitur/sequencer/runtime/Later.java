package dev.sequitur.sequencer.runtime;

import java.time.Duration;

/** Runs something once, after a time: a node's timers, or a test. */
@FunctionalInterface
interface Later {
  void run(Duration delay, Runnable what);
}
