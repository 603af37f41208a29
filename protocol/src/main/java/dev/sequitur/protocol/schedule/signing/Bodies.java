package dev.sequitur.protocol.schedule.signing;

import dev.sequitur.protocol.id.Hash;
import java.util.List;
import org.pcollections.TreePMap;
import org.pcollections.TreePVector;

/**
 * Which bodies wait and which have been executed, by SHA-256. What was executed leaves memory once
 * a store on disk has it ("archived"); whoever creates a schedule then asks that store (DECISIONS
 * B2).
 *
 * @param uses of bodies that wait, or were executed and are not archived
 * @param unarchived by the count of executed bodies, from 1
 * @param executed how many were executed
 */
public record Bodies(TreePMap<Hash, Use> uses, TreePMap<Long, Hash> unarchived, long executed) {
  public static final Bodies EMPTY = new Bodies(TreePMap.empty(), TreePMap.empty(), 0);

  /**
   * @param waiting schedules of this body that can still be signed, oldest first
   * @param executed whether it was, as far as memory knows
   * @param unarchived whether it was, and the store need not have it yet
   */
  public record Use(TreePVector<EntityId> waiting, boolean executed, boolean unarchived) {
    private static final Use NONE = new Use(TreePVector.empty(), false, false);

    private Use with(TreePVector<EntityId> next) {
      return new Use(next, executed, unarchived);
    }
  }

  /** Schedules of this body that can still be signed, oldest first. */
  public List<EntityId> waiting(Hash body) {
    return use(body).waiting;
  }

  /** Whether it is known here that it was executed; if it is not, the store may know. */
  public boolean isExecuted(Hash body) {
    return use(body).executed;
  }

  /** How many of the executed ones the store has. */
  public long archived() {
    return executed - unarchived.size();
  }

  public Bodies plus(Hash body, EntityId schedule) {
    return put(body, use(body).with(use(body).waiting.plus(schedule)));
  }

  /** It cannot be signed any more. */
  public Bodies minus(Hash body, EntityId schedule) {
    return put(body, use(body).with(use(body).waiting.minus(schedule)));
  }

  public Bodies execute(Hash body) {
    return new Bodies(
        uses.plus(body, new Use(use(body).waiting, true, true)),
        unarchived.plus(executed + 1, body),
        executed + 1);
  }

  /**
   * The store has those up to this count.
   *
   * @throws IllegalStateException if so many were never executed
   */
  public Bodies archive(long upTo) {
    if (upTo > executed) {
      throw new IllegalStateException(upTo + " bodies are stored, but " + executed + " were run");
    }
    var next = this;
    while (!next.unarchived.isEmpty() && next.unarchived.firstKey() <= upTo) {
      var oldest = next.unarchived.firstEntry();
      var use = next.use(oldest.getValue());
      // While others of this body wait it stays here: whoever signs them does not ask the store.
      next =
          new Bodies(next.uses, next.unarchived.minus(oldest.getKey()), executed)
              .put(oldest.getValue(), new Use(use.waiting, true, false));
    }
    return next;
  }

  private Use use(Hash body) {
    return uses.getOrDefault(body, Use.NONE);
  }

  private Bodies put(Hash body, Use use) {
    boolean kept = !use.waiting.isEmpty() || use.unarchived;
    return new Bodies(kept ? uses.plus(body, use) : uses.minus(body), unarchived, executed);
  }
}
