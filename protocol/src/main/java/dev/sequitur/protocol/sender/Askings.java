package dev.sequitur.protocol.sender;

import static java.util.stream.Collectors.joining;

import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification.Asked;
import dev.sequitur.protocol.text.Counted;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How often endorsers were asked for one transaction that have not answered, over all its
 * coordinators (HBT-7): each of these counts anew, and ranges may be short.
 *
 * @param of those that were named last
 */
record Askings(Map<Identity, Times> of) {
  static final Askings NOBODY = new Askings(Map.of());

  Askings {
    of = Map.copyOf(of);
  }

  /**
   * @param first when it was asked first, by whichever coordinator
   * @param before how often it was asked by earlier coordinators
   * @param since when the present one has asked it first
   * @param times that this one has asked it
   */
  record Times(Instant first, long before, Instant since, long times) {
    private static Times of(Asked asked) {
      return new Times(asked.since(), 0, asked.since(), asked.times());
    }

    private Times and(Asked asked) {
      boolean same = since.equals(asked.since()) && times <= asked.times();
      var earliest = first.isBefore(asked.since()) ? first : asked.since();
      return new Times(earliest, same ? before : all(), asked.since(), asked.times());
    }

    private long all() {
      return before + times;
    }
  }

  /**
   * A coordinator that tells of none, or of another, after it has told of some, has their answers.
   * One that has told of none yet may not have waited for long enough.
   *
   * @param last what the same coordinator told before
   */
  Askings told(Optional<Awaited> last, Optional<Awaited> now) {
    boolean changed =
        last.filter(told -> now.isEmpty() || !told.isOfTheSame(now.get())).isPresent();
    var known = changed ? NOBODY : this;
    if (now.isEmpty() || now.get().named().isEmpty()) {
      return last.filter(told -> !told.named().isEmpty()).isPresent() ? NOBODY : known;
    }
    var next = new TreeMap<Identity, Times>();
    for (var asked : now.get().named()) {
      if (asked.times() > 0) {
        var before = known.of.get(asked.endorser());
        next.put(asked.endorser(), before == null ? Times.of(asked) : before.and(asked));
      }
    }
    return new Askings(next);
  }

  /** Of one that was told. */
  String words(Asked asked) {
    var times = of.getOrDefault(asked.endorser(), Times.of(asked));
    return words(asked.endorser(), times);
  }

  private static String words(Identity endorser, Times times) {
    return "%s's endorsement, asked %s since %s"
        .formatted(
            endorser,
            Counted.of(times.all(), "time"),
            times.first().truncatedTo(ChronoUnit.SECONDS));
  }

  /** Until the present coordinator says something itself; empty if nobody was asked. */
  String ofCoordinatorsBefore() {
    if (of.isEmpty()) {
      return "";
    }
    return "; coordinators before waited for "
        + new TreeMap<>(of)
            .entrySet().stream()
                .map(each -> words(each.getKey(), each.getValue()))
                .collect(joining(" and "));
  }
}
