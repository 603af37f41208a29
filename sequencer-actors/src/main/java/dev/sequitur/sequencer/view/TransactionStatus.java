package dev.sequitur.sequencer.view;

import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The state of one transaction by its sender.
 *
 * @param state as in the specification's diagram, or {@code Parked}
 * @param delegate the coordinator it is delegated to
 * @param waitsFor a sentence
 * @param attempts how often it was tried before
 * @param history what happened to it, oldest first, bounded
 */
public record TransactionStatus(
    TransactionId transaction,
    String state,
    Optional<NodeName> delegate,
    Optional<NodeName> submitter,
    String waitsFor,
    int attempts,
    List<Event> history) {
  /** Of one that makes a group, and so has no sender. */
  public static TransactionStatus ofNewGroup(TransactionId transaction, String waitsFor) {
    return new TransactionStatus(
        transaction, "Pending", Optional.empty(), Optional.empty(), waitsFor, 0, List.of());
  }

  public record Event(Instant time, String what) {}
}
