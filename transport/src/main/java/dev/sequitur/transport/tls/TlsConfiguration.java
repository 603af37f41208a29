package dev.sequitur.transport.tls;

import dev.sequitur.links.tls.TlsFiles;
import dev.sequitur.protocol.id.NodeName;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a {@link TlsTransport} is told.
 *
 * @param self the own name, as in the own certificate
 * @param bind where to listen
 * @param peers the nodes to talk to at first, as in their certificates, and where they listen
 * @param terms which peers must have too, or they are refused; empty asks nothing of them
 * @param jvm the number of this JVM among those of its node, from 0: they dial different JVMs of a
 *     peer
 */
public record TlsConfiguration(
    NodeName self,
    PeerAddress bind,
    TlsFiles files,
    Map<NodeName, PeerAddress> peers,
    Limits limits,
    Times times,
    Optional<NetworkTerms> terms,
    int jvm) {
  public TlsConfiguration {
    peers = Map.copyOf(peers);
    mustBeOthers(self, peers.keySet());
  }

  static void mustBeOthers(NodeName self, Set<NodeName> peers) {
    if (peers.contains(self)) {
      throw new IllegalArgumentException(
          "Node '" + self + "' is named as its own peer: remove it from the peers.");
    }
  }

  /** That asks nothing of its peers' terms, of a node of one JVM. */
  public TlsConfiguration(
      NodeName self,
      PeerAddress bind,
      TlsFiles files,
      Map<NodeName, PeerAddress> peers,
      Limits limits,
      Times times) {
    this(self, bind, files, peers, limits, times, Optional.empty(), 0);
  }

  public TlsConfiguration withTerms(NetworkTerms all) {
    return new TlsConfiguration(self, bind, files, peers, limits, times, Optional.of(all), jvm);
  }

  public TlsConfiguration withJvm(int number) {
    return new TlsConfiguration(self, bind, files, peers, limits, times, terms, number);
  }

  /** With the usual limits and times. */
  public static TlsConfiguration of(
      NodeName self, PeerAddress bind, TlsFiles files, Map<NodeName, PeerAddress> peers) {
    return new TlsConfiguration(self, bind, files, peers, Limits.DEFAULT, Times.DEFAULT);
  }

  /**
   * What a {@link TlsTransport} holds at most.
   *
   * @param frameBytes of one batch as it travels; both sides keep to their own
   * @param queuedEnvelopes for one peer; above it the oldest are dropped
   * @param envelopesPerFrame in one batch
   * @param incomingPerPeer connections that one node may have here: one for each of its JVMs, and
   *     some that are dead and not known to be
   */
  public record Limits(
      int frameBytes, int queuedEnvelopes, int envelopesPerFrame, int incomingPerPeer) {
    public static final Limits DEFAULT = new Limits(16 << 20, 10_000, 512, 16);

    public Limits {
      if (frameBytes < 1_024
          || queuedEnvelopes < 1
          || envelopesPerFrame < 1
          || incomingPerPeer < 1) {
        throw new IllegalArgumentException(
            "Each limit of a transport is at least 1, that of a frame 1024 bytes.");
      }
    }
  }

  /**
   * The times of a {@link TlsTransport}.
   *
   * @param handshake in which a connection must be set up, hello included
   * @param ping how often the dialling side asks whether the other is there
   * @param silence after which a connection without an answer is given up
   * @param firstRetry the longest wait after a first failure; it doubles with each
   * @param lastRetry the longest wait of all
   * @param goBack after which a JVM that is connected to another address of a peer than it likes
   *     best looks whether that one is there
   */
  public record Times(
      Duration handshake,
      Duration ping,
      Duration silence,
      Duration firstRetry,
      Duration lastRetry,
      Duration goBack) {
    public static final Times DEFAULT =
        new Times(
            Duration.ofSeconds(10),
            Duration.ofSeconds(5),
            Duration.ofSeconds(15),
            Duration.ofMillis(100),
            Duration.ofSeconds(10),
            Duration.ofSeconds(30));

    public Times {
      if (silence.compareTo(ping.multipliedBy(2)) < 0) {
        throw new IllegalArgumentException(
            "A connection is given up after two pings at the earliest: make silence "
                + ping.multipliedBy(2)
                + " or longer.");
      }
      if (lastRetry.compareTo(firstRetry) < 0 || firstRetry.isNegative() || firstRetry.isZero()) {
        throw new IllegalArgumentException("Waits between retries are positive and grow.");
      }
    }
  }
}
