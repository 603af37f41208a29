package dev.sequitur.node.process;

import dev.sequitur.cluster.placement.Draining;
import dev.sequitur.node.configuration.HostAndPort;
import dev.sequitur.scheduler.SchedulerNode;
import dev.sequitur.sequencer.SequencerNode;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A node that serves.
 *
 * @param endpoint where its JSON-RPC listens
 * @param transport where other nodes reach it, if they are in other processes
 * @param hapi where it serves Hedera's clients, if it does
 * @param mirror where it serves the mirror's view, if it does
 * @param ended completes if it ends without having been asked to, with a sentence that says why and
 *     what to do; on any thread
 * @param draining how this JVM leaves its node
 * @param stop ends it, and returns when what it has promised is on disk; may be called twice
 */
public record RunningNode(
    SequencerNode sequencer,
    SchedulerNode scheduler,
    Endpoint endpoint,
    Optional<HostAndPort> transport,
    Optional<HostAndPort> hapi,
    Optional<HostAndPort> mirror,
    CompletionStage<String> ended,
    Draining draining,
    Runnable stop)
    implements AutoCloseable {

  /** One that only its process ends. */
  public RunningNode(
      SequencerNode sequencer,
      SchedulerNode scheduler,
      Endpoint endpoint,
      Optional<HostAndPort> transport,
      CompletionStage<String> ended,
      Runnable stop) {
    this(
        sequencer,
        scheduler,
        endpoint,
        transport,
        Optional.empty(),
        Optional.empty(),
        ended,
        Draining.never(),
        stop);
  }

  /** Where JSON-RPC listens, and whether it speaks TLS. */
  public record Endpoint(HostAndPort address, boolean tls) {}

  /** Of JSON-RPC. */
  public String url() {
    return (endpoint.tls() ? "https://" : "http://") + endpoint.address();
  }

  @Override
  public void close() {
    stop.run();
  }
}
