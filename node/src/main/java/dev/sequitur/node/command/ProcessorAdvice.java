package dev.sequitur.node.command;

import java.util.Optional;

/** Warns of a setting without which Akka's Java API is slow where there are few processors. */
public final class ProcessorAdvice {
  private static final String PROPERTY = "java.util.concurrent.ForkJoinPool.common.parallelism";

  private ProcessorAdvice() {}

  public static Optional<String> ofProcess() {
    return of(
        Optional.ofNullable(System.getProperty(PROPERTY)),
        Runtime.getRuntime().availableProcessors());
  }

  static Optional<String> of(Optional<String> parallelism, int processors) {
    // With so few the JDK's common pool is of one thread, which it replaces by a thread per task.
    return parallelism.isEmpty() && processors <= 2
        ? Optional.of(
            "Warning: there are "
                + processors
                + " processors and -D"
                + PROPERTY
                + "=2 is not set, which costs much speed: use ./sequitur, or add it to java's"
                + " options.")
        : Optional.empty();
  }
}
