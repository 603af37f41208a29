package dev.sequitur.schedule.plan;

import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.family.FamilyResult;
import java.util.List;

/** What the contract's functions return. */
public sealed interface PlanResult extends FamilyResult {
  /**
   * @param plan its number
   */
  record Added(long plan) implements PlanResult {}

  /**
   * @param remaining how many executions of the plan the requestor can schedule now
   */
  record Purchased(long remaining) implements PlanResult {}

  /** In the order of what was asked for. */
  record Scheduled(List<ScheduleId> executions) implements PlanResult {
    public Scheduled {
      executions = List.copyOf(executions);
    }

    @Override
    public List<ScheduleId> schedules() {
      return executions;
    }
  }
}
