package dev.sequitur.schedule;

import static java.util.stream.Collectors.joining;

import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.Locale;

/** A time zone as a person names it. */
public final class ZoneName {
  private static final int MOST_MEANT = 3;

  private ZoneName() {}

  /**
   * The zone of a name, such as Europe/Zurich, or of an offset.
   *
   * @throws IllegalArgumentException with a sentence for the person, if there is none
   */
  public static ZoneId of(String name) {
    try {
      return ZoneId.of(name);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "There is no time zone '" + name + "': " + instead(name), e);
    }
  }

  /** Zones are named after cities, and people leave out the continent. */
  private static String instead(String name) {
    var city = city(name);
    var meant =
        ZoneId.getAvailableZoneIds().stream()
            .filter(each -> city(each).equals(city))
            .sorted()
            .limit(MOST_MEANT)
            .collect(joining(" or "));
    return meant.isEmpty() ? "name one like Europe/Zurich or UTC." : "did you mean " + meant + "?";
  }

  private static String city(String zone) {
    return zone.substring(zone.lastIndexOf('/') + 1)
        .strip()
        .replace(' ', '_')
        .toLowerCase(Locale.ROOT);
  }
}
