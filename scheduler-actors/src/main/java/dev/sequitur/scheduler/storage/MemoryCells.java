package dev.sequitur.scheduler.storage;

import dev.sequitur.persistence.store.CellStore;
import java.util.ArrayList;

/**
 * A queue's memory as cells: what a checkpoint writes is what differs from the one before. Walks
 * both, so it belongs on a computing thread. Thread-safe.
 */
public final class MemoryCells {
  private static final byte[] ROOT = {};

  private final CellPart root;

  public MemoryCells(QueueFormat format) {
    this.root = new CellParts(format).of(QueueMemory.class);
  }

  /**
   * What leads from one state to a later one.
   *
   * @param before what the store has; the empty memory if it has nothing
   */
  public CellStore.Change change(QueueMemory before, QueueMemory now) {
    var cells = new ArrayList<CellStore.Cell>();
    var removed = new ArrayList<byte[]>();
    root.changes(
        ROOT,
        before.number() == 0 ? null : before,
        now,
        new CellPart.Changes() {
          @Override
          public void put(byte[] key, byte[] value) {
            cells.add(new CellStore.Cell(key, value));
          }

          @Override
          public void remove(byte[] key) {
            removed.add(key);
          }
        });
    return new CellStore.Change(before.number(), now.number(), cells, removed);
  }

  CellPart root() {
    return root;
  }

  /** Takes the cells that {@link #change} made. */
  public Loading loading() {
    return new Loading(root.building());
  }

  /** Confined to one thread. */
  public static final class Loading implements CellStore.Visitor<QueueMemory> {
    private final CellPart.Building building;
    private boolean empty = true;

    private Loading(CellPart.Building building) {
      this.building = building;
    }

    @Override
    public void visit(byte[] key, byte[] value) {
      empty = false;
      building.cell(key, 0, value);
    }

    /**
     * @throws StateLostException if cells are missing
     */
    @Override
    public QueueMemory finish(long version) {
      if (empty && version == 0) {
        return QueueMemory.EMPTY;
      } else if (empty) {
        throw new StateLostException("All cells of its checkpoint are missing.");
      }
      var memory = (QueueMemory) building.finish();
      if (memory.number() != version) {
        throw new StateLostException(
            "Its checkpoint is said to end at record "
                + version
                + ", and ends at "
                + memory.number()
                + ".");
      }
      return new QueueMemory(memory.number(), memory.queue().reindexed(), memory.commands());
    }
  }
}
