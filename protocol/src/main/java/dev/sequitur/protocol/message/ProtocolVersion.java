package dev.sequitur.protocol.message;

import java.util.regex.Pattern;

/** A semantic version: another major one is refused, another minor one accepted (EXC-3). */
public record ProtocolVersion(int major, int minor, int patch) {
  /** The one this code speaks. */
  public static final ProtocolVersion CURRENT = new ProtocolVersion(1, 0, 0);

  private static final Pattern FORM = Pattern.compile("(\\d{1,6})\\.(\\d{1,6})\\.(\\d{1,6})");

  /**
   * @throws IllegalArgumentException if the text is not {@code major.minor.patch}
   */
  public static ProtocolVersion parse(String text) {
    var match = FORM.matcher(text);
    if (!match.matches()) {
      throw new IllegalArgumentException("A protocol version is like 1.0.0, not '" + text + "'.");
    }
    return new ProtocolVersion(
        Integer.parseInt(match.group(1)),
        Integer.parseInt(match.group(2)),
        Integer.parseInt(match.group(3)));
  }

  public boolean isCompatibleWith(ProtocolVersion other) {
    return major == other.major;
  }

  @Override
  public String toString() {
    return major + "." + minor + "." + patch;
  }
}
