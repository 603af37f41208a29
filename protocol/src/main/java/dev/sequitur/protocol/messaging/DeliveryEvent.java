package dev.sequitur.protocol.messaging;

/** What happens to a delivery. */
public enum DeliveryEvent {
  /** There is something that the receiver does not have. */
  WRITTEN,
  /** What comes next is read. */
  READ,
  /** The receiver has what was on its way, or lacks what was before it, and not all yet. */
  GO_ON,
  /** The receiver has all that was written. */
  CAUGHT_UP
}
