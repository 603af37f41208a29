package dev.sequitur.schedule.queue;

import dev.sequitur.protocol.id.TransactionId;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a queue can tell of one schedule.
 *
 * @param sentence why it has not run, or that it has its outcome
 * @param transaction as which the sequencer has its present attempt, if it has
 * @param history its newest outcomes, as far as they are still known, up to {@link
 *     History#MOST_OF_ONE}, oldest first
 */
public record Explanation(
    String sentence, Optional<TransactionId> transaction, List<History.Recorded> history) {
  private static final String UNKNOWN =
      "No such schedule is known, or its history has been forgotten.";

  public Explanation {
    history = List.copyOf(history);
  }

  /**
   * Of one that does not wait, or that who asks may not see.
   *
   * @param history what is to be told of it
   */
  public static Explanation ofGone(List<History.Recorded> history) {
    var last =
        history.isEmpty() ? Optional.<History.Recorded>empty() : Optional.of(history.getLast());
    return new Explanation(whyGone(last), Optional.empty(), history);
  }

  /**
   * With what has left memory, too.
   *
   * @param older oldest first; what is in the history already is passed over
   */
  public Explanation with(List<History.Recorded> older) {
    var known = history.stream().map(History.Recorded::key).collect(Collectors.toSet());
    var all =
        Stream.concat(
                older.stream().filter(recorded -> !known.contains(recorded.key())),
                history.stream())
            .toList();
    var newest = all.subList(Math.max(0, all.size() - History.MOST_OF_ONE), all.size());
    return sentence.equals(UNKNOWN)
        ? ofGone(newest)
        : new Explanation(sentence, transaction, newest);
  }

  static String whyGone(Optional<History.Recorded> last) {
    return last.map(Explanation::ended).orElse(UNKNOWN);
  }

  private static String ended(History.Recorded last) {
    return last.rescheduledAs()
        .map(as -> "It has its outcome, and scheduled itself anew as " + as + ".")
        .orElse("It has its outcome.");
  }
}
