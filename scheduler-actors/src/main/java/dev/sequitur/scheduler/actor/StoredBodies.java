package dev.sequitur.scheduler.actor;

import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.family.FamilyState;
import dev.sequitur.schedule.queue.QueueState;
import dev.sequitur.schedule.signing.Bodies;
import dev.sequitur.scheduler.storage.StateLostException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Whether the store of executed bodies still has all that the queue relies on. What it has lost is
 * taken from the records that a recovery repeats, as long as they are there. Confined to one
 * thread.
 */
final class StoredBodies {
  private final long stored;
  private final TreeMap<Long, Hash> beyond = new TreeMap<>();
  private long seen;

  /**
   * @param stored up to which execution the store has them
   */
  StoredBodies(long stored) {
    this.stored = stored;
  }

  /** Takes note of what was executed up to here; to be called before and after each record. */
  void note(QueueState state) {
    var bodies = bodies(state);
    if (bodies.executed() > seen) {
      // Its record is the first that has it, so that it has not left memory yet.
      bodies
          .unarchived()
          .tailMap(Math.max(seen, stored) + 1)
          .forEach((number, body) -> beyond.put(number, body));
      seen = bodies.executed();
    }
  }

  /**
   * Those that the store has lost and has to be given again.
   *
   * @throws StateLostException if not all of them are known any more
   */
  List<Hash> missing(QueueState recovered) {
    long wanted = upTo(recovered);
    if (wanted <= stored) {
      return List.of();
    }
    var missing = new ArrayList<>(beyond.headMap(wanted + 1).values());
    if (missing.size() < wanted - stored) {
      throw new StateLostException(
          "It has executed and stored "
              + wanted
              + " bodies that must not be executed again, of which the store has lost those after "
              + stored
              + ", and the journal no longer has them all.");
    }
    return missing;
  }

  /** How many the queue takes for stored. */
  static long upTo(QueueState state) {
    return bodies(state).stored();
  }

  /** Those that the queue has executed, of the family that hands them to the store. */
  static Bodies bodies(QueueState state) {
    for (var family : state.families().values()) {
      if (family instanceof FamilyState.Archiving archiving) {
        return archiving.bodies();
      }
    }
    return Bodies.EMPTY;
  }
}
