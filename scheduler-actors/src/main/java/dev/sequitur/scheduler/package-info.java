/** Thin actors around the schedule rules. They reach the sequencer only through its port. */
package dev.sequitur.scheduler;
