package dev.sequitur.scheduler;

/** Ends when it is closed; closing it again does nothing. */
@FunctionalInterface
public interface Subscription extends AutoCloseable {
  @Override
  void close();
}
