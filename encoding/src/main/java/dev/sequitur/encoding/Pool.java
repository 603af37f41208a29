package dev.sequitur.encoding;

/**
 * Gives back the object it has seen before in place of an equal one, so that a million schedules of
 * a thousand owners hold a thousand names. Remembers a bounded number. Confined to one thread.
 */
final class Pool {
  private static final ThreadLocal<Pool> POOL = ThreadLocal.withInitial(Pool::new);
  private static final int SLOTS = 1 << 12;

  private final Object[] seen = new Object[SLOTS];

  static Pool ofThisThread() {
    return POOL.get();
  }

  Object shared(Object value) {
    int hash = value.hashCode();
    int slot = (hash ^ hash >>> 16) & SLOTS - 1;
    if (value.equals(seen[slot])) {
      return seen[slot];
    }
    seen[slot] = value;
    return value;
  }
}
