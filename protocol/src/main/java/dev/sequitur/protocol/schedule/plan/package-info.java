/**
 * Executions that are bought by plans and called by anybody (docs/rules/plan-executions.md). Begin
 * with {@link dev.sequitur.protocol.schedule.plan.PlanExecutions}.
 */
package dev.sequitur.protocol.schedule.plan;
