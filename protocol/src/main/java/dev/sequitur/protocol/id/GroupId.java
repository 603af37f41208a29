package dev.sequitur.protocol.id;

/** The id of a privacy group, known before its contract has an address. */
public record GroupId(Hash value) {
  @Override
  public String toString() {
    return value.toString();
  }
}
