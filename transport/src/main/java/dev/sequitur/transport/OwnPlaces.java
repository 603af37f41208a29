package dev.sequitur.transport;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * What this JVM tells peers of where its node's entities are: nothing, until it is named who knows.
 * Thread-safe.
 */
public final class OwnPlaces {
  private volatile Supplier<Optional<EntityPlaces>> known = Optional::empty;

  /**
   * @param known is asked at each sign of life that a peer asks for, on the transport's threads
   */
  public void knownBy(Supplier<Optional<EntityPlaces>> known) {
    this.known = known;
  }

  /** As they are now; empty if the node is one JVM, or nobody knows. */
  public Optional<EntityPlaces> now() {
    return known.get();
  }
}
