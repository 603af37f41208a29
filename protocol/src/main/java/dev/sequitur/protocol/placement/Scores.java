package dev.sequitur.protocol.placement;

/**
 * What a name and a number score together, for rendezvous hashing: the same in each JVM and for
 * ever, and without any pattern where names or numbers are alike.
 */
public final class Scores {
  private static final long FNV_START = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  private Scores() {}

  public static long of(String name, long number) {
    long hash = FNV_START;
    for (int i = 0; i < name.length(); i++) {
      hash = (hash ^ name.charAt(i)) * FNV_PRIME;
    }
    return mixed(hash + mixed(number));
  }

  /** One bit that differs changes half of the result's. */
  private static long mixed(long value) {
    long mixed = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }
}
