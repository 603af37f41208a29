package dev.sequitur.scheduler;

import java.util.regex.Pattern;

/** The name of a schedule queue within its node. */
public record QueueName(String value) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

  /** The queue of those who name none. */
  public static final QueueName DEFAULT = new QueueName("default");

  public QueueName {
    if (!NAME.matcher(value).matches()) {
      throw new IllegalArgumentException(
          "A queue's name is 1 to 64 letters, digits, '.', '_' or '-', and starts with a letter or"
              + " digit.");
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
