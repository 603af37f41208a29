package dev.sequitur.node.process;

import dev.sequitur.node.configuration.LoggingSettings;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** Where the process logs to beside its terminal, and in which form. */
public final class LogFile {
  private static final String LOGBACK = "logback.configurationFile";
  private static final String OURS = "dev/sequitur/node/logback-file.xml";
  private static final String DIRECTORY = "sequitur.log.directory";
  private static final String NODE = "sequitur.log.node";
  private static final String FORM = "sequitur.log.form";
  private static final String TERMINAL = "sequitur.log.terminal";
  private static final String CLUSTER = "sequitur.log.cluster";

  private LogFile() {}

  /** The same, as text in a file, of a process that is not one node alone. */
  public static void under(Path dataDirectory) {
    under(dataDirectory, "", LoggingSettings.DEFAULT);
  }

  /**
   * Makes everything logged from now on go to {@code log/} under a data directory too, or to the
   * standard output alone. Must come before anything has logged; an operator's own Logback
   * configuration stays.
   *
   * @param node what each line in JSON says of where it is from
   * @throws StartFailure with a sentence that says what to do, if that directory cannot be made
   */
  public static void under(Path dataDirectory, String node, LoggingSettings logging) {
    ProcessDirectory.make(dataDirectory);
    var directory = dataDirectory.resolve("log");
    if (logging.to() == LoggingSettings.Destination.FILE) {
      // Before Logback makes it for everybody: lines name identities and amounts of fees.
      ProcessDirectory.make(directory);
    }
    System.setProperty(DIRECTORY, directory.toString());
    System.setProperty(NODE, node);
    System.setProperty(FORM, word(logging.format()) + "-" + word(logging.to()));
    System.setProperty(TERMINAL, logging.isAllThatIsPrinted() ? "OFF" : "WARN");
    if (System.getProperty(LOGBACK) == null) {
      System.setProperty(LOGBACK, OURS);
    }
  }

  /**
   * As {@link #under(Path, String, LoggingSettings)}, of one of several JVMs of a node: who joins
   * and leaves them is told, too.
   */
  public static void ofOneOfSeveral(Path dataDirectory, String node, LoggingSettings logging) {
    System.setProperty(CLUSTER, "INFO");
    under(dataDirectory, node, logging);
  }

  /**
   * The file that is written now; empty if the log goes elsewhere, or an operator has set it up.
   */
  static Optional<Path> current() {
    boolean isOurs = OURS.equals(System.getProperty(LOGBACK));
    return isOurs
            && System.getProperty(FORM, "").endsWith("-" + word(LoggingSettings.Destination.FILE))
        ? Optional.of(Path.of(System.getProperty(DIRECTORY), "sequitur.log"))
        : Optional.empty();
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
