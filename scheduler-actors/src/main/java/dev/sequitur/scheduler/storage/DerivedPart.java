package dev.sequitur.scheduler.storage;

import dev.sequitur.encoding.MalformedBytesException;
import dev.sequitur.schedule.book.HeldByOwner;
import dev.sequitur.schedule.queue.DueIndex;
import dev.sequitur.schedule.queue.OutcomeIndex;
import dev.sequitur.schedule.queue.ScheduleLists;
import org.pcollections.TreePMap;

/** What follows from other parts and is not stored. */
enum DerivedPart implements CellPart {
  /** It follows from the schedules, or from the executions; see {@code QueueState.reindexed}. */
  DUE_INDEX(new DueIndex(TreePMap.empty())),
  /** It follows from the outcomes. */
  OUTCOME_INDEX(OutcomeIndex.EMPTY),
  /** It follows from the schedules. */
  SCHEDULE_LISTS(ScheduleLists.EMPTY),
  /** It follows from the holds. */
  HELD_BY_OWNER(HeldByOwner.EMPTY);

  private final Object unknown;

  DerivedPart(Object unknown) {
    this.unknown = unknown;
  }

  @Override
  public void changes(byte[] path, Object before, Object now, Changes to) {}

  @Override
  public Building building() {
    return new Building() {
      @Override
      public void cell(byte[] key, int at, byte[] value) {
        throw new MalformedBytesException("What is derived has no cell.");
      }

      @Override
      public Object finish() {
        return unknown;
      }
    };
  }
}
