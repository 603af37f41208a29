package dev.sequitur.console;

import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigValueFactory;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How the values of options are read. */
public final class Values {
  private static final Duration LEAST_TIME = Duration.ofMillis(10);

  private Values() {}

  /**
   * A whole number within bounds, both included.
   *
   * @throws TypeConversionException with a sentence, if the text is none
   */
  public static long wholeNumber(String text, long least, long most) {
    try {
      long value = Long.parseLong(text.strip().replace("_", ""));
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Falls through: the sentence is the same.
    }
    throw new TypeConversionException(
        "'" + text + "' is not a whole number from " + least + " to " + most);
  }

  /** 0 to 65535. */
  public static final class Port implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return (int) wholeNumber(text, 0, 65_535);
    }
  }

  /** As in a configuration file: 500ms, 2s, 5m. */
  public static final class Time implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
      return time(text, Duration.ofHours(1), "10ms to 1h, such as 500ms or 2s");
    }
  }

  /** How long something has been there, which may be very long. */
  public static final class Age implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
      return time(text, Duration.ofDays(3_650), "10ms to 3650d, such as 1m or 2d");
    }
  }

  private static Duration time(String text, Duration most, String range) {
    try {
      var value = ConfigValueFactory.fromAnyRef(text).atKey("time").getDuration("time");
      if (value.compareTo(LEAST_TIME) >= 0 && value.compareTo(most) <= 0) {
        return value;
      }
    } catch (ConfigException e) {
      // Falls through: the sentence is the same.
    }
    throw new TypeConversionException("'" + text + "' is not a time from " + range);
  }
}
