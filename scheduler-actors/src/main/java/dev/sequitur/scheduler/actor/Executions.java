package dev.sequitur.scheduler.actor;

import dev.sequitur.protocol.schedule.OccurrenceKey;
import dev.sequitur.protocol.schedule.queue.QueueEffect.HandOver;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The attempts that answer later: so many have an actor, the others wait for their turn. One that
 * was handed over is only looked after, perhaps for hours, and keeps nobody waiting until there are
 * very many. Confined to its actor.
 */
final class Executions {
  /** How many may be handed over without an outcome for each that may be on its way there. */
  private static final int HANDED_OVER_FOR_EACH = 10;

  private final int most;
  private final Consumer<HandOver> spawn;

  /** Those that wait are not yet here. */
  private final Set<OccurrenceKey> onTheWay = new HashSet<>();

  private final Set<OccurrenceKey> handedOver = new HashSet<>();
  private final Map<OccurrenceKey, HandOver> waiting = new LinkedHashMap<>();

  /**
   * @param most on their way to the sequencer at once
   * @param spawn begins to carry one out
   */
  Executions(int most, Consumer<HandOver> spawn) {
    this.most = most;
    this.spawn = spawn;
  }

  /** Saying it again changes nothing. */
  void begin(HandOver handOver) {
    var key = handOver.key();
    if (!onTheWay.contains(key) && !handedOver.contains(key)) {
      waiting.putIfAbsent(key, handOver);
      fill();
    }
  }

  /** The sequencer has it. */
  void handedOver(OccurrenceKey key) {
    if (onTheWay.remove(key)) {
      handedOver.add(key);
      fill();
    }
  }

  void ended(OccurrenceKey key) {
    if (onTheWay.remove(key) || handedOver.remove(key)) {
      fill();
    }
  }

  boolean isEmpty() {
    return onTheWay.isEmpty() && handedOver.isEmpty() && waiting.isEmpty();
  }

  private void fill() {
    var next = waiting.values().iterator();
    while (next.hasNext() && hasRoom()) {
      var handOver = next.next();
      next.remove();
      onTheWay.add(handOver.key());
      spawn.accept(handOver);
    }
  }

  private boolean hasRoom() {
    return onTheWay.size() < most
        && onTheWay.size() + handedOver.size() < (long) most * HANDED_OVER_FOR_EACH;
  }
}
