package dev.sequitur.node.command;

import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigValueFactory;
import dev.sequitur.node.simulate.SeedSeries;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.simulation.RunPlan;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How the values of options are read. */
final class Values {
  private Values() {}

  /** A whole number within bounds. */
  private static long wholeNumber(String text, long least, long most) {
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

  static final class Transactions implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return (int) wholeNumber(text, 1, 10_000_000);
    }
  }

  static final class Nodes implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return (int) wholeNumber(text, 1, 32);
    }
  }

  static final class Seeds implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      return wholeNumber(text, 1, 1_000_000_000);
    }
  }

  /** One number, or the least and the most of them: 5, or 3..7. */
  static final class NetworkSizes implements ITypeConverter<SeedSeries.Sizes> {
    @Override
    public SeedSeries.Sizes convert(String text) {
      var ends = text.strip().split("\\.\\.", 2);
      int least = (int) wholeNumber(ends[0], RunPlan.FEWEST, RunPlan.MOST);
      int most = (int) wholeNumber(ends[ends.length - 1], RunPlan.FEWEST, RunPlan.MOST);
      if (least > most) {
        throw new TypeConversionException("'" + text + "' has the larger number first");
      }
      return new SeedSeries.Sizes(least, most);
    }
  }

  static final class RunTransactions implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return (int) wholeNumber(text, 1, 10_000);
    }
  }

  static final class Jvms implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return (int) wholeNumber(text, 1, 8);
    }
  }

  static final class Minutes implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
      return Duration.ofMinutes(wholeNumber(text, 1, 10_080));
    }
  }

  static final class Seconds implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
      return Duration.ofSeconds(wholeNumber(text, 5, 86_400));
    }
  }

  static final class Rate implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return (int) wholeNumber(text, 1, 1_000);
    }
  }

  static final class Contracts implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return (int) wholeNumber(text, 1, 10_000);
    }
  }

  static final class RangeSize implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      return wholeNumber(text, 1, 1_000_000_000);
    }
  }

  static final class Port implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return (int) wholeNumber(text, 0, 65_535);
    }
  }

  static final class Name implements ITypeConverter<NodeName> {
    @Override
    public NodeName convert(String text) {
      try {
        return new NodeName(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }

  /** As in a configuration file: 500ms, 2s, 5m. */
  static final class Time implements ITypeConverter<Duration> {
    private static final Duration LEAST = Duration.ofMillis(10);
    private static final Duration MOST = Duration.ofHours(1);

    @Override
    public Duration convert(String text) {
      try {
        var value = ConfigValueFactory.fromAnyRef(text).atKey("time").getDuration("time");
        if (value.compareTo(LEAST) >= 0 && value.compareTo(MOST) <= 0) {
          return value;
        }
      } catch (ConfigException e) {
        // Falls through: the sentence is the same.
      }
      throw new TypeConversionException(
          "'" + text + "' is not a time from 10ms to 1h, such as 500ms or 2s");
    }
  }
}
