package dev.sequitur.laboratory.command;

import static dev.sequitur.console.Values.wholeNumber;

import dev.sequitur.laboratory.simulate.SeedSeries;
import dev.sequitur.simulation.RunPlan;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How much of what an option asks for, and what is too much. */
final class Quantities {
  private Quantities() {}

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

  static final class JvmsOfANode implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return (int) wholeNumber(text, 1, RunPlan.MOST_JVMS);
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

  static final class Confirmations implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return (int) wholeNumber(text, 0, 1_000);
    }
  }

  static final class RangeSize implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      return wholeNumber(text, 1, 1_000_000_000);
    }
  }
}
