package dev.sequitur.benchmarks.schedules;

import java.time.Instant;
import java.util.List;

/** What is measured: one scheduler that keeps its schedules durably. */
interface ScheduledSystem extends AutoCloseable {
  /** Durable when it returns. */
  void schedule(List<Due> schedules);

  /** Nothing that becomes due is run from now on. */
  void hold();

  /** Runs what is due, from now on. */
  void release();

  /**
   * How many have no durable outcome yet, those of the far future included; asked a few times a
   * second.
   */
  int open();

  @Override
  void close();

  /**
   * One schedule of a load.
   *
   * @param number from 0, by which its run is told
   */
  record Due(int number, Instant at) {}
}
