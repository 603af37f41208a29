/**
 * Executions that were requested at a plan contract of a chain, as its service provider sees them
 * (docs/rules/plan-executions.md, PRV). What the contract says of an execution becomes a schedule;
 * what is to be sent to it is decided here. Begin with {@link
 * dev.sequitur.schedule.chainexecution.ChainExecutions} and {@link
 * dev.sequitur.schedule.chainexecution.Providing}.
 */
package dev.sequitur.schedule.chainexecution;
