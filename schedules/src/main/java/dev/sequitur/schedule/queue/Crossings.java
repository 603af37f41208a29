package dev.sequitur.schedule.queue;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Crossing;
import dev.sequitur.schedule.Partition;
import dev.sequitur.schedule.ScheduleId;
import java.util.Optional;
import org.pcollections.TreePMap;
import org.pcollections.TreePSet;

/**
 * What one partition of a queue knows of the others: which it is, what is on its way to them, and
 * what it has taken from them (SCH-29).
 *
 * @param place empty in a queue of one
 * @param open on their way, or of an attempt of which that is not known yet
 * @param numbered by the partition they go to
 * @param received by the partition they come from
 */
@Copyable
public record Crossings(
    Optional<Partition> place,
    TreePMap<ScheduleId, Crossing> open,
    TreePMap<Integer, Numbered> numbered,
    TreePMap<Integer, Received> received)
    implements CrossingsBuilder.With {
  static final Crossings NONE =
      new Crossings(Optional.empty(), TreePMap.empty(), TreePMap.empty(), TreePMap.empty());

  /**
   * How far the next number may be ahead of the lowest that has no outcome: so many the other
   * partition has to know at most.
   */
  static final int MOST_AHEAD = 10_000;

  /**
   * What goes to one partition.
   *
   * @param next the number that nothing had so far
   * @param open those that have no outcome
   */
  record Numbered(long next, TreePSet<Long> open) {
    static final Numbered NONE = new Numbered(0, TreePSet.empty());

    long lowest() {
      return open.isEmpty() ? next : open.first();
    }

    private Numbered with(long number) {
      return new Numbered(number + 1, open.plus(number));
    }

    private Numbered without(long number) {
      return new Numbered(next, open.minus(number));
    }
  }

  /**
   * What has come from one partition.
   *
   * @param below all before it have ended there
   * @param numbers those taken from there on
   */
  record Received(long below, TreePSet<Long> numbers) {
    static final Received NONE = new Received(0, TreePSet.empty());

    boolean has(long number) {
      return number < below || numbers.contains(number);
    }

    private Received with(long number, long lowest) {
      long from = Math.max(below, lowest);
      var left = numbers.plus(number);
      while (!left.isEmpty() && left.first() < from) {
        left = left.minus(left.first());
      }
      return new Received(from, left);
    }
  }

  Crossings at(Partition is) {
    return withPlace(Optional.of(is));
  }

  /** Whether an account is in another partition. */
  boolean isElsewhere(AccountId account) {
    return place.isPresent() && !place.get().isHome(account);
  }

  /** What is on its way for a schedule. */
  public Optional<Crossing> of(ScheduleId schedule) {
    return Optional.ofNullable(open.get(schedule));
  }

  Numbered to(int partition) {
    return numbered.getOrDefault(partition, Numbered.NONE);
  }

  Received from(int partition) {
    return received.getOrDefault(partition, Received.NONE);
  }

  Crossings sent(ScheduleId schedule, Crossing crossing) {
    int to = crossing.to();
    return with()
        .open(open.plus(schedule, crossing))
        .numbered(numbered.plus(to, to(to).with(crossing.number())))
        .build();
  }

  /** The attempt of a schedule has its outcome. */
  Crossings ended(ScheduleId schedule) {
    var crossing = open.get(schedule);
    if (crossing == null) {
      return this;
    }
    int to = crossing.to();
    return with()
        .open(open.minus(schedule))
        .numbered(numbered.plus(to, to(to).without(crossing.number())))
        .build();
  }

  Crossings taken(QueueEvent.Taken taken) {
    var known = from(taken.from());
    return withReceived(received.plus(taken.from(), known.with(taken.number(), taken.below())));
  }
}
