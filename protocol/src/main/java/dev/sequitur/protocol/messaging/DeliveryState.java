package dev.sequitur.protocol.messaging;

/** How far what this node has to tell its group is with one of the other nodes. */
public enum DeliveryState {
  /** It has all that was written. */
  UP_TO_DATE,
  /** What comes next for it is read where messages are kept. */
  READING,
  /** A batch was sent to it and is not acknowledged. */
  ON_ITS_WAY
}
