package dev.sequitur.scheduler;

import dev.sequitur.schedule.Partition;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a schedule queue within its node, or of one partition of it: {@code orders/3}
 * (SCH-28).
 */
public record QueueName(String value) {
  private static final Pattern NAME =
      Pattern.compile("([A-Za-z0-9][A-Za-z0-9._-]{0,63})(?:/(0|[1-9][0-9]{0,2}))?");

  /** The queue of those who name none. */
  public static final QueueName DEFAULT = new QueueName("default");

  public QueueName {
    if (!NAME.matcher(value).matches()) {
      throw new IllegalArgumentException(
          "A queue's name is 1 to 64 letters, digits, '.', '_' or '-', and starts with a letter or"
              + " digit; '/' and a number after it name a partition.");
    }
  }

  /** The whole queue, if this is a partition of it. */
  public QueueName whole() {
    return new QueueName(parts().group(1));
  }

  /** Which partition it names; empty if it names the whole queue. */
  public OptionalInt partition() {
    var number = parts().group(2);
    return number == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(number));
  }

  /** Where a partition of this queue lives: the first under the queue's own name. */
  public QueueName entity(int partition) {
    return partition == 0 ? whole() : new QueueName(whole() + "/" + partition);
  }

  /**
   * Which partition a queue of this name is, as an entity.
   *
   * @param count how many the settings give the whole; 1 for none
   * @return empty if it is a queue of one, or if there is no such partition
   */
  public Optional<Partition> place(int count) {
    int index = partition().orElse(0);
    return count > 1 && index < count ? Optional.of(new Partition(index, count)) : Optional.empty();
  }

  /**
   * This entity as its callers name it: the first partition by its number, too.
   *
   * @param count as in {@link #place}
   */
  public String shown(int count) {
    return place(count).map(place -> whole() + "/" + place.index()).orElse(value);
  }

  private Matcher parts() {
    var matcher = NAME.matcher(value);
    if (!matcher.matches()) {
      throw new IllegalStateException("No name: " + value);
    }
    return matcher;
  }

  @Override
  public String toString() {
    return value;
  }
}
