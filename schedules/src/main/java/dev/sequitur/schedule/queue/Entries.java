package dev.sequitur.schedule.queue;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.paged.PagedMap;
import dev.sequitur.protocol.paged.PagedMapBuilder;
import dev.sequitur.schedule.Conclusion;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.DueKey;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.OccurrenceKey;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.execution.Execution;
import dev.sequitur.schedule.execution.ExecutionState;
import dev.sequitur.schedule.family.Schedule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Optional;
import org.pcollections.TreePMap;
import org.pcollections.TreePSet;

/**
 * The schedules of a queue and where each stands. One that is neither executing nor marked for
 * removal is in the due index, and nowhere else.
 *
 * @param executions of those between Due and Settled
 * @param retries those whose next attempt has its time, by nanoseconds and incarnation; it follows
 *     from the executions
 * @param removals settled, and gone in the next block's prologue
 * @param lists the schedules by owner and by label; it follows from them
 */
@Copyable
public record Entries(
    PagedMap<ScheduleId, Schedule> schedules,
    DueIndex due,
    TreePMap<ScheduleId, Execution> executions,
    DueIndex retries,
    TreePSet<ScheduleId> removals,
    ScheduleLists lists)
    implements EntriesBuilder.With {
  private static final Hash LEAST = new Hash(0, 0, 0, 0);

  static final Entries EMPTY =
      new Entries(
          PagedMap.empty(),
          DueIndex.EMPTY,
          TreePMap.empty(),
          DueIndex.EMPTY,
          TreePSet.empty(),
          ScheduleLists.EMPTY);

  public Optional<Schedule> schedule(ScheduleId id) {
    return Optional.ofNullable(schedules.get(id));
  }

  public Optional<Execution> execution(ScheduleId id) {
    return Optional.ofNullable(executions.get(id));
  }

  /** See {@link QueueState#reindexed}. */
  Entries reindexed() {
    var waiting = new EnumMap<FamilyKind, List<Schedule>>(FamilyKind.class);
    for (var schedule : schedules.values()) {
      if (!isStarted(schedule.id())) {
        waiting.computeIfAbsent(schedule.family(), kind -> new ArrayList<>()).add(schedule);
      }
    }
    var index = TreePMap.<FamilyKind, PagedMap<DueKey, ScheduleId>>empty();
    for (var of : waiting.entrySet()) {
      of.getValue().sort(Comparator.comparing(Schedule::due));
      var sorted = new PagedMapBuilder<DueKey, ScheduleId>();
      of.getValue().forEach(schedule -> sorted.add(schedule.due(), schedule.id()));
      index = index.plus(of.getKey(), sorted.finish());
    }
    var planned = DueIndex.EMPTY;
    for (var execution : executions.values()) {
      if (execution.state() == ExecutionState.DUE) {
        planned = planned.plus(execution.key().schedule(), retryKey(execution));
      }
    }
    return with()
        .due(new DueIndex(index))
        .retries(planned)
        .lists(ScheduleLists.of(schedules.values()))
        .build();
  }

  /** How many are between Due and Settled. */
  public int executing() {
    return executions.size();
  }

  /** Whether nothing of a family waits, be it for its time or for another attempt. */
  boolean nothingWaits(FamilyKind family) {
    return due.waiting(family) == 0 && retries.waiting(family) == 0;
  }

  /** Whether something of a family is between Due and Settled. Asked with each decision. */
  boolean isExecuting(FamilyKind family) {
    var first = executions.ceilingKey(new ScheduleId(family, LEAST));
    return first != null && first.family() == family;
  }

  /** Whether it has its outcome and leaves the queue in the next block. */
  public boolean isEnded(ScheduleId id) {
    return removals.contains(id);
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
    return with()
        .schedules(schedules.plus(schedule.id(), schedule))
        .due(due.plus(schedule.id(), schedule.due()))
        .lists(lists.plus(schedule))
        .build();
  }

  Entries start(QueueEvent.Started started, ConsensusTime now) {
    var id = started.key().schedule();
    var retried = executions.get(id);
    if (retried != null) {
      return with()
          .executions(executions.plus(id, retried.restarted(now)))
          .retries(retries.minus(id, retryKey(retried)))
          .build();
    }
    var schedule = require(started.key());
    var execution = Execution.started(started.key(), started.request(), started.price(), now);
    return with()
        .due(due.minus(id, schedule.due()))
        .executions(executions.plus(id, execution))
        .build();
  }

  Entries submit(QueueEvent.Submitted submitted) {
    return executing(submitted.key())
        .submitted(submitted.transaction())
        .map(this::put)
        .orElse(this);
  }

  Entries conclude(OccurrenceKey key, Conclusion conclusion) {
    return executing(key).concluded(conclusion).map(this::put).orElse(this);
  }

  Entries retry(OccurrenceKey failed, ConsensusTime at) {
    var retrying = executing(failed).retrying(at);
    return put(retrying).withRetries(retries.plus(failed.schedule(), retryKey(retrying)));
  }

  /**
   * @throws IllegalStateException if it does not wait
   */
  Entries defer(ScheduleId id, DueKey to) {
    var schedule = schedules.get(id);
    if (schedule == null || isStarted(id)) {
      throw new IllegalStateException("It does not wait: " + id);
    }
    return with()
        .schedules(schedules.plus(id, schedule.deferred(to)))
        .due(due.minus(id, schedule.due()).plus(id, to))
        .build();
  }

  /**
   * @throws IllegalStateException if it does not wait
   */
  Entries amend(QueueEvent.Amended amended) {
    var id = amended.schedule();
    var schedule = schedules.get(id);
    if (schedule == null || isStarted(id)) {
      throw new IllegalStateException("It does not wait: " + id);
    }
    var after = schedule.amended(amended.proposal(), amended.due());
    return with()
        .schedules(schedules.plus(id, after))
        .due(due.minus(id, schedule.due()).plus(id, after.due()))
        .lists(lists.minus(List.of(schedule)).plus(after))
        .build();
  }

  /**
   * @throws IllegalStateException if it has ended
   */
  Entries intervene(QueueEvent.Intervened done) {
    var schedule = schedules.get(done.schedule());
    if (schedule == null || isEnded(done.schedule())) {
      throw new IllegalStateException("It has ended: " + done.schedule());
    }
    return withSchedules(schedules.plus(done.schedule(), schedule.after(done.intervention())));
  }

  /**
   * What ran is marked for removal; what never started is gone at once.
   *
   * @param schedule as {@link #require} gives it
   * @param ran whether it ran, be it within this very step
   */
  Entries settle(Schedule schedule, QueueEvent.Settled settled, boolean ran) {
    var id = schedule.id();
    var ended = withoutExecution(settled.key(), schedule);
    if (settled.next().isPresent()) {
      var next = settled.next().get();
      return ended
          .with()
          .schedules(
              schedules.plus(id, schedule.next(next, settled.occurrences(), settled.outcome())))
          .due(ended.due.plus(id, next))
          .build();
    } else if (!ran) {
      return ended
          .with()
          .schedules(schedules.minus(id))
          .lists(lists.minus(List.of(schedule)))
          .build();
    }
    return ended.withRemovals(removals.plus(id));
  }

  private Entries withoutExecution(OccurrenceKey key, Schedule schedule) {
    if (!executions.containsKey(schedule.id())) {
      return withDue(due.minus(schedule.id(), schedule.due()));
    }
    executing(key).settle();
    return withExecutions(executions.minus(key.schedule()));
  }

  /** All that is marked. */
  Entries remove() {
    var gone = new ArrayList<Schedule>(removals.size());
    return with()
        .schedules(schedules.minusAll(removals, gone::add))
        .removals(TreePSet.empty())
        .lists(lists.minus(gone))
        .build();
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
}
