package dev.sequitur.scheduler.storage;

import dev.sequitur.protocol.schedule.queue.QueueEffect;
import java.util.Optional;
import org.pcollections.TreePMap;

/**
 * The newest commands that changed something, so many of them, so that one that is repeated is
 * answered as it was.
 *
 * @param byAge oldest first
 * @param next the number of the next one
 */
public record RecentCommands(
    TreePMap<String, Remembered> answers, TreePMap<Long, String> byAge, long next) {
  public static final RecentCommands NONE =
      new RecentCommands(TreePMap.empty(), TreePMap.empty(), 1);

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
      kept = kept.minus(aged.firstEntry().getValue());
      aged = aged.minusFirstEntry();
    }
    return new RecentCommands(kept, aged, next + 1);
  }
}
