package dev.sequitur.scheduler.actor;

import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.WallTime;
import dev.sequitur.schedule.queue.QueueEffect;
import dev.sequitur.schedule.queue.QueueEffect.Answer;
import dev.sequitur.schedule.queue.QueueEffect.BatchAnswer;
import dev.sequitur.schedule.queue.QueueEffect.HandOver;
import dev.sequitur.schedule.queue.QueueEffect.Publish;
import dev.sequitur.schedule.queue.QueueEvent;
import dev.sequitur.schedule.queue.QueueInput;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueState;
import dev.sequitur.scheduler.actor.QueueDecider.Recalled;
import dev.sequitur.scheduler.storage.QueueMemory;
import dev.sequitur.scheduler.storage.QueueRecord;
import dev.sequitur.scheduler.storage.StoredEvent;
import java.util.ArrayList;
import java.util.List;

/** What several inputs in a row come to: one record, and effects that wait for it. */
final class QueueBatch {
  private final QueueServices services;
  private final FailureLog failures;
  private final WallTime now;
  private final Recalled recalled;
  private final List<StoredEvent> events = new ArrayList<>();
  private final List<QueueRecord.Answered> answers = new ArrayList<>();
  private final List<QueueEffect> effects = new ArrayList<>();
  private QueueMemory memory;

  /**
   * @param recalled of the commands that will be added
   */
  QueueBatch(QueueServices services, QueueMemory memory, FailureLog failures, Recalled recalled) {
    this.services = services;
    this.memory = memory.dropping(recalled.stored());
    this.failures = failures;
    this.recalled = recalled;
    this.now = services.wall();
  }

  void add(QueueInput input) {
    if (!(input instanceof Command command)) {
      takeUnlessItFails(input);
      return;
    }
    var known = new Repetition(services.digests(), memory, recalled.known()).answer(command);
    if (known.isPresent()) {
      effects.add(known.get());
      return;
    }
    if (recalled.refusal().isPresent() && Repetition.mayCome(command.command())) {
      effects.add(RefusedCommand.answer(command, recalled.refusal().get()));
      return;
    }
    var decision = decide(command);
    var taken = take(decision);
    if (!decision.events().isEmpty()) {
      remember(command, taken);
    }
  }

  /**
   * What the rules cannot decide changes nothing: a restart would meet the same state and the same
   * input, and commands, by which somebody can help, would never have their turn. An outcome that
   * is left out so is asked for again when the queue starts the next time.
   */
  private void takeUnlessItFails(QueueInput input) {
    try {
      take(services.rules().decide(memory.queue(), input, now));
    } catch (RuntimeException e) {
      failures.input(input, e);
    }
  }

  /** A command that the rules cannot decide must not stop the queue for all others. */
  private Decision<QueueState, QueueEvent, QueueEffect> decide(Command command) {
    try {
      return services.rules().decide(memory.queue(), command, now);
    } catch (RuntimeException e) {
      failures.command(command, e);
      var refusal =
          new Refusal(
              Refusal.Code.BAD_STATE,
              "The node failed over this command, and nothing was changed; its log says more.");
      return new Decision<>(
          memory.queue(), List.of(), List.of(), List.of(RefusedCommand.answer(command, refusal)));
    }
  }

  private List<QueueEffect> take(Decision<QueueState, QueueEvent, QueueEffect> decision) {
    for (var event : decision.events()) {
      events.add(StoredEvent.of(decision.state(), event));
    }
    effects.addAll(decision.effects());
    memory = memory.with(decision.state(), List.of());
    return decision.effects();
  }

  private void remember(Command command, List<QueueEffect> decided) {
    for (var effect : decided) {
      if (isTaken(effect)) {
        var answered =
            new QueueRecord.Answered(command.command(), services.digests().of(command), effect);
        answers.add(answered);
        memory = memory.with(memory.queue(), List.of(answered));
      }
    }
  }

  /** What was refused is decided anew when it comes again, whatever else was stored with it. */
  private static boolean isTaken(QueueEffect effect) {
    return switch (effect) {
      case Answer answer -> answer.refusal().isEmpty();
      case BatchAnswer batch ->
          batch.kept() && batch.each().stream().anyMatch(each -> each.refusal().isEmpty());
      case HandOver ignored -> false;
      case Publish ignored -> false;
    };
  }

  /** Whether there is nothing to store. */
  boolean isEmpty() {
    return events.isEmpty();
  }

  QueueRecord record() {
    return new QueueRecord(memory.number() + 1, events, answers, memory.commands().dropped());
  }

  /** As it is when {@link #record} is stored. */
  QueueMemory memory() {
    return isEmpty() ? memory : memory.numbered(memory.number() + 1);
  }

  List<QueueEffect> effects() {
    return List.copyOf(effects);
  }
}
