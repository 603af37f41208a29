package dev.sequitur.laboratory.demo.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.laboratory.report.Finding;
import dev.sequitur.protocol.text.Counted;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What must hold at the end, and the occurrences with their outcomes. */
final class Findings {
  /**
   * One occurrence with its outcome.
   *
   * @param what it was, for people
   */
  record Occurrence(String what, String key, String outcome, String at) {}

  private final List<Finding> findings = new ArrayList<>();
  private final List<Occurrence> occurrences = new ArrayList<>();

  void check(boolean holds, String sentence, Object... values) {
    findings.add(Finding.of(holds, sentence, values));
  }

  void equal(String what, Object expected, Object actual) {
    check(
        expected.equals(actual),
        expected.equals(actual) ? "%s: %s" : "%s: %s, but it should be " + expected,
        what,
        actual);
  }

  /**
   * Takes a schedule's history over.
   *
   * @param outcomes that its occurrences may have had
   */
  void occurrences(String what, String id, JsonNode history, int count, Set<String> outcomes) {
    var keys = new HashSet<String>();
    boolean allowed = true;
    for (var recorded : history) {
      var key =
          "%d/%d"
              .formatted(recorded.get("incarnation").asLong(), recorded.get("occurrence").asLong());
      var outcome = recorded.get("outcome").asText();
      keys.add(key);
      allowed &= outcomes.contains(outcome);
      occurrences.add(
          new Occurrence(what, shortened(id) + " " + key, outcome, recorded.get("at").asText()));
    }
    check(
        allowed && keys.size() == history.size() && history.size() == count,
        "%s: one outcome each, %d of %s",
        what,
        keys.size(),
        Counted.of(count, "occurrence"));
  }

  /** Those of multi-signature schedules are short. */
  private static String shortened(String id) {
    if (id.indexOf(':') < 0) {
      return id;
    }
    int end = Math.min(id.length(), id.indexOf(':') + 9);
    return id.substring(0, end) + "…";
  }

  List<Finding> findings() {
    return List.copyOf(findings);
  }

  List<Occurrence> occurrences() {
    return List.copyOf(occurrences);
  }

  boolean hold() {
    return !findings.isEmpty() && findings.stream().allMatch(Finding::holds);
  }
}
