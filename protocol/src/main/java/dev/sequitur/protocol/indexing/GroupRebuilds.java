package dev.sequitur.protocol.indexing;

import dev.sequitur.protocol.distribution.ComparisonProgress.Status;
import dev.sequitur.protocol.id.ContractAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which groups are still to be made what the ledger shows once it was read again (CNF-11): one
 * after the other. One that cannot be is tried again after all others, and at last given up: it
 * stays stopped until an operator has it rebuilt (DST-11).
 *
 * @param left the first is under way, or is next
 * @param asked whether it was begun
 * @param failed so many in a row could not be rebuilt
 */
public record GroupRebuilds(List<ContractAddress> left, boolean asked, int failed) {
  /** Between two looks how far one is. */
  static final Duration LOOK = Duration.ofSeconds(1);

  /** Once none of those that are left could be: each try reads the whole ledger. */
  static final Duration AGAIN = Duration.ofMinutes(5);

  /** Tries of each that is left, without any that succeeds. */
  static final int ROUNDS = 12;

  public GroupRebuilds {
    left = List.copyOf(left);
  }

  public static GroupRebuilds of(List<ContractAddress> groups) {
    return new GroupRebuilds(groups, false, 0);
  }

  /** Whether nothing is tried any more: those that are left are given up. */
  public boolean isDone() {
    return failed >= ROUNDS * left.size();
  }

  /** The one that is under way, or is next. */
  public ContractAddress first() {
    return left.getFirst();
  }

  /**
   * After a look at the first one.
   *
   * @param status empty if nobody knows of it any more: it is begun anew
   */
  public GroupRebuilds after(Optional<Status> status) {
    if (status.isEmpty()) {
      return new GroupRebuilds(left, false, failed);
    }
    return switch (status.get()) {
      case RUNNING -> new GroupRebuilds(left, true, failed);
      case SAME, REBUILT -> new GroupRebuilds(others(), false, 0);
      case DIFFERENT, FAILED -> {
        var others = others();
        others.add(first());
        yield new GroupRebuilds(others, false, failed + 1);
      }
    };
  }

  private List<ContractAddress> others() {
    return new ArrayList<>(left.subList(1, left.size()));
  }

  /** Before the next look. */
  public Duration pause() {
    if (asked) {
      return LOOK;
    }
    return failed > 0 && failed % left.size() == 0 ? AGAIN : Duration.ZERO;
  }

  /** How far it is, for people. */
  public String sentence() {
    return "rebuilds groups, "
        + left.size()
        + " are left"
        + (failed > 0 ? ", of which some could not be: the log says why" : "");
  }
}
