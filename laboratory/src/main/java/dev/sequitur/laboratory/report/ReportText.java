package dev.sequitur.laboratory.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The lines of a report. Confined to one thread. */
public final class ReportText {
  private final List<String> lines = new ArrayList<>();
  private final String width;

  /**
   * @param width of the column of names
   */
  public ReportText(int width) {
    this.width = "  %-" + width + "s";
  }

  /** A heading, after an empty line. */
  public ReportText title(String text) {
    lines.add("");
    return line(text);
  }

  public ReportText line(String text) {
    lines.add(text);
    return this;
  }

  /**
   * A name and what is known of it.
   *
   * @param format of {@code values}
   */
  public ReportText fact(String name, String format, Object... values) {
    var known = String.format(Locale.ROOT, format, values);
    return line(String.format(Locale.ROOT, width, name) + known);
  }

  public ReportText finding(Finding finding) {
    return line((finding.holds() ? "  holds  " : "  FAILS  ") + finding.sentence());
  }

  /** Something that is not as it should be. */
  public ReportText failure(String sentence) {
    return finding(new Finding(false, sentence));
  }

  public List<String> lines() {
    return List.copyOf(lines);
  }
}
