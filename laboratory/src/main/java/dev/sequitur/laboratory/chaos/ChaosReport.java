package dev.sequitur.laboratory.chaos;

import dev.sequitur.protocol.id.NodeName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/**
 * What a rehearsal has shown.
 *
 * @param events sentences about what was set when, and what was refused
 * @param complete whether everything was set and cleared
 */
record ChaosReport(
    ChaosOptions options, List<String> events, List<NodeFigures> nodes, boolean complete) {
  ChaosReport {
    events = List.copyOf(events);
    nodes = List.copyOf(nodes);
  }

  /** A node's counters at the four ends of the three times: before, during, after. */
  record NodeFigures(NodeName node, List<Map<String, Double>> samples) {
    NodeFigures {
      samples = List.copyOf(samples);
    }

    private double rate(String figure, int window, Duration length) {
      double grown =
          samples.get(window + 1).getOrDefault(figure, 0.0)
              - samples.get(window).getOrDefault(figure, 0.0);
      // A restart begins at zero.
      return Math.max(0, grown) * 1000 / Math.max(1, length.toMillis());
    }
  }

  List<String> lines() {
    var lines = new ArrayList<String>();
    lines.add("");
    lines.add("Chaos with seed " + options.seed());
    events.forEach(event -> lines.add("  " + event));
    lines.add("");
    lines.add(row("What the metrics said, a second", "before", "during", "after"));
    for (var node : nodes) {
      lines.add("  " + node.node());
      var names = new TreeSet<String>();
      node.samples().forEach(sample -> names.addAll(sample.keySet()));
      names.forEach(name -> line(node, name).forEach(lines::add));
    }
    lines.add("");
    lines.add(
        complete
            ? "All faults were set and are cleared."
            : "Not all faults were set and cleared; each ends by itself within its time.");
    return lines;
  }

  private List<String> line(NodeFigures node, String name) {
    double before = node.rate(name, 0, options.watch());
    double during = node.rate(name, 1, options.duration());
    double after = node.rate(name, 2, options.watch());
    return before + during + after == 0
        ? List.of()
        : List.of(row("    " + name, number(before), number(during), number(after)));
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%,.2f", value);
  }

  private static String row(String name, String before, String during, String after) {
    return String.format(Locale.ROOT, "%-56s%10s%10s%10s", name, before, during, after);
  }
}
