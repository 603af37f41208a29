package dev.sequitur.protocol.table;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;

/** A table as docs/protocol.md shows it. */
final class TableText {
  private TableText() {}

  /** A Mermaid state diagram of the rows that change the state. */
  static String mermaid(TransitionTable<?, ?, ?> table) {
    var arrows = new LinkedHashMap<String, List<String>>();
    for (var row : table.rows()) {
      if (row.kind() == TransitionTable.Kind.MOVE && row.state() != row.next()) {
        arrows
            .computeIfAbsent(
                label(row.state()) + " --> " + label(row.next()), k -> new ArrayList<>())
            .add(words(row.event()));
      }
    }
    var text = new StringBuilder("stateDiagram-v2\n    direction LR\n");
    text.append("    [*] --> ").append(label(table.rows().getFirst().state())).append('\n');
    arrows.forEach(
        (arrow, labels) ->
            text.append("    ")
                .append(arrow)
                .append(" : ")
                .append(String.join("<br/>", labels))
                .append('\n'));
    return text.toString();
  }

  /** A Markdown table: a line for each state and event. */
  static String markdown(TransitionTable<?, ?, ?> table) {
    var text = new StringBuilder("| state | event | next | note |\n|---|---|---|---|\n");
    for (var row : table.rows()) {
      String next =
          switch (row.kind()) {
            case MOVE -> label(row.next());
            case IGNORE -> "(ignored)";
            case IMPOSSIBLE -> "(impossible)";
          };
      text.append("| ").append(label(row.state())).append(" | ").append(words(row.event()));
      text.append(" | ").append(next).append(" | ").append(row.note()).append(" |\n");
    }
    return text.toString();
  }

  private static String label(Enum<?> state) {
    var word = new StringBuilder();
    for (String part : state.name().split("_")) {
      word.append(part.charAt(0)).append(part.substring(1).toLowerCase(Locale.ROOT));
    }
    return word.toString();
  }

  private static String words(Enum<?> event) {
    return event.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
