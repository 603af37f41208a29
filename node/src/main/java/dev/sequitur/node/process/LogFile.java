package dev.sequitur.node.process;

import java.nio.file.Path;

/** Where the process logs to beside its terminal. */
public final class LogFile {
  private static final String LOGBACK = "logback.configurationFile";
  private static final String DIRECTORY = "sequitur.log.directory";

  private LogFile() {}

  /**
   * Makes everything logged from now on go to {@code log/} under a data directory too. Must come
   * before anything has logged; an operator's own Logback configuration stays.
   *
   * @throws StartFailure with a sentence that says what to do, if that directory cannot be made
   */
  public static void under(Path dataDirectory) {
    DataDirectory.make(dataDirectory);
    System.setProperty(DIRECTORY, dataDirectory.resolve("log").toString());
    if (System.getProperty(LOGBACK) == null) {
      System.setProperty(LOGBACK, "dev/sequitur/node/logback-file.xml");
    }
  }
}
