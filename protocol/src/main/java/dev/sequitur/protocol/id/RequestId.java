package dev.sequitur.protocol.id;

/**
 * The id of the intent of a request, command or notification, stable over resends (EXC-2). Made of
 * the maker's incarnation and a counter, so that the rules need no randomness.
 */
public record RequestId(String value) {
  public RequestId {
    if (value.isEmpty() || value.length() > 200) {
      throw new IllegalArgumentException("A request id has 1 to 200 characters.");
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
