/**
 * What happens to an occurrence from Due to Settled, the same for every family (SCH-11). Begin with
 * {@link dev.sequitur.schedule.execution.ExecutionTable}.
 */
package dev.sequitur.schedule.execution;
