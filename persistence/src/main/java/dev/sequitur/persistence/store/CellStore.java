package dev.sequitur.persistence.store;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Where an actor keeps a large state in small pieces, so that a checkpoint writes only what has
 * changed since the one before. A stream is the state of one actor; its version says which of the
 * actor's events it contains. Thread-safe.
 */
public interface CellStore {
  /**
   * Reads all cells of a stream as one checkpoint left them, ascending by key. Runs on a thread
   * that may wait for the disk.
   *
   * @param visitor made when there is such a thread; used there alone
   */
  <T> CompletionStage<T> load(String stream, Supplier<? extends Visitor<T>> visitor);

  /**
   * Stores a checkpoint, whole or not at all; durable when the future completes.
   *
   * @return false if the stream has not the version that the change starts from: somebody else has
   *     written it
   */
  CompletionStage<Boolean> write(String stream, Change change);

  /** One piece; the arrays must not be changed. */
  record Cell(byte[] key, byte[] value) {}

  /**
   * What leads from one version to a later one.
   *
   * @param from 0 if there is nothing yet
   * @param to from 1
   * @param removed keys
   */
  record Change(long from, long to, List<Cell> cells, List<byte[]> removed) {
    public Change {
      cells = List.copyOf(cells);
      removed = List.copyOf(removed);
      if (from < 0 || to <= from) {
        throw new IllegalArgumentException("No later version: " + from + " to " + to);
      }
    }
  }

  /** Takes the cells of a stream. */
  interface Visitor<T> {
    void visit(byte[] key, byte[] value);

    /**
     * There are no more.
     *
     * @param version of the checkpoint that left them; 0 if none was ever written, or if the store
     *     has lost it
     */
    T finish(long version);
  }
}
