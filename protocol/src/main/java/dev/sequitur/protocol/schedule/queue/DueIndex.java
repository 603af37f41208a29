package dev.sequitur.protocol.schedule.queue;

import dev.sequitur.protocol.schedule.DueKey;
import dev.sequitur.protocol.schedule.FamilyKind;
import dev.sequitur.protocol.schedule.ScheduleId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.pcollections.TreePMap;

/** What waits, by family and due key. Every change and look-up is logarithmic. */
public record DueIndex(TreePMap<FamilyKind, TreePMap<DueKey, ScheduleId>> keys) {
  static final DueIndex EMPTY = new DueIndex(TreePMap.empty());

  /**
   * @throws IllegalStateException if two schedules would stand at the same place
   */
  DueIndex plus(ScheduleId id, DueKey key) {
    var of = of(id.family());
    if (of.containsKey(key)) {
      throw new IllegalStateException("Two schedules at " + key + ": " + of.get(key) + ", " + id);
    }
    return new DueIndex(keys.plus(id.family(), of.plus(key, id)));
  }

  DueIndex minus(ScheduleId id, DueKey key) {
    var rest = of(id.family()).minus(key);
    return new DueIndex(
        rest.isEmpty() ? keys.minus(id.family()) : keys.plus(id.family(), rest));
  }

  int size(FamilyKind family) {
    return of(family).size();
  }

  Optional<ScheduleId> first(FamilyKind family) {
    var of = of(family);
    return of.isEmpty() ? Optional.empty() : Optional.of(of.firstEntry().getValue());
  }

  Optional<DueKey> firstKey(FamilyKind family) {
    var of = of(family);
    return of.isEmpty() ? Optional.empty() : Optional.of(of.firstKey());
  }

  /** How many of a family wait. */
  public int waiting(FamilyKind family) {
    return of(family).size();
  }

  /** The first ones from {@code from}, inclusive, to {@code end}, exclusive, in order. */
  List<ScheduleId> range(FamilyKind family, DueKey from, DueKey end, int limit) {
    var of = of(family);
    var found = new ArrayList<ScheduleId>();
    var entry = of.ceilingEntry(from);
    while (entry != null && entry.getKey().compareTo(end) < 0 && found.size() < limit) {
      found.add(entry.getValue());
      entry = of.higherEntry(entry.getKey());
    }
    return found;
  }

  private TreePMap<DueKey, ScheduleId> of(FamilyKind family) {
    return keys.getOrDefault(family, TreePMap.empty());
  }
}
