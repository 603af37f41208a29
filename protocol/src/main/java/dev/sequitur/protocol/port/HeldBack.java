package dev.sequitur.protocol.port;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * What a listener comes to later, because this node lacked contents of it when it was read. Kept
 * with the listener, so it is bounded: beyond {@link #MOST} the oldest goes of which nobody can say
 * that its contents are for this node at all; where there is none of these, there is no room.
 *
 * @param rows by rising numbers
 * @param leftOut how many went, and are told to nobody
 */
public record HeldBack(List<Row> rows, long leftOut) {
  /** A listener with so many is written in some ten kilobytes with each acknowledgement. */
  public static final int MOST = 1_000;

  public static final HeldBack NONE = new HeldBack(List.of(), 0);

  /**
   * One of the listener's rows.
   *
   * @param isAwaited whether its contents are for this node for certain, so that they may not be
   *     given up
   */
  public record Row(long number, boolean isAwaited) {}

  public HeldBack {
    rows = List.copyOf(rows);
  }

  public boolean isEmpty() {
    return rows.isEmpty();
  }

  /** Whether there is no room for one whose contents are awaited. */
  public boolean isFull() {
    return rows.size() >= MOST && rows.stream().allMatch(Row::isAwaited);
  }

  /** One more, which has the highest number; empty if there is no room for it. */
  public Optional<HeldBack> with(Row last) {
    return isFull() && last.isAwaited() ? Optional.empty() : Optional.of(plus(last));
  }

  /**
   * The same, room or not: JVMs of one node may read at once, and each of them has looked for room.
   */
  HeldBack plus(Row last) {
    var all = new ArrayList<>(rows);
    all.add(last);
    for (int i = 0; i < all.size() && all.size() > MOST; i++) {
      if (!all.get(i).isAwaited()) {
        all.remove(i);
        return new HeldBack(all, leftOut + 1);
      }
    }
    return new HeldBack(all, leftOut);
  }

  /** Those numbers are held back no more. */
  public HeldBack without(Collection<Long> numbers) {
    if (numbers.isEmpty()) {
      return this;
    }
    var gone = new HashSet<>(numbers);
    return new HeldBack(
        rows.stream().filter(row -> !gone.contains(row.number())).toList(), leftOut);
  }
}
