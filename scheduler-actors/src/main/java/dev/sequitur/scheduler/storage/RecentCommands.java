package dev.sequitur.scheduler.storage;

import dev.sequitur.protocol.paged.PagedMap;
import dev.sequitur.protocol.schedule.queue.QueueEffect;
import java.util.Optional;

/**
 * The newest commands that changed something, so many of them, so that one that is repeated is
 * answered as it was.
 *
 * @param byAge oldest first
 * @param next the number of the next one
 */
public record RecentCommands(
    PagedMap<String, Remembered> answers, PagedMap<Long, String> byAge, long next) {
  public static final RecentCommands NONE =
      new RecentCommands(PagedMap.empty(), PagedMap.empty(), 1);

  /** What is known of one. */
  public record Remembered(long digest, QueueEffect answer) {}

  public Optional<Remembered> answer(String command) {
    return Optional.ofNullable(answers.get(command));
  }

  RecentCommands plus(QueueRecord.Answered answered, int limit) {
    var kept =
        answers.plus(answered.command(), new Remembered(answered.digest(), answered.answer()));
    var aged = byAge.plus(next, answered.command());
    while (aged.size() > limit) {
      var oldest = aged.first().orElseThrow();
      kept = kept.minus(oldest.getValue());
      aged = aged.minus(oldest.getKey());
    }
    return new RecentCommands(kept, aged, next + 1);
  }
}
