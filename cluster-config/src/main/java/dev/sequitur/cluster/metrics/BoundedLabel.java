package dev.sequitur.cluster.metrics;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * What a metric has for each value of a label that others can make grow, such as the group: the
 * first so many values that are seen stand for themselves, all that come later share {@value
 * #OTHER}, which is there from the start. Thread-safe; to find one is a look into a hash map.
 *
 * @param <K> whose text is the label's value
 * @param <D> what is held for each value, such as a data point
 */
public final class BoundedLabel<K, D> {
  /** The value for whatever has no place of its own. */
  public static final String OTHER = "other";

  private final Map<K, D> named = new ConcurrentHashMap<>();
  private final AtomicInteger free;
  private final Function<String, D> make;
  private final D other;

  /**
   * @param most values that get a place of their own
   * @param make given a label's value; is called once for each
   */
  public BoundedLabel(int most, Function<String, D> make) {
    this.free = new AtomicInteger(most);
    this.make = make;
    this.other = make.apply(OTHER);
  }

  public D of(K value) {
    var known = named.get(value);
    return known == null ? add(value) : known;
  }

  private D add(K value) {
    if (free.get() <= 0) {
      return other;
    }
    var added =
        named.computeIfAbsent(
            value, anew -> free.getAndDecrement() > 0 ? make.apply(anew.toString()) : null);
    return added == null ? other : added;
  }
}
