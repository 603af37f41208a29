package dev.sequitur.scheduler.runtime;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.ScheduleId;
import java.util.List;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Which partitions of a queue something is for, and how what they answer becomes one answer. Each
 * question and each command says it where it is asked ({@link PartitionedQueues}).
 */
sealed interface Route<T> {
  /** For the partition in which an account has all that it has. */
  record Home<T>(AccountId account) implements Route<T> {}

  /** For the one that knows a schedule; if none does, for the first. */
  record Knowing<T>(ScheduleId schedule) implements Route<T> {}

  /**
   * For each.
   *
   * @param merge of their answers, in the order of the partitions
   */
  record All<T>(Function<List<T>, T> merge) implements Route<T> {}

  /** For none of them as long as the caller names none, and why. */
  record Named<T>(String why) implements Route<T> {}

  /** For none of them, whoever is named. */
  record Refused<T>(String why) implements Route<T> {}

  /** For each, and their answers are added up. */
  static <T> Route<T> sum(BinaryOperator<T> plus) {
    return new All<>(answers -> answers.stream().reduce(plus).orElseThrow());
  }

  /** For each, and it counts what the first says that says such; if none does, the first. */
  static <T> Route<T> first(Predicate<T> such) {
    return new All<>(
        answers -> answers.stream().filter(such).findFirst().orElse(answers.getFirst()));
  }

  /** For the home of the account, if there is one. */
  static <T> Route<T> home(Optional<AccountId> account, Route<T> otherwise) {
    return account.<Route<T>>map(Home::new).orElse(otherwise);
  }

  /** What those that were asked have answered, as one. */
  default T together(List<T> answers) {
    return this instanceof All<T>(var merge) ? merge.apply(answers) : answers.getFirst();
  }
}
