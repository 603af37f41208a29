package dev.sequitur.persistence.map;

/**
 * Hears of what is stored, on the thread that stores it, which everybody waits for, and of what
 * can't be read, on the thread that reads: it must be quick, and must not throw.
 */
public interface StoreObserver {
  /** Hears nothing. */
  StoreObserver NONE =
      new StoreObserver() {
        @Override
        public void stored(int writes, long bytes, long nanos) {}

        @Override
        public void failed(int writes) {}

        @Override
        public void unread() {}
      };

  /**
   * These are stored, in one go.
   *
   * @param bytes of keys and values; 0 where they are not known
   * @param nanos from the first word to the disk or the database to its answer
   */
  void stored(int writes, long bytes, long nanos);

  /** These are not: what they were refused with, whoever waits for them is told. */
  void failed(int writes);

  /** What was asked for is damaged, or the disk or the database did not give it. */
  void unread();
}
