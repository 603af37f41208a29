package dev.sequitur.protocol.id;

import java.util.UUID;

/** New for each send, resends included (DECISIONS A22). */
public record MessageId(UUID value) {
  @Override
  public String toString() {
    return value.toString();
  }
}
