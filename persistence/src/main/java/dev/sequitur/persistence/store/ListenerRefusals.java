package dev.sequitur.persistence.store;

import dev.sequitur.protocol.port.NodeStore.ListenerKind;

/** Why a store does not take an acknowledgement, in the same words whichever store it is. */
final class ListenerRefusals {
  private ListenerRefusals() {}

  static IllegalArgumentException unknown(ListenerKind kind, String name) {
    return new IllegalArgumentException(
        "There is no %s '%s': create it first.".formatted(kind.noun(), name));
  }

  static IllegalArgumentException tooHigh(long sequence) {
    return new IllegalArgumentException(
        "Receipt " + sequence + " does not exist yet: acknowledge what was received.");
  }
}
