package dev.sequitur.scheduler.actor;

import dev.sequitur.protocol.schedule.ConsensusTime;
import dev.sequitur.protocol.schedule.Outcome;
import dev.sequitur.protocol.schedule.ParkedFor;
import dev.sequitur.protocol.schedule.WallTime;
import dev.sequitur.protocol.schedule.queue.QueueEffect;
import dev.sequitur.protocol.schedule.queue.QueueEffect.Answer;
import dev.sequitur.protocol.schedule.queue.QueueEffect.BatchAnswer;
import dev.sequitur.protocol.schedule.queue.QueueEffect.HandOver;
import dev.sequitur.protocol.schedule.queue.QueueEffect.Notice;
import dev.sequitur.protocol.schedule.queue.QueueEffect.Publish;
import dev.sequitur.protocol.schedule.queue.QueueState;
import dev.sequitur.protocol.schedule.queue.ScheduleQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * What an operator watches: all queues that this JVM has in memory together, since their names are
 * their users' own. Thread-safe; a queue's actor tells it after each write.
 */
public final class QueueFigures {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double MILLIS_PER_SECOND = 1e3;

  /** As last stored; it is immutable, and its actor would keep it anyway. */
  private final Map<String, QueueState> queues = new ConcurrentHashMap<>();

  private final Map<Outcome, LongAdder> outcomes = new EnumMap<>(Outcome.class);
  private final LongAdder taken = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder busy = new LongAdder();
  private final LongAdder handedOver = new LongAdder();
  private final LongAdder events = new LongAdder();
  private final StoreFigures stores = new StoreFigures();

  QueueFigures() {
    for (var outcome : Outcome.values()) {
      outcomes.put(outcome, new LongAdder());
    }
  }

  void stored(String queue, QueueMachine.Told.Stored stored) {
    queues.put(queue, stored.memory().queue());
    events.add(stored.events());
    stored.effects().forEach(this::count);
  }

  /** A queue has come into memory. */
  void holds(String queue, QueueState state, Instant now) {
    queues.put(queue, state);
    stores.began(queue, now);
  }

  /** Of what queues write beside their journal. */
  public StoreFigures stores() {
    return stores;
  }

  void left(String queue) {
    queues.remove(queue);
    stores.left(queue);
  }

  void busy(int commands) {
    busy.add(commands);
  }

  private void count(QueueEffect effect) {
    switch (effect) {
      case Answer answer -> (answer.refusal().isEmpty() ? taken : refused).increment();
      case BatchAnswer answer -> (answer.kept() ? taken : refused).increment();
      case HandOver ignored -> handedOver.increment();
      case Publish(Notice.Ended(var owner, var ended)) ->
          outcomes.get(ended.outcome()).add(ended.occurrences());
      // What else is told is no outcome.
      case Publish ignored -> {}
    }
  }

  /** By Prometheus name. */
  public Map<String, Double> snapshot(ScheduleQueue rules, WallTime wall) {
    var now = wall.followed(rules.setup().maxAhead());
    var values = new TreeMap<String, Double>();
    var states = List.copyOf(queues.values());
    values.put("sequitur_schedule_queues", (double) states.size());
    values.put(
        "sequitur_schedule_open",
        states.stream().mapToDouble(state -> state.entries().schedules().size()).sum());
    values.put(
        "sequitur_schedule_executing",
        states.stream().mapToDouble(state -> state.entries().executing()).sum());
    values.put(
        "sequitur_schedule_overdue_seconds",
        states.stream().mapToDouble(state -> overdue(rules, state, now)).max().orElse(0));
    var parked = parked();
    for (var cause : ParkedFor.values()) {
      values.put("sequitur_schedule_parked_" + word(cause), (double) parked.getOrDefault(cause, 0));
    }
    values.put("sequitur_schedule_commands_taken_total", (double) taken.sum());
    values.put("sequitur_schedule_commands_refused_total", (double) refused.sum());
    values.put("sequitur_schedule_commands_busy_total", (double) busy.sum());
    values.put("sequitur_schedule_handed_over_total", (double) handedOver.sum());
    values.put("sequitur_schedule_events_total", (double) events.sum());
    values.put(
        "sequitur_schedule_clock_behind_seconds",
        standingStill(rules, wall).max(Duration::compareTo).orElse(Duration.ZERO).toMillis()
            / MILLIS_PER_SECOND);
    stores.snapshot(wall.now(), values);
    outcomes.forEach(
        (outcome, count) ->
            values.put(
                "sequitur_schedule_outcomes_" + word(outcome) + "_total", (double) count.sum()));
    return values;
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private Map<ParkedFor, Integer> parked() {
    var parked = new EnumMap<ParkedFor, Integer>(ParkedFor.class);
    for (var state : queues.values()) {
      state
          .entries()
          .due()
          .parked()
          .forEach((cause, count) -> parked.merge(cause, count, Integer::sum));
    }
    return parked;
  }

  /**
   * A sentence for each cause for which schedules are parked and somebody should act on them,
   * although the node is well. What is overdue is its requestor's affair, and may stay so for ever.
   */
  public List<String> remarks() {
    var remarks = new ArrayList<String>();
    parked()
        .forEach(
            (cause, count) -> {
              switch (cause) {
                case SLOT_FULL ->
                    remarks.add(
                        "Series that are parked since the slot of their next time was full: "
                            + count
                            + ". Their owners resume them; schedule_list tells which, by the state"
                            + " parked.");
                case FEE_UNPAID ->
                    remarks.add(
                        "Series that are parked since their owner could not pay the fee of their"
                            + " next time: "
                            + count
                            + ". Their owners fund their accounts and resume them; schedule_list"
                            + " tells which, by the state parked.");
                case FAILED ->
                    remarks.add(
                        "Schedules that are parked since the node failed over them: "
                            + count
                            + ". The log says why: report it. schedule_list tells which, by the"
                            + " state parked.");
                case OVERDUE -> {}
              }
            });
    return List.copyOf(remarks);
  }

  /** How long each queue that stands still does so. */
  private Stream<Duration> standingStill(ScheduleQueue rules, WallTime wall) {
    return queues.values().stream()
        .map(state -> rules.standsStill(state, wall))
        .filter(still -> !still.isZero());
  }

  /** What an operator has to do about queues that stand still; empty if none does. */
  public Optional<String> trouble(ScheduleQueue rules, WallTime wall) {
    var still = standingStill(rules, wall).sorted().toList();
    return still.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "The clock of this JVM was set back: schedule queues that stand still until it has come"
                + " to their time: "
                + still.size()
                + ", the longest for another "
                + still.get(still.size() - 1).toSeconds()
                + " s. What is due waits meanwhile: set the clock right (NTP) if it is wrong now.");
  }

  /** Since when what is first in the order should have been served; its family may be paused. */
  private static double overdue(ScheduleQueue rules, QueueState state, ConsensusTime now) {
    long due = rules.nextBlock(state, ConsensusTime.ZERO).at();
    return Math.max(0, (now.nanos() - due) / NANOS_PER_SECOND);
  }
}
