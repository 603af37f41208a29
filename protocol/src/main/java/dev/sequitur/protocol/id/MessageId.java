package dev.sequitur.protocol.id;

import java.util.UUID;

/** New for each send, resends included (EXC-2). */
public record MessageId(UUID value) {
  @Override
  public String toString() {
    return value.toString();
  }
}
