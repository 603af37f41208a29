package dev.sequitur.scheduler.actor;

import static java.util.stream.Collectors.joining;

import dev.sequitur.cluster.metrics.Gauges;
import dev.sequitur.cluster.metrics.LabelledCounter;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.ParkedFor;
import dev.sequitur.schedule.WallTime;
import dev.sequitur.schedule.queue.QueueEffect;
import dev.sequitur.schedule.queue.QueueEffect.Answer;
import dev.sequitur.schedule.queue.QueueEffect.BatchAnswer;
import dev.sequitur.schedule.queue.QueueEffect.HandOver;
import dev.sequitur.schedule.queue.QueueEffect.Notice;
import dev.sequitur.schedule.queue.QueueEffect.Publish;
import dev.sequitur.schedule.queue.QueueState;
import dev.sequitur.schedule.queue.ScheduleQueue;
import dev.sequitur.scheduler.QueueName;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * What an operator watches: all queues that this JVM has in memory together, since their names are
 * their users' own. Thread-safe; a queue's actor tells it after each write.
 */
public final class QueueFigures {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double MILLIS_PER_SECOND = 1e3;

  /** A partition that is later than this is named. */
  private static final double LATE_SECONDS = 60;

  /** Of the partitions in one sentence. */
  private static final int MOST_NAMED = 5;

  /** As last stored; it is immutable, and its actor would keep it anyway. */
  private final Map<String, QueueState> queues = new ConcurrentHashMap<>();

  private final LabelledCounter<CommandEnd> commands;
  private final Map<FamilyKind, Map<Outcome, CounterDataPoint>> outcomes =
      new EnumMap<>(FamilyKind.class);
  private final CounterDataPoint handedOver;
  private final CounterDataPoint events;
  private final RecentOutcomes recent = new RecentOutcomes();
  private final Supplier<Instant> now;
  private final Supplier<Map<String, Double>> partitionsOverdue;
  private final StoreFigures stores;
  private final QueueAnswers answers;

  /** What becomes of a command. */
  enum CommandEnd {
    TAKEN,
    REFUSED,
    BUSY
  }

  /**
   * @param registry of the node; it has none of these names yet
   * @param wall this JVM's time
   */
  QueueFigures(PrometheusRegistry registry, ScheduleQueue rules, Supplier<WallTime> wall) {
    commands =
        new LabelledCounter<>(
            registry,
            "sequitur_schedule_commands",
            "Commands that queues took, refused, or had no room for.",
            "outcome",
            CommandEnd.class);
    showOutcomes(registry);
    handedOver =
        Counter.builder()
            .name("sequitur_schedule_handed_over")
            .help("Calls and transactions that queues gave away to be run, again ones too.")
            .register(registry);
    events =
        Counter.builder()
            .name("sequitur_schedule_events")
            .help("Events that queues have stored.")
            .register(registry);
    now = () -> wall.get().now();
    stores = new StoreFigures(registry, now);
    answers = new QueueAnswers(registry, System::nanoTime);
    Gauges.show(registry, "sequitur_schedule_queues", "Queues in this JVM's memory.", queues::size);
    Gauges.show(
        registry,
        "sequitur_schedule_open",
        "Schedules that have not ended, of these queues.",
        () -> sum(state -> state.entries().schedules().size()));
    Gauges.show(
        registry,
        "sequitur_schedule_waiting",
        "Schedules that wait for their time or are parked, of these queues, by family.",
        "family",
        this::waiting);
    Gauges.show(
        registry,
        "sequitur_schedule_executing",
        "Schedules of which an attempt is on its way.",
        () -> sum(state -> state.entries().executing()));
    Gauges.show(
        registry,
        "sequitur_schedule_overdue_seconds",
        "How long what is first in a queue is due, in the queue that is furthest behind.",
        () -> {
          var now = wall.get().followed(rules.setup().maxAhead());
          return queues.values().stream()
              .mapToDouble(state -> overdue(rules, state, now))
              .max()
              .orElse(0);
        });
    partitionsOverdue =
        () -> {
          var now = wall.get().followed(rules.setup().maxAhead());
          return byPartition(state -> overdue(rules, state, now));
        };
    showPartitions(registry);
    Gauges.show(
        registry,
        "sequitur_schedule_clock_behind_seconds",
        "For how long queues stand still since this JVM's clock was set back.",
        () ->
            standingStill(rules, wall.get())
                    .max(Duration::compareTo)
                    .orElse(Duration.ZERO)
                    .toMillis()
                / MILLIS_PER_SECOND);
    Gauges.show(
        registry,
        "sequitur_schedule_parked",
        "Series and schedules that wait until somebody acts, by what they wait for.",
        "cause",
        this::parkedByCause);
  }

  /**
   * Of queues that the settings spread: their names are the operator's, and so many are bounded.
   */
  private void showPartitions(PrometheusRegistry registry) {
    Gauges.showNamed(
        registry,
        "sequitur_schedule_partition_open",
        "Schedules that have not ended, of each partition of a queue in this JVM's memory.",
        "partition",
        () -> byPartition(state -> state.entries().schedules().size()));
    Gauges.showNamed(
        registry,
        "sequitur_schedule_partition_overdue_seconds",
        "How long what is first in a partition of a queue is due.",
        "partition",
        partitionsOverdue);
  }

  private Map<String, Double> byPartition(ToDoubleFunction<QueueState> of) {
    var numbers = new TreeMap<String, Double>();
    queues.forEach(
        (name, state) ->
            state
                .crossings()
                .place()
                .ifPresent(
                    place ->
                        numbers.put(
                            new QueueName(name).shown(place.count()), of.applyAsDouble(state))));
    return numbers;
  }

  private void showOutcomes(PrometheusRegistry registry) {
    var counter =
        Counter.builder()
            .name("sequitur_schedule_outcomes")
            .help("Times of schedules that have ended, by family and by how.")
            .labelNames("family", "outcome")
            .register(registry);
    for (var family : FamilyKind.values()) {
      var ofFamily = new EnumMap<Outcome, CounterDataPoint>(Outcome.class);
      for (var outcome : Outcome.values()) {
        ofFamily.put(
            outcome,
            counter.labelValues(LabelledCounter.word(family), LabelledCounter.word(outcome)));
      }
      outcomes.put(family, ofFamily);
    }
  }

  private Map<FamilyKind, Double> waiting() {
    var numbers = new EnumMap<FamilyKind, Double>(FamilyKind.class);
    for (var family : FamilyKind.values()) {
      numbers.put(family, sum(state -> state.entries().due().waiting(family)));
    }
    return numbers;
  }

  private void count(boolean taken) {
    commands.increment(taken ? CommandEnd.TAKEN : CommandEnd.REFUSED);
  }

  private double sum(ToDoubleFunction<QueueState> of) {
    return queues.values().stream().mapToDouble(of).sum();
  }

  void stored(String queue, QueueMachine.Told.Stored stored) {
    queues.put(queue, stored.memory().queue());
    events.inc(stored.events());
    // The clock is read once for all of a record: a block may end thousands.
    var at = now.get();
    stored.effects().forEach(effect -> count(effect, at));
  }

  /** A queue has come into memory. */
  void holds(String queue, QueueState state, Instant now) {
    queues.put(queue, state);
    stores.began(queue, now);
  }

  /** Names of the queues that this JVM has in memory, some if there are very many. */
  public List<String> names() {
    return queues.keySet().stream().limit(ClockReading.MOST_QUEUES).toList();
  }

  /** Of what queues write beside their journal. */
  public StoreFigures stores() {
    return stores;
  }

  /** How soon these queues answer. */
  public QueueAnswers answers() {
    return answers;
  }

  void left(String queue) {
    queues.remove(queue);
    stores.left(queue);
  }

  void busy(int number) {
    commands.add(CommandEnd.BUSY, number);
  }

  private void count(QueueEffect effect, Instant at) {
    switch (effect) {
      case Answer answer -> count(answer.refusal().isEmpty());
      case BatchAnswer answer -> count(answer.kept());
      case HandOver ignored -> handedOver.inc();
      case Publish(Notice.Ended(var ended), var about) -> {
        outcomes.get(ended.key().schedule().family()).get(ended.outcome()).inc(ended.occurrences());
        recent.add(ended.outcome(), ended.occurrences(), at);
      }
      // What else is told is no outcome.
      case Publish ignored -> {}
    }
  }

  private Map<ParkedFor, Double> parkedByCause() {
    var numbers = new EnumMap<ParkedFor, Double>(ParkedFor.class);
    var parked = parked();
    for (var cause : ParkedFor.values()) {
      numbers.put(cause, (double) parked.getOrDefault(cause, 0));
    }
    return numbers;
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
   * A sentence for each cause for which schedules are parked and somebody should act on them, and
   * for what was not run or failed within the last hour, although the node is well. What is overdue
   * is its requestor's affair, and may stay so for ever; so is what is paused its owner's.
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
                case PAUSED -> {}
              }
            });
    addRecent(remarks);
    addLatePartitions(remarks);
    return List.copyOf(remarks);
  }

  /** One may be late while all others are on time. */
  private void addLatePartitions(List<String> remarks) {
    var late =
        partitionsOverdue.get().entrySet().stream()
            .filter(each -> each.getValue() > LATE_SECONDS)
            .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
            .toList();
    if (!late.isEmpty()) {
      var named =
          late.stream()
              .limit(MOST_NAMED)
              .map(each -> each.getKey() + " (" + each.getValue().longValue() + " s)")
              .collect(joining(", "));
      int more = late.size() - Math.min(late.size(), MOST_NAMED);
      remarks.add(
          "Partitions of queues that are more than a minute late: "
              + named
              + (more > 0 ? " and " + more + " more" : "")
              + ". schedule_overview has a row for each.");
    }
  }

  private void addRecent(List<String> remarks) {
    long passed =
        recent.count(Outcome.EXPIRED, now.get()) + recent.count(Outcome.MISSED, now.get());
    if (passed > 0) {
      remarks.add(
          "Times of schedules that passed within the last hour before they were run: "
              + passed
              + ". schedule_getOutcomes tells which, by the outcomes expired and missed;"
              + " schedule_forecast says of a time whether too many stand in it.");
    }
    long failed = recent.count(Outcome.FAILED, now.get());
    if (failed > 0) {
      remarks.add(
          "Times of schedules that ran within the last hour and failed: "
              + failed
              + ". schedule_getOutcomes tells which and why, by the outcome failed.");
    }
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
