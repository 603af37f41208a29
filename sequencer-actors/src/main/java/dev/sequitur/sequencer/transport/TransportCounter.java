package dev.sequitur.sequencer.transport;

import java.util.Locale;

/** What a transport counts; envelopes where nothing else is said. */
public enum TransportCounter {
  /** Handed to the network; some may still be lost. */
  SENT,
  /** Handed to the receiver. */
  RECEIVED,
  /** Not sent: no such peer is configured. */
  DROPPED_UNKNOWN_RECEIVER,
  /** Dropped: {@code from} is not the node that sends, or {@code to} not the one that received. */
  DROPPED_WRONG_NODE,
  /** Not sent or not delivered: the transport is closed or has no receiver yet. */
  DROPPED_CLOSED,
  /** Not delivered: the receiver threw. */
  DROPPED_RECEIVER_FAILED,
  /** Not sent: too many wait for this peer already. */
  DROPPED_QUEUE_FULL,
  /** Not sent: one envelope alone does not fit into a frame. */
  DROPPED_OVERSIZED,
  /** Not sent: the codec could not encode it. */
  DROPPED_UNENCODABLE,
  /** Lost with the connection they were being written to. */
  DROPPED_CONNECTION_LOST,
  /** Arrived, but the codec could not read it; 1 also for a frame that is damaged as a whole. */
  DROPPED_UNDECODABLE,
  /** Connections to a peer that were set up, hello included. */
  CONNECTIONS_OPENED,
  /** Attempts to connect that failed, for whatever reason. */
  CONNECTIONS_FAILED,
  /** Connections of others that were refused: certificate, name, version, number. */
  CONNECTIONS_REFUSED,
  /** Connections closed because the other side broke the rules: frame size, false {@code from}. */
  CONNECTIONS_ABUSED,
  /** Times that changed certificate files were read. */
  CERTIFICATES_RELOADED;

  /** The Prometheus name. */
  public String metricName() {
    return "sequitur_transport_" + name().toLowerCase(Locale.ROOT) + "_total";
  }
}
