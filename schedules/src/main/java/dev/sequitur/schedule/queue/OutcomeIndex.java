package dev.sequitur.schedule.queue;

import dev.sequitur.schedule.ScheduleId;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Finds the numbers of a schedule's outcomes: for each outcome a fingerprint of its schedule and
 * its number, in sorted runs of which a new one is merged with those before it that are no longer,
 * up to a length. A tree in the order of ids would be changed at another place each time, and a
 * full one was a third of what it costs to run a schedule.
 *
 * <p>It knows forgotten outcomes until their run is merged, so two of the same history may differ.
 * What is compared is the history.
 */
public final class OutcomeIndex {
  /** Also of outcomes of which it is still to be made. */
  public static final OutcomeIndex EMPTY = new OutcomeIndex(new Run[0], new Run[0]);

  /**
   * Of a run: arrays of 128 KB. Larger ones would be humongous to G1, which begins a collection of
   * the old generation for each of them.
   */
  private static final int LONGEST = 1 << 14;

  /** Runs that are too long to be merged any more, in the order of their numbers. */
  private final Run[] full;

  /**
   * Those after them. Each is longer than the one after it, so that there are only as many as a
   * length has bits: what one more outcome copies does not grow with the history.
   */
  private final Run[] merging;

  private OutcomeIndex(Run[] full, Run[] merging) {
    this.full = full;
    this.merging = merging;
  }

  /**
   * @param number above all that it knows
   * @param oldest the first number that is not forgotten
   */
  OutcomeIndex plus(ScheduleId schedule, long number, long oldest) {
    var newest = new Run(new long[] {fingerprint(schedule)}, new long[] {number}, number);
    int left = merging.length;
    while (left > 0 && merging[left - 1].isMergedWith(newest)) {
      newest = merging[--left].merged(newest, oldest);
    }
    var kept = full.length > 0 && full[0].newest() < oldest ? withoutFirst(full) : full;
    var next = Arrays.copyOf(merging, left + 1);
    next[left] = newest;
    return newest.isFull()
        ? new OutcomeIndex(joined(kept, next), new Run[0])
        : new OutcomeIndex(kept, next);
  }

  private static Run[] withoutFirst(Run[] runs) {
    return Arrays.copyOfRange(runs, 1, runs.length);
  }

  private static Run[] joined(Run[] first, Run[] second) {
    var all = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, all, first.length, second.length);
    return all;
  }

  /**
   * Where outcomes of the schedule may be: another one with the same fingerprint is found with it.
   *
   * @return newest first, and no more looked up than are taken; forgotten ones may be among them
   */
  LongStream find(ScheduleId schedule) {
    long sought = fingerprint(schedule);
    return Stream.of(merging, full)
        .flatMap(OutcomeIndex::newestFirst)
        .flatMapToLong(run -> run.find(sought));
  }

  private static Stream<Run> newestFirst(Run[] runs) {
    return IntStream.range(0, runs.length).mapToObj(newer -> runs[runs.length - 1 - newer]);
  }

  private static long fingerprint(ScheduleId schedule) {
    var id = schedule.value();
    return id.word0() ^ id.word1() ^ id.word2() ^ id.word3();
  }

  /**
   * Both arrays belong together, in the order of fingerprints and then of numbers. Nobody changes
   * them.
   *
   * @param newest the highest number
   */
  private record Run(long[] fingerprints, long[] numbers, long newest) {
    int length() {
      return numbers.length;
    }

    /** What it would be merged with is as long at least, and both would be too long together. */
    boolean isFull() {
      return 2 * length() > LONGEST;
    }

    boolean isMergedWith(Run newer) {
      return length() <= newer.length() && length() + newer.length() <= LONGEST;
    }

    /**
     * @param newer all of whose numbers are above those here
     */
    Run merged(Run newer, long oldest) {
      var mergedPrints = new long[length() + newer.length()];
      var mergedNumbers = new long[mergedPrints.length];
      int here = 0;
      int there = 0;
      int length = 0;
      for (int taken = 0; taken < mergedPrints.length; taken++) {
        boolean older =
            there == newer.length()
                || (here < length() && fingerprints[here] <= newer.fingerprints[there]);
        var from = older ? this : newer;
        int place = older ? here++ : there++;
        if (from.numbers[place] >= oldest) {
          mergedPrints[length] = from.fingerprints[place];
          mergedNumbers[length++] = from.numbers[place];
        }
      }
      return length == mergedPrints.length
          ? new Run(mergedPrints, mergedNumbers, newer.newest)
          : new Run(
              Arrays.copyOf(mergedPrints, length),
              Arrays.copyOf(mergedNumbers, length),
              newer.newest);
    }

    LongStream find(long fingerprint) {
      int end = firstAfter(fingerprint);
      return IntStream.iterate(
              end - 1, at -> at >= 0 && fingerprints[at] == fingerprint, at -> at - 1)
          .mapToLong(at -> numbers[at]);
    }

    private int firstAfter(long fingerprint) {
      int from = 0;
      int to = length();
      while (from < to) {
        int middle = (from + to) >>> 1;
        if (fingerprints[middle] <= fingerprint) {
          from = middle + 1;
        } else {
          to = middle;
        }
      }
      return from;
    }
  }
}
