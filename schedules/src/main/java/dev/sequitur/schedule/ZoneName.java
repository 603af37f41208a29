package dev.sequitur.schedule;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toMap;

import dev.sequitur.protocol.text.NearestName;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A time zone as a person names it. */
public final class ZoneName {
  private static final int MOST_MEANT = 3;
  private static final int SHORTEST_TYPED = 5;
  private static final int LONGEST_TYPED = 50;

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

  /** Zones are named after cities, and people leave out the continent or mistype one of both. */
  private static String instead(String name) {
    var meant =
        ZoneId.getAvailableZoneIds().stream()
            .filter(each -> city(each).equals(city(name)))
            .sorted()
            .limit(MOST_MEANT)
            .collect(joining(" or "));
    return Optional.of(meant)
        .filter(text -> !text.isEmpty())
        .or(() -> alike(name))
        .map(text -> "did you mean " + text + "?")
        .orElse("name one like Europe/Zurich or UTC.");
  }

  /** Abbreviations such as PST are alike one another, and mean nothing by that. */
  private static Optional<String> alike(String name) {
    if (name.length() < SHORTEST_TYPED || name.length() > LONGEST_TYPED) {
      return Optional.empty();
    }
    var byCity =
        ZoneId.getAvailableZoneIds().stream()
            .filter(each -> NearestName.of(city(name), List.of(city(each))).isPresent())
            .sorted()
            .collect(
                toMap(each -> name.contains("/") ? each : city(each), each -> each, (a, b) -> a));
    return NearestName.of(name, byCity.keySet()).map(byCity::get);
  }

  private static String city(String zone) {
    return zone.substring(zone.lastIndexOf('/') + 1)
        .strip()
        .replace(' ', '_')
        .toLowerCase(Locale.ROOT);
  }
}
