package dev.sequitur.scheduler.actor;

import java.time.Instant;

/**
 * What a JVM of the node tells the others: what its clock says.
 *
 * @param jvm its address in the node's cluster
 */
public record ClockReading(String jvm, Instant time) {}
