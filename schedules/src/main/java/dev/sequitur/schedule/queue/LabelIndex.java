package dev.sequitur.schedule.queue;

import dev.sequitur.protocol.paged.PagedMap;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.family.Schedule;
import java.util.List;
import java.util.Map;
import org.pcollections.TreePMap;

/**
 * Which schedules have a label, ascending by id. It follows from the schedules, and takes nothing
 * of those that have none.
 *
 * @param labelled by label; each id with itself
 */
public record LabelIndex(TreePMap<String, PagedMap<ScheduleId, ScheduleId>> labelled) {
  public static final LabelIndex EMPTY = new LabelIndex(TreePMap.empty());

  LabelIndex plus(Schedule schedule) {
    if (labels(schedule).isEmpty()) {
      return this;
    }
    var next = labelled;
    for (var label : labels(schedule)) {
      var of = next.getOrDefault(label, PagedMap.empty());
      next = next.plus(label, of.plus(schedule.id(), schedule.id()));
    }
    return new LabelIndex(next);
  }

  LabelIndex minus(Schedule schedule) {
    if (labels(schedule).isEmpty()) {
      return this;
    }
    var next = labelled;
    for (var label : labels(schedule)) {
      var rest = next.getOrDefault(label, PagedMap.empty()).minus(schedule.id());
      next = rest.isEmpty() ? next.minus(label) : next.plus(label, rest);
    }
    return new LabelIndex(next);
  }

  /**
   * Those with a label.
   *
   * @param from the first id that is of interest
   */
  public Iterable<Map.Entry<ScheduleId, ScheduleId>> from(String label, ScheduleId from) {
    return labelled.getOrDefault(label, PagedMap.empty()).from(from);
  }

  private static List<String> labels(Schedule schedule) {
    return schedule.proposal().description().labels();
  }
}
