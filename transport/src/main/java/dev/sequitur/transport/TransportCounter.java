package dev.sequitur.transport;

import dev.sequitur.cluster.metrics.LabelledCounter;

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

  /** The Prometheus metric that a counter belongs to, and its value of that metric's label. */
  Family family() {
    return switch (this) {
      case SENT, RECEIVED -> Family.ENVELOPES;
      case CONNECTIONS_OPENED, CONNECTIONS_FAILED, CONNECTIONS_REFUSED, CONNECTIONS_ABUSED ->
          Family.CONNECTIONS;
      case CERTIFICATES_RELOADED -> Family.CERTIFICATES;
      case DROPPED_UNKNOWN_RECEIVER,
          DROPPED_WRONG_NODE,
          DROPPED_CLOSED,
          DROPPED_RECEIVER_FAILED,
          DROPPED_QUEUE_FULL,
          DROPPED_OVERSIZED,
          DROPPED_UNENCODABLE,
          DROPPED_CONNECTION_LOST,
          DROPPED_UNDECODABLE ->
          Family.DROPPED;
    };
  }

  /** Without the family's own name. */
  String word() {
    var word = LabelledCounter.word(this);
    var prefix = LabelledCounter.word(family()) + "_";
    return word.startsWith(prefix) ? word.substring(prefix.length()) : word;
  }

  /** What is one metric. */
  enum Family {
    ENVELOPES("direction", "Envelopes that were handed to the network or to the receiver."),
    DROPPED("reason", "Envelopes that were not sent or not delivered; they are sent again."),
    CONNECTIONS("outcome", "Connections to peers, and of others that were not let in."),
    CERTIFICATES("event", "What was done with files of certificates.");

    final String label;
    final String help;

    Family(String label, String help) {
      this.label = label;
      this.help = help;
    }

    String metricName() {
      return "sequitur_transport_" + LabelledCounter.word(this);
    }
  }
}
