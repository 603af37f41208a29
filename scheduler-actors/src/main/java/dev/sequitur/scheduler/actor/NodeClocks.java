package dev.sequitur.scheduler.actor;

import dev.sequitur.schedule.WallTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * What the clocks of a node's JVMs say: this one's, and those of the others as far as they have
 * told it. The furthest of the others counts, so that one that is slow holds nobody back. Of others
 * that were not heard of for a minute nothing is known, and a JVM that knows of none follows its
 * own clock. Thread-safe; a queue asks once per batch.
 *
 * <p>With the time the others tell which queues they have, which is kept for as long.
 */
public final class NodeClocks {
  /**
   * Much longer than it takes the cluster to remove a JVM that has died, so that a pause of the
   * network frees no clock; and it bounds how many are kept.
   */
  static final Duration SILENCE = Duration.ofMinutes(1);

  private final InstantSource own;
  private final LongSupplier nanos;

  /** By the JVM's name; replaced as a whole. */
  private volatile Map<String, Heard> others = Map.of();

  /**
   * @param at when, by {@link #nanos}
   * @param queues that the JVM has
   */
  private record Heard(Instant time, long at, List<String> queues) {
    boolean isSilent(long now) {
      return now - at >= SILENCE.toNanos();
    }

    /** What that clock says now: it goes on as time does, whatever this JVM's clock does. */
    Instant time(long now) {
      return time.plusNanos(now - at);
    }
  }

  /**
   * @param nanos goes on evenly whatever the clock is set to, like {@link System#nanoTime}
   */
  public NodeClocks(InstantSource own, LongSupplier nanos) {
    this.own = own;
    this.nanos = nanos;
  }

  /** This JVM's, right or wrong. */
  public InstantSource own() {
    return own;
  }

  /** Goes on evenly; only how far two of them are apart means something. */
  Instant steady() {
    return Instant.EPOCH.plusNanos(nanos.getAsLong());
  }

  /**
   * Another JVM has told its time.
   *
   * @return whether nothing was known of that JVM
   */
  synchronized boolean hear(ClockReading reading) {
    long now = nanos.getAsLong();
    var known = new HashMap<>(others);
    known.values().removeIf(heard -> heard.isSilent(now));
    boolean isNew =
        known.put(reading.jvm(), new Heard(reading.time(), now, reading.queues())) == null;
    others = Map.copyOf(known);
    return isNew;
  }

  /** The queues that the others have told of. */
  public Stream<String> queuesOfOthers() {
    long now = nanos.getAsLong();
    return others.values().stream()
        .filter(heard -> !heard.isSilent(now))
        .flatMap(heard -> heard.queues().stream());
  }

  /** This JVM's time, with that of the others to judge it by. */
  WallTime wall() {
    long now = nanos.getAsLong();
    Instant furthest = null;
    for (var heard : others.values()) {
      if (!heard.isSilent(now)) {
        var time = heard.time(now);
        furthest = furthest == null || time.isAfter(furthest) ? time : furthest;
      }
    }
    return new WallTime(own.instant(), Optional.ofNullable(furthest));
  }

  /**
   * What is wrong with this JVM's clock and what to do; empty if it is followed.
   *
   * @param maxAhead how far it may be ahead of the others
   */
  public Optional<String> trouble(Duration maxAhead) {
    var ahead = wall().ahead();
    return ahead.compareTo(maxAhead) <= 0
        ? Optional.empty()
        : Optional.of(
            "The clock of this JVM is "
                + ahead.toSeconds()
                + " s ahead of those of the node's other JVMs, and its schedule queues go by theirs:"
                + " set right whichever are wrong (NTP), and stop no JVM before, since the last one"
                + " follows its own.");
  }
}
