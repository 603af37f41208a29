package dev.sequitur.protocol.schedule.queue;

import dev.sequitur.protocol.schedule.Conclusion;
import dev.sequitur.protocol.schedule.ConsensusTime;
import dev.sequitur.protocol.schedule.DueKey;
import dev.sequitur.protocol.schedule.FamilyKind;
import dev.sequitur.protocol.schedule.OccurrenceKey;
import dev.sequitur.protocol.schedule.ScheduleId;
import dev.sequitur.protocol.schedule.execution.Execution;
import dev.sequitur.protocol.schedule.execution.ExecutionEvent;
import dev.sequitur.protocol.schedule.family.Schedule;
import java.util.EnumMap;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.pcollections.TreePMap;
import org.pcollections.TreePSet;

/**
 * The schedules of a queue and where each stands. One that is neither executing nor marked for
 * removal is in the due index, and nowhere else.
 *
 * @param executions of those between Due and Settled
 * @param retries those whose next attempt has its time, by nanoseconds and incarnation
 * @param removals settled, and gone in the next block's prologue
 */
public record Entries(
    TreePMap<ScheduleId, Schedule> schedules,
    DueIndex due,
    TreePMap<ScheduleId, Execution> executions,
    TreePMap<DueKey, ScheduleId> retries,
    TreePSet<ScheduleId> removals) {
  static final Entries EMPTY =
      new Entries(
          TreePMap.empty(), DueIndex.EMPTY, TreePMap.empty(), TreePMap.empty(), TreePSet.empty());

  public Optional<Schedule> schedule(ScheduleId id) {
    return Optional.ofNullable(schedules.get(id));
  }

  public Optional<Execution> execution(ScheduleId id) {
    return Optional.ofNullable(executions.get(id));
  }

  /** See {@link QueueState#reindexed}. */
  Entries reindexed() {
    var keys = new EnumMap<FamilyKind, SortedMap<DueKey, ScheduleId>>(FamilyKind.class);
    for (var schedule : schedules.values()) {
      if (!isStarted(schedule.id())) {
        keys.computeIfAbsent(schedule.family(), kind -> new TreeMap<>())
            .put(schedule.due(), schedule.id());
      }
    }
    var index = TreePMap.<FamilyKind, TreePMap<DueKey, ScheduleId>>empty();
    for (var of : keys.entrySet()) {
      index = index.plus(of.getKey(), TreePMap.fromSortedMap(of.getValue()));
    }
    return with(schedules, new DueIndex(index));
  }

  /** The execution, if it is of this very attempt. */
  Optional<Execution> execution(OccurrenceKey key) {
    return execution(key.schedule()).filter(execution -> execution.key().equals(key));
  }

  /** Whether its end has come or can come no more by a command. */
  public boolean isStarted(ScheduleId id) {
    return executions.containsKey(id) || removals.contains(id);
  }

  Entries admit(Schedule schedule) {
    if (schedules.containsKey(schedule.id())) {
      throw new IllegalStateException("Admitted twice: " + schedule.id());
    }
    return with(schedules.plus(schedule.id(), schedule), due.plus(schedule.id(), schedule.due()));
  }

  Entries start(QueueEvent.Started started, ConsensusTime now) {
    var id = started.key().schedule();
    var retried = executions.get(id);
    if (retried != null) {
      return new Entries(
          schedules,
          due,
          executions.plus(id, retried.restarted(now)),
          retries.minus(retryKey(retried)),
          removals);
    }
    var schedule = require(started.key());
    var execution = Execution.started(started.key(), started.request(), started.price(), now);
    return with(schedules, due.minus(id, schedule.due()))
        .withExecutions(executions.plus(id, execution));
  }

  Entries submit(OccurrenceKey key) {
    return put(executing(key).on(ExecutionEvent.SUBMIT));
  }

  Entries conclude(OccurrenceKey key, Conclusion conclusion) {
    return put(executing(key).concluded(conclusion));
  }

  Entries retry(OccurrenceKey failed, ConsensusTime at) {
    var retrying = executing(failed).retrying(at);
    var next = put(retrying);
    return new Entries(
        next.schedules,
        next.due,
        next.executions,
        next.retries.plus(retryKey(retrying), failed.schedule()),
        next.removals);
  }

  /**
   * @throws IllegalStateException if it does not wait
   */
  Entries defer(ScheduleId id, DueKey to) {
    var schedule = schedules.get(id);
    if (schedule == null || isStarted(id)) {
      throw new IllegalStateException("It does not wait: " + id);
    }
    return with(
        schedules.plus(id, schedule.deferred(to)), due.minus(id, schedule.due()).plus(id, to));
  }

  /**
   * @throws IllegalStateException if the occurrence is not there or was settled before
   */
  Entries settle(OccurrenceKey key, Optional<DueKey> next) {
    var id = key.schedule();
    var schedule = require(key);
    var execution = executions.get(id);
    Entries ended;
    if (execution == null) {
      ended = with(schedules, due.minus(id, schedule.due()));
    } else {
      executing(key).on(ExecutionEvent.SETTLE);
      ended = withExecutions(executions.minus(id));
    }
    if (next.isPresent()) {
      var following = schedule.next(next.get());
      return ended.with(schedules.plus(id, following), ended.due.plus(id, next.get()));
    } else if (execution == null) {
      return ended.with(schedules.minus(id), ended.due);
    }
    return new Entries(
        ended.schedules, ended.due, ended.executions, ended.retries, removals.plus(id));
  }

  Entries remove(List<ScheduleId> ids) {
    var rest = schedules;
    for (var id : ids) {
      rest = rest.minus(id);
    }
    return new Entries(rest, due, executions, retries, removals.minusAll(ids));
  }

  /**
   * @throws IllegalStateException if the occurrence is not there or was settled before
   */
  Schedule require(OccurrenceKey key) {
    var schedule = schedules.get(key.schedule());
    if (schedule == null
        || schedule.incarnation() != key.incarnation()
        || schedule.occurrence() != key.occurrence()
        || removals.contains(key.schedule())) {
      throw new IllegalStateException("Not there, or settled before: " + key + ", " + schedule);
    }
    return schedule;
  }

  private Execution executing(OccurrenceKey key) {
    return execution(key).orElseThrow(() -> new IllegalStateException("Not executing: " + key));
  }

  private static DueKey retryKey(Execution execution) {
    return DueKey.of(execution.startAt().nanos(), execution.key().incarnation());
  }

  private Entries put(Execution execution) {
    return withExecutions(executions.plus(execution.key().schedule(), execution));
  }

  private Entries with(TreePMap<ScheduleId, Schedule> nextSchedules, DueIndex nextDue) {
    return new Entries(nextSchedules, nextDue, executions, retries, removals);
  }

  private Entries withExecutions(TreePMap<ScheduleId, Execution> next) {
    return new Entries(schedules, due, next, retries, removals);
  }
}
