package dev.sequitur.schedule.signing;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.id.Hash;
import java.util.List;
import org.pcollections.TreePMap;
import org.pcollections.TreePVector;

/**
 * Which bodies wait and which have been executed, by SHA-256. What was executed leaves memory some
 * time after a store on disk has it ("archived"); whoever creates a schedule then asks that store
 * (MSIG-3). It does not leave at once, so that who has asked the store has time to come, and not
 * all at once, so that no command waits for many that leave.
 *
 * @param uses of bodies that wait, or were executed and are not archived
 * @param unarchived by the count of executed bodies, from 1
 * @param executed how many were executed
 * @param stored how many of them the store has
 * @param leaving how many of those may leave memory
 */
@Copyable
public record Bodies(
    TreePMap<Hash, Use> uses,
    TreePMap<Long, Hash> unarchived,
    long executed,
    long stored,
    long leaving)
    implements BodiesBuilder.With {
  public static final Bodies EMPTY = new Bodies(TreePMap.empty(), TreePMap.empty(), 0, 0, 0);

  /** More than come, so that those that may leave become fewer; a few milliseconds at most. */
  private static final int LEAVE_WITH_AN_EXECUTION = 2;

  private static final int LEAVE_WITH_A_WRITE = 1_000;

  /**
   * @param waiting schedules of this body that have no end yet, oldest first; in {@code mvp} only
   *     those that can still be signed
   * @param executed whether it was, as far as memory knows
   * @param unarchived whether it was, and has not left memory
   */
  @Copyable
  public record Use(TreePVector<EntityId> waiting, boolean executed, boolean unarchived)
      implements BodiesUseBuilder.With {
    private static final Use NONE = new Use(TreePVector.empty(), false, false);
  }

  /** Schedules of this body without an end, oldest first; not all of them can still be signed. */
  public List<EntityId> waiting(Hash body) {
    return use(body).waiting;
  }

  /** Whether it is known here that it was executed; if it is not, the store may know. */
  public boolean isExecuted(Hash body) {
    return use(body).executed;
  }

  /** How many of the executed ones have left memory: those the store alone knows. */
  public long archived() {
    return executed - unarchived.size();
  }

  /** How many of the executed ones the store need not have yet. */
  public long unstored() {
    return executed - stored;
  }

  /** The oldest of those that the store need not have yet; takes as long as there are. */
  public List<Hash> unstored(int atMost) {
    return unarchived.tailMap(stored + 1).values().stream().limit(atMost).toList();
  }

  public Bodies plus(Hash body, EntityId schedule) {
    return put(body, use(body).withWaiting(use(body).waiting.plus(schedule)));
  }

  /** It has its end, or in {@code mvp} cannot be signed any more. */
  public Bodies minus(Hash body, EntityId schedule) {
    return put(body, use(body).withWaiting(use(body).waiting.minus(schedule)));
  }

  public Bodies execute(Hash body) {
    return with()
        .uses(uses.plus(body, new Use(use(body).waiting, true, true)))
        .unarchived(unarchived.plus(executed + 1, body))
        .executed(executed + 1)
        .build()
        .leave(LEAVE_WITH_AN_EXECUTION);
  }

  /**
   * The store has those up to this count. What it had before leaves memory, some at once and the
   * rest with what is executed next.
   *
   * @throws IllegalStateException if so many were never executed
   */
  public Bodies archive(long upTo) {
    if (upTo > executed) {
      throw new IllegalStateException(upTo + " bodies are stored, but " + executed + " were run");
    }
    return with().stored(upTo).leaving(stored).build().leave(LEAVE_WITH_A_WRITE);
  }

  private Bodies leave(int atMost) {
    var next = this;
    for (int i = 0; i < atMost; i++) {
      if (next.unarchived.isEmpty() || next.unarchived.firstKey() > leaving) {
        return next;
      }
      var oldest = next.unarchived.firstEntry();
      var use = next.use(oldest.getValue());
      // While others of this body wait it stays here: whoever signs them does not ask the store.
      next =
          next.withUnarchived(next.unarchived.minus(oldest.getKey()))
              .put(oldest.getValue(), new Use(use.waiting, true, false));
    }
    return next;
  }

  private Use use(Hash body) {
    return uses.getOrDefault(body, Use.NONE);
  }

  private Bodies put(Hash body, Use use) {
    boolean kept = !use.waiting.isEmpty() || use.unarchived;
    return withUses(kept ? uses.plus(body, use) : uses.minus(body));
  }
}
