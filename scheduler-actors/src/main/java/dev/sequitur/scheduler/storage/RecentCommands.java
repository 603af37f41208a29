package dev.sequitur.scheduler.storage;

import dev.sequitur.protocol.paged.PagedMap;
import dev.sequitur.schedule.queue.QueueEffect;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * The commands that changed something, the newest ones and all that their store does not have yet,
 * so that one that is repeated is answered as it was. What the rules say of it is the same on
 * replay: what is dropped stands in the records.
 *
 * @param byAge oldest first
 * @param next the number of the next one
 * @param dropped the number up to which they are in the store, and no longer here
 */
public record RecentCommands(
    PagedMap<String, Remembered> answers, PagedMap<Long, String> byAge, long next, long dropped) {
  public static final RecentCommands NONE =
      new RecentCommands(PagedMap.empty(), PagedMap.empty(), 1, 0);

  /** What is known of one. */
  public record Remembered(long digest, QueueEffect answer) {}

  public Optional<Remembered> answer(String command) {
    return Optional.ofNullable(answers.get(command));
  }

  /**
   * Shows those from one number to another, both inclusive, oldest first.
   *
   * @param each is given the number and the id
   */
  public void visit(long from, long to, BiConsumer<Long, String> each) {
    for (var entry : byAge.from(from)) {
      if (entry.getKey() > to) {
        return;
      }
      each.accept(entry.getKey(), entry.getValue());
    }
  }

  RecentCommands plus(QueueRecord.Answered answered) {
    return new RecentCommands(
        answers.plus(answered.command(), new Remembered(answered.digest(), answered.answer())),
        byAge.plus(next, answered.command()),
        next + 1,
        dropped);
  }

  RecentCommands dropping(long upTo) {
    if (upTo <= dropped) {
      return this;
    }
    var kept = answers;
    var aged = byAge;
    for (var oldest = aged.first();
        oldest.isPresent() && oldest.get().getKey() <= upTo;
        oldest = aged.first()) {
      kept = kept.minus(oldest.get().getValue());
      aged = aged.minus(oldest.get().getKey());
    }
    return new RecentCommands(kept, aged, next, upTo);
  }
}
