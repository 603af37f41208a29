package dev.sequitur.schedule.plan;

import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.family.Proposal;

/**
 * The specification's {@code Execution}.
 *
 * @param incarnation tells apart the times that the same was scheduled
 * @param proposal by its requestor
 */
public record PlanExecution(
    ScheduleId id, long incarnation, Proposal proposal, PlanExecutionState state) {}
