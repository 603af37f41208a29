package dev.sequitur.transport;

import dev.sequitur.links.admission.SeldomLines;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.message.Envelope;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a transport leaves what has arrived for its node. Thread-safe; one that fails is no harm.
 */
public final class Inbox {
  private static final Logger LOG = LoggerFactory.getLogger(Inbox.class);

  private final NodeName node;
  private final TransportCounters counters;
  private final SeldomLines failures = new SeldomLines(System::nanoTime);
  private final AtomicReference<Consumer<List<Envelope>>> receiver = new AtomicReference<>();

  public Inbox(NodeName node, TransportCounters counters) {
    this.node = node;
    this.counters = counters;
  }

  /**
   * Names the receiver, once.
   *
   * @throws IllegalStateException if there is a receiver
   */
  public void receive(Consumer<List<Envelope>> newReceiver) {
    if (!receiver.compareAndSet(null, newReceiver)) {
      throw new IllegalStateException("The transport of " + node + " has a receiver already.");
    }
  }

  /** Calls the receiver on this thread; without one, or if it throws, the batch is counted lost. */
  public void deliver(List<Envelope> batch) {
    var consumer = receiver.get();
    if (consumer == null) {
      counters.add(TransportCounter.DROPPED_CLOSED, batch.size());
      return;
    }
    try {
      consumer.accept(batch);
      counters.add(TransportCounter.RECEIVED, batch.size());
    } catch (RuntimeException e) {
      // The text of the exception is left out: it may hold private data.
      counters.add(TransportCounter.DROPPED_RECEIVER_FAILED, batch.size());
      var cause = e.getClass().getName();
      failures
          .due(cause)
          .ifPresent(
              leftOut ->
                  LOG.warn(
                      "{} failed to take {} envelopes: {}; {} more since the last such line.",
                      node,
                      batch.size(),
                      cause,
                      leftOut));
    }
  }
}
