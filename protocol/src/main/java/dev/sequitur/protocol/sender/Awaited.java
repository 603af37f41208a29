package dev.sequitur.protocol.sender;

import static java.util.stream.Collectors.joining;

import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification.Asked;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification.Other;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification.Turn;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification.Waiting;
import dev.sequitur.protocol.text.Counted;
import dev.sequitur.protocol.text.Ordinal;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * For what a transaction waits at its coordinator, as that says (HBT-6). Words are made when
 * somebody asks: thousands may wait, and are told twice a second.
 *
 * @param coordinator that says so
 * @param named who has not answered, as many as are named
 * @param more how many besides have not answered
 * @param turn its place in the line for an assembly
 * @param after what it comes after
 */
record Awaited(
    NodeName coordinator, List<Asked> named, int more, Optional<Turn> turn, Optional<Other> after) {
  /** It is told with each transaction, and stands in its receipt. */
  private static final int MOST_NAMED = 5;

  Awaited {
    named = List.copyOf(named);
  }

  /** Of the first of those. */
  static Awaited told(NodeName coordinator, Waiting waiting) {
    var asked = waiting.asked();
    int named = Math.min(MOST_NAMED, asked.size());
    return new Awaited(
        coordinator,
        asked.subList(0, named),
        asked.size() - named,
        waiting.turn(),
        waiting.after());
  }

  /** The same of one that stands so many behind it. */
  Awaited behind(int places) {
    return turn.isEmpty() || places == 0
        ? this
        : new Awaited(coordinator, named, more, turn.map(first -> first.behind(places)), after);
  }

  /** Whose answer, or assembly, is waited for; none if that is nobody's in particular. */
  Set<NodeName> nodes() {
    var nodes = new LinkedHashSet<NodeName>();
    named.forEach(asked -> nodes.add(asked.endorser().node()));
    if (nodes.isEmpty()) {
      after.or(() -> turn.flatMap(Turn::assembling)).ifPresent(it -> nodes.add(it.from().node()));
    }
    return Set.copyOf(nodes);
  }

  /**
   * Whether it is about the same endorsements. If it is not, those that were waited for were given.
   */
  boolean isOfTheSame(Awaited other) {
    return after.map(Other::transaction).equals(other.after.map(Other::transaction));
  }

  /**
   * @param asking how often endorsers were asked, by coordinators before as well
   */
  String words(Askings asking) {
    var parts = new ArrayList<String>();
    turn.ifPresent(it -> parts.add(words(it)));
    after.ifPresent(it -> parts.add(words(it)));
    if (!named.isEmpty()) {
      parts.add(
          (after.isPresent() ? "which waits for " : "")
              + named.stream().map(asked -> words(asked, asking)).collect(joining(" and "))
              + (more > 0 ? " and " + Counted.of(more, "more endorsement") : ""));
    }
    return String.join(", ", parts);
  }

  private String words(Turn place) {
    var inLine =
        "its turn, %s in line at %s".formatted(Ordinal.of(place.before() + 1L), coordinator);
    return place
        .assembling()
        .map(
            first ->
                "%s, where %s's assembly of %s is waited for since %s"
                    .formatted(
                        inLine,
                        first.from(),
                        first.transaction(),
                        first.since().truncatedTo(ChronoUnit.SECONDS)))
        .orElse(inLine);
  }

  private static String words(Other first) {
    return "transaction %s of %s, after which it comes"
        .formatted(first.transaction(), first.from());
  }

  private static String words(Asked asked, Askings asking) {
    if (asked.times() == 0 && asked.said().isPresent()) {
      return asked.said().get();
    }
    return "%s: %s".formatted(asking.words(asked), asked.said().orElse("no answer"));
  }
}
