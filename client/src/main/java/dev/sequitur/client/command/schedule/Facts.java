package dev.sequitur.client.command.schedule;

import java.util.ArrayList;
import java.util.List;

/** What is known of one thing, a line each: a label and a value. Confined to one thread. */
final class Facts {
  private static final int LABEL = 12;

  private final List<String> lines = new ArrayList<>();

  /** Adds nothing, if there is nothing to say. Further lines of a value stand below its first. */
  Facts add(String label, String value) {
    if (!value.isEmpty() && !value.equals("null")) {
      var below = "\n" + " ".repeat(LABEL + 1);
      lines.add(("%-" + LABEL + "s %s").formatted(label, value.replace("\n", below)));
    }
    return this;
  }

  String text() {
    return String.join("\n", lines);
  }
}
