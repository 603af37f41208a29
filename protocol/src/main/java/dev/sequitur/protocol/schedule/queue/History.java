package dev.sequitur.protocol.schedule.queue;

import dev.sequitur.protocol.schedule.ConsensusTime;
import dev.sequitur.protocol.schedule.OccurrenceKey;
import dev.sequitur.protocol.schedule.Outcome;
import dev.sequitur.protocol.schedule.ScheduleId;
import java.util.List;
import org.pcollections.TreePMap;
import org.pcollections.TreePVector;

/**
 * The newest outcomes, so many of them (DECISIONS F8).
 *
 * @param bySchedule oldest first
 * @param byAge the schedule of each record, oldest first
 */
public record History(
    TreePMap<ScheduleId, TreePVector<Recorded>> bySchedule,
    TreePMap<Long, ScheduleId> byAge,
    long next) {
  static final History EMPTY = new History(TreePMap.empty(), TreePMap.empty(), 0);

  /**
   * One occurrence and its one outcome.
   *
   * @param key of its last attempt
   * @param note why, without private data; may be empty
   */
  public record Recorded(OccurrenceKey key, Outcome outcome, ConsensusTime at, String note) {}

  public List<Recorded> of(ScheduleId id) {
    return bySchedule.getOrDefault(id, TreePVector.empty());
  }

  History plus(Recorded recorded, int limit) {
    var id = recorded.key().schedule();
    var of = bySchedule.getOrDefault(id, TreePVector.empty());
    var added = new History(bySchedule.plus(id, of.plus(recorded)), byAge.plus(next, id), next + 1);
    return added.byAge.size() > limit ? added.withoutOldest() : added;
  }

  private History withoutOldest() {
    var id = byAge.firstEntry().getValue();
    var rest = bySchedule.get(id).minus(0);
    return new History(
        rest.isEmpty() ? bySchedule.minus(id) : bySchedule.plus(id, rest),
        byAge.minus(byAge.firstKey()),
        next);
  }
}
