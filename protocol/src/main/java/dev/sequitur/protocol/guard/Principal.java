package dev.sequitur.protocol.guard;

import dev.sequitur.protocol.id.Utf8;
import java.util.List;
import java.util.Locale;

/**
 * Who calls, as far as it was shown.
 *
 * @param name unique among those of its kind; without control characters and those that change the
 *     direction of a line
 * @param roles names of roles, whether or not the node has such ones
 */
public record Principal(Kind kind, String name, List<String> roles) {
  private static final int MOST_CHARACTERS = 128;

  /** Everybody, where nobody is asked who calls. */
  public static final Principal ANYBODY = new Principal(Kind.UNASKED, "anybody", List.of());

  /** How it was shown. */
  public enum Kind {
    /** It was not: on loopback, or because the configuration says so. */
    UNASKED,
    /** By a token of this node. */
    TOKEN,
    /** By a JSON Web Token of an OpenID issuer. */
    JWT,
    /** By the certificate of the connection. */
    CERTIFICATE;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public Principal {
    if (name.isEmpty()
        || name.length() > MOST_CHARACTERS
        || name.codePoints().anyMatch(Principal::isUnseen)
        || !Utf8.isWhole(name)) {
      throw new IllegalArgumentException(
          "The name of a caller has 1 to %d characters, none of them a control character, one that changes the direction of a line or is not seen, or half a pair."
              .formatted(MOST_CHARACTERS));
    }
    roles = List.copyOf(roles);
  }

  /** What would make a line of a log or of a page say something else than it holds. */
  private static boolean isUnseen(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }

  /** Whether it had to show who it is. */
  public boolean isAsked() {
    return kind != Kind.UNASKED;
  }

  /** As logs and refusals name it: {@code token:ci}. */
  @Override
  public String toString() {
    return kind.word() + ":" + name;
  }
}
