package dev.sequitur.transport;

import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.port.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * A transport with the faults that {@link FaultRules} say. They act on what is sent; a partition
 * acts also on what arrives, so that one node's rule is enough to cut it off. Without rules it
 * costs one volatile read for each call.
 */
public final class FaultyTransport implements Transport {

  /** Runs an action later, on a thread of its choice. A virtual clock in tests. */
  @FunctionalInterface
  public interface Delayer {
    void after(Duration delay, Runnable action);
  }

  private final Transport transport;
  private final FaultRules rules;
  private final Delayer delayer;
  private final int mostDelayed;
  private final AtomicInteger delayed = new AtomicInteger();
  private final LongAdder overflowed = new LongAdder();
  private volatile boolean closed;

  /**
   * @param mostDelayed envelopes held back at a time; above it they are lost and counted
   */
  public FaultyTransport(Transport transport, FaultRules rules, Delayer delayer, int mostDelayed) {
    this.transport = transport;
    this.rules = rules;
    this.delayer = delayer;
    this.mostDelayed = mostDelayed;
  }

  @Override
  public void send(List<Envelope> envelopes) {
    if (rules.isEmpty()) {
      transport.send(envelopes);
    } else {
      sendWithFaults(envelopes);
    }
  }

  private void sendWithFaults(List<Envelope> envelopes) {
    var byDelay = new LinkedHashMap<Duration, List<Envelope>>();
    for (var envelope : envelopes) {
      for (var delay : rules.arrivals(envelope)) {
        byDelay.computeIfAbsent(delay, same -> new ArrayList<>()).add(envelope);
      }
    }
    var now = byDelay.remove(Duration.ZERO);
    if (now != null) {
      transport.send(now);
    }
    byDelay.forEach(this::sendLater);
  }

  private void sendLater(Duration delay, List<Envelope> envelopes) {
    int size = envelopes.size();
    if (delayed.addAndGet(size) > mostDelayed) {
      delayed.addAndGet(-size);
      overflowed.add(size);
      return;
    }
    try {
      delayer.after(delay, () -> sendNow(envelopes));
    } catch (RejectedExecutionException e) {
      // The scheduler has stopped before the transport.
      delayed.addAndGet(-size);
      overflowed.add(size);
    }
  }

  private void sendNow(List<Envelope> envelopes) {
    delayed.addAndGet(-envelopes.size());
    if (!closed) {
      transport.send(envelopes);
    }
  }

  @Override
  public void receive(Consumer<List<Envelope>> receiver) {
    transport.receive(envelopes -> deliver(envelopes, receiver));
  }

  private void deliver(List<Envelope> envelopes, Consumer<List<Envelope>> receiver) {
    if (rules.isEmpty()) {
      receiver.accept(envelopes);
      return;
    }
    var let = envelopes.stream().filter(envelope -> !rules.isCutOff(envelope)).toList();
    if (!let.isEmpty()) {
      receiver.accept(let);
    }
  }

  @Override
  public Set<NodeName> peers() {
    return transport.peers();
  }

  @Override
  public Map<NodeName, Link> links() {
    return transport.links();
  }

  /** Envelopes held back now. */
  public int delayed() {
    return delayed.get();
  }

  /** Envelopes lost because too many were held back. */
  public long overflowed() {
    return overflowed.sum();
  }

  /** What is held back is lost. */
  @Override
  public void close() {
    closed = true;
    transport.close();
  }
}
