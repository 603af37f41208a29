package dev.sequitur.scheduler.storage;

import dev.sequitur.protocol.schedule.queue.DueIndex;
import org.pcollections.TreePMap;

/** What follows from other parts and is not stored. */
enum DerivedPart implements CellPart {
  /** It follows from the schedules; see {@code QueueState.reindexed}. */
  DUE_INDEX;

  @Override
  public void changes(byte[] path, Object before, Object now, Changes to) {}

  @Override
  public Building building() {
    return new Building() {
      @Override
      public void cell(byte[] key, int at, byte[] value) {
        throw new UnreadableException("What is derived has no cell.");
      }

      @Override
      public Object finish() {
        return new DueIndex(TreePMap.empty());
      }
    };
  }
}
