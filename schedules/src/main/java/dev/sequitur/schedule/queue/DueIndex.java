package dev.sequitur.schedule.queue;

import dev.sequitur.protocol.paged.PagedMap;
import dev.sequitur.schedule.DueKey;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.ParkedFor;
import dev.sequitur.schedule.ScheduleId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.pcollections.TreePMap;

/**
 * What waits, by family and key. Every change and look-up is logarithmic, and nothing of one family
 * is passed by on the way to another's.
 */
public record DueIndex(TreePMap<FamilyKind, PagedMap<DueKey, ScheduleId>> keys) {
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
    return new DueIndex(rest.isEmpty() ? keys.minus(id.family()) : keys.plus(id.family(), rest));
  }

  Optional<ScheduleId> first(FamilyKind family) {
    return of(family).first().map(Map.Entry::getValue);
  }

  Optional<DueKey> firstKey(FamilyKind family) {
    return of(family).first().map(Map.Entry::getKey);
  }

  /** Those of a family from a key on, inclusive, in order. */
  Iterable<Map.Entry<DueKey, ScheduleId>> each(FamilyKind family, DueKey from) {
    return of(family).from(from);
  }

  /** How many of a family wait. */
  public int waiting(FamilyKind family) {
    return of(family).size();
  }

  /** How many are parked, of all families, by cause; without those for which none is. */
  public Map<ParkedFor, Integer> parked() {
    var counts = new EnumMap<ParkedFor, Integer>(ParkedFor.class);
    for (var family : keys.keySet()) {
      for (var entry : of(family).from(DueKey.fromParked(ParkedFor.SLOT_FULL))) {
        entry.getKey().parkedFor().ifPresent(cause -> counts.merge(cause, 1, Integer::sum));
      }
    }
    return counts;
  }

  /** Those of which something waits. */
  Set<FamilyKind> families() {
    return keys.keySet();
  }

  /** Those before {@code end}, exclusive, of some families, the earliest first. */
  List<ScheduleId> earliest(Collection<FamilyKind> families, DueKey end, int limit) {
    var found = new TreeMap<DueKey, ScheduleId>();
    for (var family : families) {
      int left = limit;
      for (var entry : of(family).from(DueKey.from(0))) {
        if (entry.getKey().compareTo(end) >= 0 || left == 0) {
          break;
        }
        found.put(entry.getKey(), entry.getValue());
        left--;
      }
    }
    return found.values().stream().limit(limit).toList();
  }

  /** The first ones from {@code from}, inclusive, to {@code end}, exclusive, in order. */
  List<ScheduleId> range(FamilyKind family, DueKey from, DueKey end, int limit) {
    var found = new ArrayList<ScheduleId>();
    for (var entry : of(family).from(from)) {
      if (entry.getKey().compareTo(end) >= 0 || found.size() >= limit) {
        break;
      }
      found.add(entry.getValue());
    }
    return found;
  }

  private PagedMap<DueKey, ScheduleId> of(FamilyKind family) {
    return keys.getOrDefault(family, PagedMap.empty());
  }
}
