package dev.sequitur.schedule.queue;

import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.protocol.machine.Step;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.DueKey;
import dev.sequitur.schedule.GasUse;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Service;
import dev.sequitur.schedule.book.Book;
import dev.sequitur.schedule.family.Family;
import dev.sequitur.schedule.family.FamilyNotice;
import dev.sequitur.schedule.family.FamilyState;
import dev.sequitur.schedule.family.QueueView;
import dev.sequitur.schedule.family.Schedule;
import dev.sequitur.schedule.family.Subject;
import dev.sequitur.schedule.signing.KeyRing;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * One step of a queue: the state as it is so far, and what every part of the step needs. All its
 * changes are events, so a queue has nothing that a restart could forget.
 */
final class QueueStep {
  final QueueSetup setup;
  private final BiConsumer<ScheduleId, RuntimeException> onFailure;
  private final Step<QueueState, QueueEvent, QueueEffect> step;
  private final boolean standsStill;
  private ConsensusTime now;
  private boolean clockAdvanced;

  QueueStep(ScheduleQueue rules, QueueState state, ConsensusTime now) {
    this(rules, state, now, false);
  }

  /**
   * @param standsStill whether the queue's time does, since the wall clock was set back
   */
  QueueStep(ScheduleQueue rules, QueueState state, ConsensusTime now, boolean standsStill) {
    this.standsStill = standsStill;
    this.setup = rules.setup();
    this.onFailure = rules.onFailure();
    this.step = new Step<>(state, now.toInstant(), rules::evolve);
    this.now = now;
  }

  QueueState state() {
    return step.state();
  }

  Entries entries() {
    return step.state().entries();
  }

  ConsensusTime now() {
    return now;
  }

  /** Whether no time passes here, whatever happens. */
  boolean standsStill() {
    return standsStill;
  }

  /** The clock moves with the first thing that is stored, and with nothing else. */
  void record(QueueEvent event) {
    if (!clockAdvanced) {
      clockAdvanced = true;
      step.record(new QueueEvent.ClockAdvanced(now));
    }
    step.record(event);
  }

  /** What follows happens a nanosecond later, whatever has been stored so far. */
  void tick() {
    if (clockAdvanced) {
      now = new ConsensusTime(Math.addExact(now.nanos(), 1));
      step.record(new QueueEvent.ClockAdvanced(now));
    }
  }

  /**
   * Keeps what {@code part} does only if it says so; otherwise nothing has happened.
   *
   * @return what {@code part} said
   */
  boolean attempt(BooleanSupplier part) {
    return attempt(part::getAsBoolean, saysSo -> saysSo);
  }

  /** As {@link #attempt(BooleanSupplier)}, of what says more than whether it is kept. */
  <T> T attempt(Supplier<T> part, Predicate<T> isKept) {
    var before = step.mark();
    var timeBefore = now;
    boolean advancedBefore = clockAdvanced;
    boolean kept = false;
    try {
      var given = part.get();
      kept = isKept.test(given);
      return given;
    } finally {
      if (!kept) {
        step.backTo(before);
        now = timeBefore;
        clockAdvanced = advancedBefore;
      }
    }
  }

  /**
   * What one schedule does, or nothing of it if the rules fail over it.
   *
   * @return what {@code part} gives; empty if they fail
   */
  <T> Optional<T> survives(ScheduleId id, Supplier<T> part) {
    try {
      return Optional.of(attempt(part, given -> true));
    } catch (RuntimeException e) {
      onFailure.accept(id, e);
      return Optional.empty();
    }
  }

  void effect(QueueEffect effect) {
    step.effect(effect);
  }

  /** Of no schedule. */
  void publish(QueueEffect.Notice notice) {
    publish(notice, Optional.empty());
  }

  /** What a family has to say, which knows what it is about. */
  void publish(FamilyNotice notice) {
    publish(new QueueEffect.Notice.OfFamily(notice), notice.about());
  }

  /** Of one, which may be gone by now. */
  void publish(Schedule about, QueueEffect.Notice notice) {
    publish(notice, Optional.of(Subject.of(about.proposal())));
  }

  /** What no outcome says is kept, for those who were away. */
  private void publish(QueueEffect.Notice notice, Optional<Subject> whose) {
    if (notice.isKept()) {
      record(new QueueEvent.Told(notice, whose));
    }
    step.effect(new QueueEffect.Publish(notice, whose));
  }

  QueueView view(Family family) {
    return new View(setup, state(), family, now);
  }

  Decision<QueueState, QueueEvent, QueueEffect> finish() {
    return step.finish();
  }

  /** What one family sees. */
  record View(QueueSetup setup, QueueState queue, Family family, ConsensusTime now)
      implements QueueView {
    @Override
    public ConsensusTime last() {
      return queue.clock().last();
    }

    @Override
    public Book book() {
      return queue.book();
    }

    @Override
    public KeyRing keys() {
      return queue.keys();
    }

    @Override
    public AccountId administrator() {
      return setup.administrator();
    }

    @Override
    public Optional<Refusal> refusesPaying(AccountId to) {
      return Authority.refusesPaying(setup, queue, to).or(() -> Authority.needsReceiver(queue, to));
    }

    @Override
    public GasUse gas() {
      return setup.gas();
    }

    @Override
    public Service service() {
      return queue.service(family.kind());
    }

    @Override
    public boolean nothingWaits() {
      return queue.entries().nothingWaits(family.kind());
    }

    @Override
    public FamilyState state() {
      var state = queue.families().get(family.kind());
      return state == null ? family.initial() : state;
    }

    @Override
    public long nextIncarnation() {
      return queue.admissions() + 1;
    }

    @Override
    public int waiting(DueKey from, DueKey end, int atMost) {
      return queue.entries().due().range(family.kind(), from, end, atMost).size();
    }

    @Override
    public Optional<Schedule> waitingAt(DueKey from, DueKey end, int index) {
      var found = queue.entries().due().range(family.kind(), from, end, index + 1);
      return found.size() > index ? schedule(found.get(index)) : Optional.empty();
    }

    @Override
    public List<Schedule> waitingIn(DueKey from, DueKey end, int atMost) {
      return queue.entries().due().range(family.kind(), from, end, atMost).stream()
          .map(id -> queue.entries().schedules().get(id))
          .toList();
    }

    @Override
    public Optional<Schedule> schedule(ScheduleId id) {
      return id.family() == family.kind() ? queue.entries().schedule(id) : Optional.empty();
    }

    @Override
    public boolean isStarted(ScheduleId id) {
      return queue.entries().isStarted(id);
    }
  }
}
