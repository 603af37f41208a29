package dev.sequitur.benchmarks.schedules;

import java.time.Instant;

/**
 * One schedule of a load.
 *
 * @param number from 0, by which its run is told
 */
record Due(int number, Instant at) {}
