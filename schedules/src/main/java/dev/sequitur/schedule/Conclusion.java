package dev.sequitur.schedule;

/** What came of one attempt. */
public sealed interface Conclusion {
  /** Units of work used; never below zero. */
  long gasUsed();

  /** What the occurrence ends with if no other attempt follows. */
  default Outcome outcome() {
    return switch (this) {
      case Succeeded ignored -> Outcome.RUN;
      case Failed ignored -> Outcome.FAILED;
    };
  }

  /** Why it failed, as a sentence without private data; empty if it did not. */
  default String note() {
    return switch (this) {
      case Succeeded ignored -> "";
      case Failed failed -> failed.reason();
    };
  }

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
