/**
 * What the rules of schedules need from others: the sequencer, which carries out a schedule's call.
 */
package dev.sequitur.schedule.port;
