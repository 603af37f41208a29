package dev.sequitur.protocol.schedule;

/** What came of one attempt. */
public sealed interface Conclusion {
  /** Units of work used; never below zero. */
  long gasUsed();

  record Succeeded(long gasUsed) implements Conclusion {
    public Succeeded {
      requireGas(gasUsed);
    }
  }

  /**
   * @param reason a sentence without private data
   * @param retryable whether another attempt may do better
   */
  record Failed(long gasUsed, String reason, boolean retryable) implements Conclusion {
    public Failed {
      requireGas(gasUsed);
    }
  }

  private static void requireGas(long gasUsed) {
    if (gasUsed < 0) {
      throw new IllegalArgumentException("Gas used is not negative: " + gasUsed);
    }
  }
}
