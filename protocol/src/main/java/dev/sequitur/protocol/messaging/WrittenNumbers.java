package dev.sequitur.protocol.messaging;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The numbers of a node's own messages in a group, newest last: as many as may wait for a receiver
 * and no more, so that it can be told how many do (MSG-6).
 *
 * @param runs each without a gap, in order
 * @param begun whether this life of the book has given a number
 */
public record WrittenNumbers(List<Run> runs, boolean begun) {
  /**
   * Numbers without a gap.
   *
   * @param last not below the first
   */
  public record Run(long first, long last) {
    int above(long number) {
      return (int) Math.max(0, last - Math.max(first - 1, number));
    }

    private Run fromTheEnd(int most) {
      return new Run(Math.max(first, last - most + 1), last);
    }
  }

  public WrittenNumbers {
    runs = List.copyOf(runs);
  }

  /** Of whoever has written nothing. */
  public static WrittenNumbers none() {
    return new WrittenNumbers(List.of(), false);
  }

  /**
   * As a life finds them.
   *
   * @param ascending the newest that are kept, at least as many as may wait if there are so many
   */
  public static WrittenNumbers found(List<Long> ascending) {
    var numbers = none();
    for (long number : ascending) {
      numbers = numbers.plus(number);
    }
    return new WrittenNumbers(numbers.runs(), false);
  }

  /** The newest; 0 if there is none. */
  public long last() {
    return runs.isEmpty() ? 0 : runs.get(runs.size() - 1).last();
  }

  /**
   * The number of the next message. The first of each life of a book is not below its clock's
   * milliseconds: so a node that was set back to an older copy of its records gives none that it
   * has forgotten, though it cannot know which those are (MSG-9).
   */
  long next(Instant now) {
    return begun ? last() + 1 : Math.max(last() + 1, now.toEpochMilli());
  }

  /** With one that was given in this life. */
  WrittenNumbers plus(long number) {
    var all = new ArrayList<>(runs);
    var newest = all.isEmpty() ? null : all.get(all.size() - 1);
    if (newest != null && newest.last() + 1 == number) {
      all.set(all.size() - 1, new Run(newest.first(), number));
    } else {
      all.add(new Run(number, number));
    }
    return new WrittenNumbers(newest(all, MessageBook.MOST_WAITING), true);
  }

  private static List<Run> newest(List<Run> all, int most) {
    int left = most;
    int from = all.size();
    while (from > 0 && left > 0) {
      from--;
      left -= all.get(from).above(0);
    }
    var kept = new ArrayList<>(all.subList(from, all.size()));
    if (left < 0) {
      var oldest = kept.get(0);
      kept.set(0, oldest.fromTheEnd(oldest.above(0) + left));
    }
    return kept;
  }

  /** How many are above a number; of more than may wait for a receiver no more are counted. */
  int above(long number) {
    int above = 0;
    for (int i = runs.size() - 1; i >= 0 && runs.get(i).last() > number; i--) {
      above += runs.get(i).above(number);
    }
    return above;
  }
}
