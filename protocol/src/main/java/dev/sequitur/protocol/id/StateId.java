package dev.sequitur.protocol.id;

/** The id of one private state: all that the base ledger sees of it. */
public record StateId(Hash value) implements Comparable<StateId> {
  @Override
  public int compareTo(StateId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
