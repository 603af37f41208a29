package dev.sequitur.laboratory.demo.schedule;

import java.util.ArrayList;
import java.util.List;

/** The end of the demonstration, for people. */
final class FindingsText {
  private FindingsText() {}

  static List<String> lines(Findings findings) {
    var lines = new ArrayList<String>();
    lines.add("");
    lines.add("Occurrences and their one outcome");
    int what = width(findings);
    for (var occurrence : findings.occurrences()) {
      lines.add(
          ("  %-" + what + "s  %-9s  %-28s  %s")
              .formatted(
                  occurrence.what(), occurrence.outcome(), occurrence.key(), occurrence.at()));
    }
    lines.add("");
    lines.add("What must hold");
    for (var finding : findings.findings()) {
      lines.add((finding.holds() ? "  holds  " : "  FAILS  ") + finding.sentence());
    }
    return lines;
  }

  private static int width(Findings findings) {
    return findings.occurrences().stream().mapToInt(each -> each.what().length()).max().orElse(1);
  }
}
