package dev.sequitur.persistence.journal;

/**
 * Hears of what is stored, on the thread that stores it, which everybody waits for: it must be
 * quick, and must not throw.
 */
public interface WriteObserver {
  /** Hears nothing. */
  WriteObserver NONE =
      new WriteObserver() {
        @Override
        public void stored(int writes, long bytes, long nanos) {}

        @Override
        public void failed(int writes) {}
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
}
