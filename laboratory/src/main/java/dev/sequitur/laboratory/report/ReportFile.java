package dev.sequitur.laboratory.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sequitur.console.Console;
import dev.sequitur.node.process.StartFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What {@code --report} writes. */
public final class ReportFile {
  private static final JsonMapper JSON = new JsonMapper();

  private ReportFile() {}

  /**
   * JSON for people.
   *
   * @param report a record, whose components are the fields
   */
  public static String text(Object report) {
    try {
      return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(report) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("A report of plain values cannot be written.", e);
    }
  }

  /**
   * Writes the file, and says where it is.
   *
   * @throws StartFailure with a sentence for the person, if it cannot be written
   */
  public static void write(Path file, Object report, Console console) {
    try {
      Files.writeString(file, text(report));
      console.out().println("The report is in " + file);
    } catch (IOException e) {
      throw new StartFailure(
          "The report cannot be written to " + file + " (" + e.getMessage() + ").", e);
    }
  }
}
