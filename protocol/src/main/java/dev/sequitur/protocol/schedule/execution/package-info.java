/**
 * What happens to an occurrence from Due to Settled, the same for every family (SCH-11). Begin with
 * {@link dev.sequitur.protocol.schedule.execution.ExecutionTable}.
 */
package dev.sequitur.protocol.schedule.execution;
