package dev.sequitur.schedule.queue;

import dev.sequitur.schedule.ScheduleId;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

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
  public static final OutcomeIndex EMPTY = new OutcomeIndex(new Run[0]);

  /**
   * Of a run: arrays of 128 KB. Larger ones would be humongous to G1, which begins a collection of
   * the old generation for each of them.
   */
  private static final int LONGEST = 1 << 14;

  /**
   * In the order of their numbers. Of those that could still be merged each is longer than the one
   * after it, so that there are only as many as a length has bits.
   */
  private final Run[] runs;

  private OutcomeIndex(Run[] runs) {
    this.runs = runs;
  }

  /**
   * @param number above all that it knows
   * @param oldest the first number that is not forgotten
   */
  OutcomeIndex plus(ScheduleId schedule, long number, long oldest) {
    var newest = new Run(new long[] {fingerprint(schedule)}, new long[] {number}, number);
    int left = runs.length;
    while (left > 0 && runs[left - 1].isMergedWith(newest)) {
      newest = runs[--left].merged(newest, oldest);
    }
    int first = left > 0 && runs[0].newest() < oldest ? 1 : 0;
    var next = Arrays.copyOfRange(runs, first, left + 1);
    next[left - first] = newest;
    return new OutcomeIndex(next);
  }

  /**
   * Where outcomes of the schedule may be: another one with the same fingerprint is found with it.
   *
   * @return newest first, and no more looked up than are taken; forgotten ones may be among them
   */
  LongStream find(ScheduleId schedule) {
    long sought = fingerprint(schedule);
    return IntStream.range(0, runs.length)
        .mapToObj(newer -> runs[runs.length - 1 - newer])
        .flatMapToLong(run -> run.find(sought));
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
