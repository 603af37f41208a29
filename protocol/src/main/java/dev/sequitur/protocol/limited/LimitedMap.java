package dev.sequitur.protocol.limited;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A map that forgets an entry for each that comes when it is full: a memory of what can be made or
 * looked up again. Confined to one thread, or guarded by its owner, also where it is only read.
 */
public final class LimitedMap<K, V> extends LinkedHashMap<K, V> {
  private static final long serialVersionUID = 1;

  private final int most;

  private LimitedMap(int most, boolean byUse) {
    super(16, 0.75f, byUse);
    this.most = most;
  }

  /**
   * Forgets what was put first.
   *
   * @param most entries
   */
  public static <K, V> Map<K, V> ofNewest(int most) {
    return new LimitedMap<>(most, false);
  }

  /**
   * Forgets what was neither put nor read for longest.
   *
   * @param most entries
   */
  public static <K, V> Map<K, V> ofLastUsed(int most) {
    return new LimitedMap<>(most, true);
  }

  @Override
  protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
    return size() > most;
  }
}
