package dev.sequitur.schedule.attempt;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.protocol.machine.Machine;
import dev.sequitur.protocol.machine.Step;
import dev.sequitur.protocol.trie.HashTrie;
import dev.sequitur.schedule.Conclusion;
import dev.sequitur.schedule.HandedOver;
import dev.sequitur.schedule.OccurrenceKey;
import dev.sequitur.schedule.port.ScheduledCalls.Ended;
import dev.sequitur.schedule.queue.QueueEffect.HandOver;
import dev.sequitur.schedule.queue.QueueInput;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.pcollections.PMap;
import org.pcollections.TreePMap;

/**
 * Carries out the attempts of one queue that answer later, each from Started until its outcome is
 * known: hands the call over under its key, waits for its receipt, and tells the queue of both. It
 * stores nothing: what it was doing is in the queue's journal, and after a restart the same call
 * goes out under the same key, so that it runs once however often this dies.
 *
 * <p>So many are on their way at once, the others wait for their turn. One that was handed over is
 * only looked after, perhaps for hours, and keeps nobody waiting until there are very many. A
 * privacy group has at most as many places as are left, so one whose transactions do not end never
 * takes the last (decision 0057).
 */
public record Attempts(Settings settings) {
  /** How many may be handed over without an outcome for each that may be on its way there. */
  private static final int HANDED_OVER_FOR_EACH = 10;

  /**
   * What it goes by.
   *
   * @param queue the name of the queue
   * @param most of one privacy group on their way to the sequencer at once
   * @param refusals how often a call is offered before its refusal counts
   * @param backoff between two tries, or two looks for a receipt
   * @param gas that a call uses
   */
  public record Settings(String queue, int most, int refusals, Backoff backoff, long gas) {}

  /** What it is told. */
  public sealed interface Input {
    /** The queue has started this; saying it again changes nothing. */
    record Begin(HandOver handOver) implements Input {}

    /** The sequencer has the call, durably. */
    record Submitted(OccurrenceKey key, TransactionId transaction) implements Input {}

    /** It cannot be accepted; nothing is stored under its key. */
    record Refused(OccurrenceKey key, String sentence) implements Input {}

    /** Whether it was accepted, or how it ended, could not be found out. */
    record Failed(OccurrenceKey key) implements Input {}

    /** How it ended; empty as long as it has not. */
    record Seen(OccurrenceKey key, Optional<Ended> ended) implements Input {}

    /** The time that was asked for may have come. */
    record Tick() implements Input {}
  }

  /** What is to be done for it. */
  public sealed interface Effect {
    /** Answered by Submitted, Refused or Failed; a crossing by Seen, once it is taken. */
    record Submit(OccurrenceKey key, String idempotencyKey, HandedOver call) implements Effect {}

    /** Answered by Seen or Failed. */
    record Look(OccurrenceKey key, TransactionId transaction) implements Effect {}

    /** Tick after so long; replaces what was asked before. */
    record WakeIn(Duration time) implements Effect {}

    /** Tell the queue, in this order. */
    record Tell(QueueInput input) implements Effect {}
  }

  /**
   * One that has begun.
   *
   * @param transaction as which the sequencer has it, once it has
   * @param failures in a row
   */
  record Attempt(
      OccurrenceKey key,
      HandedOver call,
      Optional<TransactionId> transaction,
      int failures,
      int refusals) {
    private Attempt submitted(TransactionId as) {
      return new Attempt(key, call, Optional.of(as), 0, refusals);
    }

    private Attempt failed() {
      return new Attempt(key, call, transaction, failures + 1, refusals);
    }

    private Attempt refused() {
      return new Attempt(key, call, transaction, failures, refusals + 1);
    }
  }

  /** When one goes on, in the order in which that was asked for. */
  record Turn(Instant at, long number) implements Comparable<Turn> {
    @Override
    public int compareTo(Turn other) {
      int byTime = at.compareTo(other.at);
      return byTime == 0 ? Long.compare(number, other.number) : byTime;
    }
  }

  /**
   * What one privacy group has waiting.
   *
   * @param calls in the order in which they came
   */
  record Line(long turn, TreePMap<Long, HandOver> calls) {}

  /** How many places are taken, by privacy group. */
  record Places(int taken, PMap<ContractAddress, Integer> counts) {
    static final Places FREE = new Places(0, HashTrie.empty());

    /** Twice as many as one group can have are there for all. */
    boolean hasRoom(ContractAddress group, long mostOfOne) {
      return counts.getOrDefault(group, 0) < 2 * mostOfOne - taken;
    }

    Places take(ContractAddress group) {
      return new Places(taken + 1, counts.plus(group, counts.getOrDefault(group, 0) + 1));
    }

    Places leave(ContractAddress group) {
      int left = counts.getOrDefault(group, 0) - 1;
      return new Places(taken - 1, left > 0 ? counts.plus(group, left) : counts.minus(group));
    }
  }

  /**
   * @param lines of the groups that wait; who had a turn comes last
   * @param waiting the number of each that waits
   * @param agenda those that go on later
   * @param next the next number to be given to anything
   */
  @Copyable
  public record State(
      PMap<OccurrenceKey, Attempt> begun,
      Places onTheWay,
      Places out,
      PMap<ContractAddress, Line> lines,
      TreePMap<Long, ContractAddress> turns,
      PMap<OccurrenceKey, Long> waiting,
      TreePMap<Turn, OccurrenceKey> agenda,
      long next)
      implements AttemptsStateBuilder.With {
    static final State EMPTY =
        new State(
            HashTrie.empty(),
            Places.FREE,
            Places.FREE,
            HashTrie.empty(),
            TreePMap.empty(),
            HashTrie.empty(),
            TreePMap.empty(),
            0);

    /** Whether nothing is carried out and nothing waits. */
    public boolean isEmpty() {
      return begun.isEmpty() && lines.isEmpty();
    }

    private State with(Attempt attempt) {
      return withBegun(begun.plus(attempt.key(), attempt));
    }

    private State onAgenda(TreePMap<Turn, OccurrenceKey> all) {
      return with().agenda(all).next(next + 1).build();
    }

    /** It waits behind the others of its group. */
    private State waits(HandOver handOver, ContractAddress group) {
      var line = lines.get(group);
      var kept = line == null ? new Line(next, TreePMap.empty()) : line;
      return with()
          .lines(lines.plus(group, new Line(kept.turn(), kept.calls().plus(next, handOver))))
          .turns(turns.plus(kept.turn(), group))
          .waiting(waiting.plus(handOver.key(), next))
          .next(next + 1)
          .build();
    }

    /** The first of its group begins; the group waits for its next turn. */
    private State begins(ContractAddress group, Attempt attempt) {
      var line = lines.get(group);
      var left = line.calls().minus(line.calls().firstKey());
      boolean none = left.isEmpty();
      var later = turns.minus(line.turn());
      return with()
          .begun(begun.plus(attempt.key(), attempt))
          .onTheWay(onTheWay.take(group))
          .out(out.take(group))
          .lines(none ? lines.minus(group) : lines.plus(group, new Line(next, left)))
          .turns(none ? later : later.plus(next, group))
          .waiting(waiting.minus(attempt.key()))
          .next(next + 1)
          .build();
    }

    private State ended(Attempt attempt) {
      var group = attempt.call().line();
      return with()
          .begun(begun.minus(attempt.key()))
          .onTheWay(attempt.transaction().isEmpty() ? onTheWay.leave(group) : onTheWay)
          .out(out.leave(group))
          .build();
    }
  }

  /** Its time is one that goes on evenly, whatever a clock is set to. */
  public Machine<Input, State, Void, Effect> machine() {
    return Machine.storingNothing(State.EMPTY, this::decide, new Input.Tick());
  }

  private Decision<State, Void, Effect> decide(State before, Input input, Instant now) {
    var step = Step.<State, Effect>storingNothing(before, now);
    switch (input) {
      case Input.Begin(var handOver) -> onBegin(step, handOver);
      case Input.Submitted(var key, var transaction) -> onSubmitted(step, key, transaction);
      case Input.Refused(var key, var sentence) -> onRefused(step, key, sentence);
      case Input.Failed(var key) -> later(step, key);
      case Input.Seen(var key, var ended) -> onSeen(step, key, ended);
      case Input.Tick() -> onTick(step);
    }
    fill(step);
    wake(step, before, input);
    return step.finish();
  }

  private void onBegin(Step<State, Void, Effect> step, HandOver handOver) {
    var state = step.state();
    var key = handOver.key();
    var what = handOver.what();
    if (what.isEmpty()) {
      tell(step, key, failed("This node cannot run what the schedule asks for.", false));
    } else if (!state.begun().containsKey(key) && !state.waiting().containsKey(key)) {
      step.become(state.waits(handOver, what.get().line()));
    }
  }

  private void fill(Step<State, Void, Effect> step) {
    for (var group = next(step.state()); group.isPresent(); group = next(step.state())) {
      var line = step.state().lines().get(group.get());
      var handOver = line.calls().firstEntry().getValue();
      var attempt =
          new Attempt(handOver.key(), handOver.what().orElseThrow(), Optional.empty(), 0, 0);
      step.become(step.state().begins(group.get(), attempt));
      submit(step, attempt);
    }
  }

  private Optional<ContractAddress> next(State state) {
    long most = settings.most();
    return state.turns().values().stream()
        .filter(
            group ->
                state.onTheWay().hasRoom(group, most)
                    && state.out().hasRoom(group, most * HANDED_OVER_FOR_EACH))
        .findFirst();
  }

  private void submit(Step<State, Void, Effect> step, Attempt attempt) {
    var name = attempt.key().idempotencyKey(settings.queue());
    step.effect(new Effect.Submit(attempt.key(), name, attempt.call()));
  }

  private static void onSubmitted(
      Step<State, Void, Effect> step, OccurrenceKey key, TransactionId transaction) {
    var attempt = step.state().begun().get(key);
    if (attempt != null && attempt.transaction().isEmpty()) {
      var state = step.state().with(attempt.submitted(transaction));
      step.become(state.withOnTheWay(state.onTheWay().leave(attempt.call().line())));
      step.effect(new Effect.Tell(new QueueInput.HandedOver(key, transaction)));
      step.effect(new Effect.Look(key, transaction));
    }
  }

  /**
   * Asked again before it counts: another JVM of this node that is about to end may have handed the
   * same call over a moment ago.
   */
  private void onRefused(Step<State, Void, Effect> step, OccurrenceKey key, String sentence) {
    var attempt = step.state().begun().get(key);
    if (attempt == null) {
      return;
    }
    var refused = attempt.refused();
    if (refused.refusals() >= settings.refusals()) {
      conclude(step, attempt, failed(sentence, true));
    } else {
      step.become(step.state().with(refused));
      goOnLater(step, refused, refused.refusals());
    }
  }

  /**
   * What has reverted may still be confirmed late, so no other attempt may follow: one of them
   * would be one too many.
   */
  private void onSeen(Step<State, Void, Effect> step, OccurrenceKey key, Optional<Ended> ended) {
    var attempt = step.state().begun().get(key);
    if (ended.isEmpty()) {
      later(step, key);
    } else if (attempt != null) {
      conclude(
          step,
          attempt,
          ended.get().success()
              ? new Conclusion.Succeeded(settings.gas())
              : failed(ended.get().reason(), false));
    }
  }

  private void later(Step<State, Void, Effect> step, OccurrenceKey key) {
    var attempt = step.state().begun().get(key);
    if (attempt != null) {
      var failed = attempt.failed();
      step.become(step.state().with(failed));
      goOnLater(step, failed, failed.failures());
    }
  }

  private void goOnLater(Step<State, Void, Effect> step, Attempt attempt, int time) {
    var salt = attempt.key().idempotencyKey(settings.queue()).hashCode();
    var turn = new Turn(step.now().plus(settings.backoff().wait(time, salt)), step.state().next());
    step.become(step.state().onAgenda(step.state().agenda().plus(turn, attempt.key())));
  }

  private void onTick(Step<State, Void, Effect> step) {
    for (var due = first(step.state()); isDue(step, due); due = first(step.state())) {
      var agenda = step.state().agenda();
      var attempt = step.state().begun().get(agenda.get(due.get()));
      step.become(step.state().onAgenda(agenda.minus(due.get())));
      goOn(step, attempt);
    }
  }

  private void goOn(Step<State, Void, Effect> step, Attempt attempt) {
    attempt
        .transaction()
        .ifPresentOrElse(
            as -> step.effect(new Effect.Look(attempt.key(), as)), () -> submit(step, attempt));
  }

  private static boolean isDue(Step<State, Void, Effect> step, Optional<Turn> turn) {
    return turn.isPresent() && !turn.get().at().isAfter(step.now());
  }

  private static Optional<Turn> first(State state) {
    return state.agenda().isEmpty() ? Optional.empty() : Optional.of(state.agenda().firstKey());
  }

  /**
   * If the next one to go on is another than before, or the time was not the right one. It is ahead
   * then: what was due went on in the tick, and what is put off waits from now on.
   */
  private static void wake(Step<State, Void, Effect> step, State before, Input input) {
    var first = first(step.state());
    if (first.isPresent() && (input instanceof Input.Tick || !first.equals(first(before)))) {
      step.effect(new Effect.WakeIn(Duration.between(step.now(), first.get().at())));
    }
  }

  private Conclusion failed(String reason, boolean retryable) {
    return new Conclusion.Failed(settings.gas(), reason, retryable);
  }

  private static void conclude(
      Step<State, Void, Effect> step, Attempt attempt, Conclusion conclusion) {
    step.become(step.state().ended(attempt));
    tell(step, attempt.key(), conclusion);
  }

  private static void tell(
      Step<State, Void, Effect> step, OccurrenceKey key, Conclusion conclusion) {
    step.effect(new Effect.Tell(new QueueInput.Answered(key, conclusion)));
  }
}
