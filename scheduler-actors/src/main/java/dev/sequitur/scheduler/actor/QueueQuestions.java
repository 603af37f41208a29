package dev.sequitur.scheduler.actor;

import dev.sequitur.schedule.queue.QueueEffect;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.scheduler.storage.QueueMemory;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Answers what a queue is asked, from what is stored of it. So many wait at most until that is
 * known, or a command of which one asks has been stored. Confined to its actor.
 */
final class QueueQuestions {
  static final int MOST_WAITING = 10_000;

  private final QueueServices services;
  private final Predicate<String> underWay;
  private final Deque<QueueRequest.Ask> waiting = new ArrayDeque<>();

  /** Null until it is known. */
  private QueueMemory stored;

  /**
   * @param underWay whether a command of this id waits or is being stored
   */
  QueueQuestions(QueueServices services, Predicate<String> underWay) {
    this.services = services;
    this.underWay = underWay;
  }

  /** Answers at once, if it can. */
  void ask(QueueRequest.Ask ask) {
    if (stored != null && !mustWait(ask.question())) {
      answer(ask);
    } else if (waiting.size() < MOST_WAITING) {
      waiting.add(ask);
    } else {
      ask.replyTo().tell(new QueueReply.Unavailable("The queue is busy: ask again soon."));
    }
  }

  /** The very command may be on its way to the journal. */
  private boolean mustWait(QueueQuestion question) {
    return question instanceof QueueQuestion.Remembered asked
        && underWay.test(asked.command().command());
  }

  /** From now on this is what is stored; answers what has waited for it. */
  void answerFrom(QueueMemory memory) {
    stored = memory;
    for (int left = waiting.size(); left > 0; left--) {
      ask(waiting.poll());
    }
  }

  /** What a command was answered, if that is stored and in memory. */
  Optional<QueueEffect> remembered(Command command) {
    return stored == null
        ? Optional.empty()
        : new Repetition(services.digests(), stored, Map.of()).answer(command);
  }

  private void answer(QueueRequest.Ask ask) {
    ask.replyTo()
        .tell(
            switch (ask.question()) {
              case QueueQuestion.Remembered(var command) ->
                  new QueueReply.Answers(remembered(command).stream().toList());
              case QueueQuestion.OfState question ->
                  new QueueReading(services.rules(), stored.queue(), services.wall())
                      .answer(question);
            });
  }

  /**
   * All who wait learn that there is no answer.
   *
   * @param sentence why, and what to do
   */
  void giveUp(String sentence) {
    waiting.forEach(ask -> ask.replyTo().tell(new QueueReply.Unavailable(sentence)));
    waiting.clear();
  }
}
