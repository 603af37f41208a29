package dev.sequitur.scheduler.actor;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.schedule.OccurrenceKey;
import dev.sequitur.protocol.schedule.Target;
import dev.sequitur.protocol.schedule.queue.QueueEffect.HandOver;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The attempts that answer later: so many have an actor, the others wait for their turn. One that
 * was handed over is only looked after, perhaps for hours, and keeps nobody waiting until there are
 * very many. A privacy group has at most as many places as are left, so one whose transactions do
 * not end never takes the last (decision 0057). Confined to its actor.
 */
final class Executions {
  /** How many may be handed over without an outcome for each that may be on its way there. */
  private static final int HANDED_OVER_FOR_EACH = 10;

  private final Consumer<HandOver> spawn;
  private final Places onTheWay;
  private final Places begun;

  /** By privacy group; who had a turn comes last. */
  private final Map<Optional<ContractAddress>, Queue<HandOver>> waiting = new LinkedHashMap<>();

  private final Set<OccurrenceKey> waitingKeys = new HashSet<>();

  /**
   * @param most of one privacy group on their way to the sequencer at once
   * @param spawn begins to carry one out
   */
  Executions(int most, Consumer<HandOver> spawn) {
    this.spawn = spawn;
    this.onTheWay = new Places(most);
    this.begun = new Places((long) most * HANDED_OVER_FOR_EACH);
  }

  /** Saying it again changes nothing. */
  void begin(HandOver handOver) {
    if (!begun.has(handOver.key()) && waitingKeys.add(handOver.key())) {
      waiting.computeIfAbsent(group(handOver), group -> new ArrayDeque<>()).add(handOver);
      fill();
    }
  }

  /** The sequencer has it. */
  void handedOver(OccurrenceKey key) {
    if (onTheWay.leave(key)) {
      fill();
    }
  }

  void ended(OccurrenceKey key) {
    onTheWay.leave(key);
    if (begun.leave(key)) {
      fill();
    }
  }

  boolean isEmpty() {
    return begun.isEmpty() && waiting.isEmpty();
  }

  private void fill() {
    for (var next = next(); next.isPresent(); next = next()) {
      var handOver = next.get();
      onTheWay.take(handOver.key(), group(handOver));
      begun.take(handOver.key(), group(handOver));
      spawn.accept(handOver);
    }
  }

  private Optional<HandOver> next() {
    return waiting.keySet().stream()
        .filter(group -> onTheWay.hasRoom(group) && begun.hasRoom(group))
        .findFirst()
        .map(this::take);
  }

  private HandOver take(Optional<ContractAddress> group) {
    var ofGroup = waiting.remove(group);
    var handOver = ofGroup.remove();
    waitingKeys.remove(handOver.key());
    if (!ofGroup.isEmpty()) {
      waiting.put(group, ofGroup);
    }
    return handOver;
  }

  private static Optional<ContractAddress> group(HandOver handOver) {
    return handOver.request() instanceof Target.PrivateCall call
        ? Optional.of(call.contract())
        : Optional.empty();
  }

  /** Twice as many as one group can have. */
  private static final class Places {
    private final long all;
    private final Map<OccurrenceKey, Optional<ContractAddress>> taken = new HashMap<>();
    private final Map<Optional<ContractAddress>, Integer> counts = new HashMap<>();

    Places(long mostOfOne) {
      this.all = 2 * mostOfOne;
    }

    boolean hasRoom(Optional<ContractAddress> group) {
      return counts.getOrDefault(group, 0) < all - taken.size();
    }

    boolean has(OccurrenceKey key) {
      return taken.containsKey(key);
    }

    void take(OccurrenceKey key, Optional<ContractAddress> group) {
      taken.put(key, group);
      counts.merge(group, 1, Integer::sum);
    }

    boolean leave(OccurrenceKey key) {
      var group = taken.remove(key);
      if (group == null) {
        return false;
      }
      counts.computeIfPresent(group, (name, count) -> count == 1 ? null : count - 1);
      return true;
    }

    boolean isEmpty() {
      return taken.isEmpty();
    }
  }
}
