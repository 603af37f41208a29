package dev.sequitur.scheduler.actor;

import akka.actor.typed.ActorRef;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.queue.QueueEffect;
import dev.sequitur.schedule.queue.QueueInput;
import dev.sequitur.schedule.queue.QueueInput.Command;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What waits for the next write, so many commands at most, and who awaits which answer. Confined to
 * its actor.
 */
final class Intake {
  private final int limit;
  private final Deque<QueueInput> waiting = new ArrayDeque<>();
  private final Map<String, Deque<Slot>> awaited = new HashMap<>();

  /** The commands of one caller and what was answered so far. */
  private static final class Gathering {
    private final ActorRef<QueueReply> replyTo;
    private final QueueEffect[] answers;
    private int missing;

    private Gathering(ActorRef<QueueReply> replyTo, int size) {
      this.replyTo = replyTo;
      this.answers = new QueueEffect[size];
      this.missing = size;
    }

    private void put(int place, QueueEffect answer) {
      answers[place] = answer;
      if (--missing == 0) {
        replyTo.tell(new QueueReply.Answers(Arrays.asList(answers)));
      }
    }
  }

  private record Slot(Gathering gathering, int place) {}

  Intake(int limit) {
    this.limit = limit;
  }

  /**
   * Takes all of it, or refuses each with BUSY that was not done before.
   *
   * @param done what was answered to a command that was
   * @return whether it was taken
   */
  boolean offer(QueueRequest.Submit submit, Function<Command, Optional<QueueEffect>> done) {
    var commands = submit.commands();
    if (commands.isEmpty()) {
      submit.replyTo().tell(new QueueReply.Answers(List.of()));
    } else if (waiting.size() + commands.size() > limit) {
      var answers =
          commands.stream().map(each -> done.apply(each).orElseGet(() -> busy(each))).toList();
      submit.replyTo().tell(new QueueReply.Answers(answers));
      return false;
    } else {
      var gathering = new Gathering(submit.replyTo(), commands.size());
      for (int i = 0; i < commands.size(); i++) {
        waiting.add(commands.get(i));
        awaited
            .computeIfAbsent(commands.get(i).command(), id -> new ArrayDeque<>(1))
            .add(new Slot(gathering, i));
      }
    }
    return true;
  }

  private QueueEffect busy(Command command) {
    var sentence = "The queue has " + limit + " commands waiting: try again in a moment.";
    return RefusedCommand.answer(command, new Refusal(Refusal.Code.BUSY, sentence));
  }

  /** What schedules report is bounded by their number. */
  void report(QueueInput input) {
    waiting.add(input);
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** Whether a command of this id waits or is being stored. */
  boolean awaits(String command) {
    return awaited.containsKey(command);
  }

  /** The oldest ones. */
  List<QueueInput> take(int atMost) {
    var taken = new ArrayList<QueueInput>(Math.min(atMost, waiting.size()));
    while (taken.size() < atMost && !waiting.isEmpty()) {
      taken.add(waiting.poll());
    }
    return taken;
  }

  /** Commands of one id are answered in the order in which they came. */
  void answer(String command, QueueEffect answer) {
    var slots = awaited.get(command);
    if (slots != null) {
      var slot = slots.poll();
      if (slots.isEmpty()) {
        awaited.remove(command);
      }
      slot.gathering().put(slot.place(), answer);
    }
  }

  /**
   * All who wait learn that there is no answer.
   *
   * @param sentence why, and what to do
   */
  void giveUp(String sentence) {
    var unavailable = new QueueReply.Unavailable(sentence);
    awaited.values().stream()
        .flatMap(Deque::stream)
        .map(slot -> slot.gathering().replyTo)
        .distinct()
        .forEach(replyTo -> replyTo.tell(unavailable));
    awaited.clear();
  }
}
