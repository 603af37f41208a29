package dev.sequitur.node.configuration;

import java.util.Optional;
import java.util.function.UnaryOperator;

/** In which form the lines of the log are, and where they go. */
public record LoggingSettings(Format format, Destination to) {
  /** As text, in a file under the data directory. */
  public static final LoggingSettings DEFAULT = new LoggingSettings(Format.TEXT, Destination.FILE);

  /** What a line is. */
  public enum Format {
    TEXT,
    JSON
  }

  /** Where lines go. */
  public enum Destination {
    FILE,
    STDOUT
  }

  /** What a key of the configuration may say. */
  private enum FormatKey {
    AUTO,
    TEXT,
    JSON
  }

  private enum DestinationKey {
    AUTO,
    FILE,
    STDOUT
  }

  /** Whether the standard output is for lines of the log alone. */
  public boolean isAllThatIsPrinted() {
    return to == Destination.STDOUT;
  }

  static LoggingSettings read(ConfigurationReader reader, String section) {
    return read(reader, section, System::getenv);
  }

  /**
   * @param environment by the names of variables; null for what is not set
   */
  static LoggingSettings read(
      ConfigurationReader reader, String section, UnaryOperator<String> environment) {
    var format =
        switch (reader.oneOf(section + ".format", FormatKey.class)) {
          case TEXT -> Format.TEXT;
          case JSON -> Format.JSON;
          case AUTO ->
              is("json", environment.apply("SEQUITUR_LOG_FORMAT"), Format.JSON, Format.TEXT);
        };
    var to =
        switch (reader.oneOf(section + ".to", DestinationKey.class)) {
          case FILE -> Destination.FILE;
          case STDOUT -> Destination.STDOUT;
          case AUTO ->
              is(
                  "stdout",
                  environment.apply("SEQUITUR_LOG_TO"),
                  Destination.STDOUT,
                  Destination.FILE);
        };
    return new LoggingSettings(format, to);
  }

  private static <T> T is(String word, String said, T then, T otherwise) {
    return Optional.ofNullable(said).filter(word::equalsIgnoreCase).isPresent() ? then : otherwise;
  }
}
