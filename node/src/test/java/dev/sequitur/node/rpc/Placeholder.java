package dev.sequitur.node.rpc;

/**
 * What stands in an example for something that only a run knows: {@code $in:PT10M}, {@code
 * $ms:PT10M}, {@code $hour:2}, {@code $slot:5}, {@code $K:alice}, or {@code $method:/pointer}.
 *
 * @param of whose answer it is, by method or by the name of a call before the examples
 */
record Placeholder(Kind kind, String of, String value) {
  /** What is to be filled in. */
  enum Kind {
    /** A time, so long after the first example. */
    TIME("$in"),
    /** The same in milliseconds since 1970. */
    MILLIS("$ms"),
    /** A full hour, so many after the present one. */
    HOUR("$hour"),
    /** The beginning of a slot, so many after the present one. */
    SLOT("$slot"),
    /** The public key of one who signs. */
    KEY("$K"),
    /** What stands there in an answer. */
    ANSWER("$");

    private final String mark;

    Kind(String mark) {
      this.mark = mark;
    }
  }

  static boolean is(String text) {
    return text.startsWith("$") && text.indexOf(':') > 0;
  }

  static Placeholder parse(String text) {
    int colon = text.indexOf(':');
    var mark = text.substring(0, colon);
    var value = text.substring(colon + 1);
    for (var kind : Kind.values()) {
      if (kind.mark.equals(mark)) {
        return new Placeholder(kind, "", value);
      }
    }
    return new Placeholder(Kind.ANSWER, mark.substring(1), value);
  }

  /** As the page has it, in angle brackets. */
  String printed() {
    return switch (kind) {
      case TIME -> "<a time, in " + value + ">";
      case MILLIS -> "<milliseconds since 1970, in " + value + ">";
      case HOUR -> "<a full hour, in " + value + " hours>";
      case SLOT -> "<the beginning of a slot, in " + value + " slots>";
      case KEY -> "<" + value + "'s public key>";
      case ANSWER ->
          value.isEmpty()
              ? "<what " + of + " answers>"
              : "<" + value.substring(1) + " of " + of + ">";
    };
  }
}
