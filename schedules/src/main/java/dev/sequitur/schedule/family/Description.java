package dev.sequitur.schedule.family;

import java.util.List;

/**
 * What its owner says of a schedule, for people: it is shown and looked for, and no rule asks for
 * it. It is no part of what makes an id.
 *
 * @param text what it is for, in one line; may be empty
 * @param labels by which it is found together with others; sorted here, and without duplicates
 */
public record Description(String text, List<String> labels) {
  /** Of the text: as many characters. */
  public static final int LONGEST_TEXT = 200;

  /** Of one schedule. */
  public static final int MOST_LABELS = 16;

  /** Of one label: as many characters. */
  public static final int LONGEST_LABEL = 64;

  public static final Description NONE = new Description("", List.of());

  public Description {
    labels = labels.stream().distinct().sorted().toList();
    checkText(text);
    if (labels.size() > MOST_LABELS) {
      throw new IllegalArgumentException(
          "A schedule has at most " + MOST_LABELS + " labels, not " + labels.size() + ".");
    }
    labels.forEach(Description::checkLabel);
  }

  /**
   * @return the same text
   * @throws IllegalArgumentException if it is too long, or has more than one line
   */
  public static String checkText(String text) {
    if (text.length() > LONGEST_TEXT || hasControls(text)) {
      throw new IllegalArgumentException(
          "Write a description in one line of at most " + LONGEST_TEXT + " characters.");
    }
    return text;
  }

  /**
   * @return the same label
   * @throws IllegalArgumentException if it is none
   */
  public static String checkLabel(String label) {
    if (label.isEmpty()
        || label.length() > LONGEST_LABEL
        || !label.equals(label.strip())
        || hasControls(label)) {
      throw new IllegalArgumentException(
          "A label has 1 to "
              + LONGEST_LABEL
              + " characters in one line, and neither begins nor ends with a space.");
    }
    return label;
  }

  private static boolean hasControls(String text) {
    return text.chars().anyMatch(Character::isISOControl);
  }
}
