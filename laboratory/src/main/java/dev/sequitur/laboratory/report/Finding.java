package dev.sequitur.laboratory.report;

import java.util.Locale;

/** One thing that was looked at, in a sentence for people. */
public record Finding(boolean holds, String sentence) {
  /**
   * @param sentence with places for {@code values}
   */
  public static Finding of(boolean holds, String sentence, Object... values) {
    return new Finding(holds, String.format(Locale.ROOT, sentence, values));
  }
}
