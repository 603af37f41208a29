/**
 * Executions that are bought by plans and called by anybody (docs/rules/plan-executions.md). Begin
 * with {@link dev.sequitur.schedule.plan.PlanExecutions}.
 */
package dev.sequitur.schedule.plan;
