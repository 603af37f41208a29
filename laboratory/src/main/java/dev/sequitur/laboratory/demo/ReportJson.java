package dev.sequitur.laboratory.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** How {@code --report} writes what a run has come to. */
public final class ReportJson {
  private static final JsonMapper JSON = new JsonMapper();

  private ReportJson() {}

  /** A report that says nothing yet. */
  public static ObjectNode empty() {
    return JSON.createObjectNode();
  }

  /** The file's content. */
  public static String text(ObjectNode report) {
    try {
      return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(report) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("A report of plain values cannot be written.", e);
    }
  }
}
