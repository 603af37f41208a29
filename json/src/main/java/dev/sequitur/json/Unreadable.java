package dev.sequitur.json;

/** JSON that cannot be read, or is of another type or format than what was asked for. */
public final class Unreadable extends Refused {
  private static final long serialVersionUID = 1;

  private final Flaw flaw;

  /** What is wrong with it. */
  public enum Flaw {
    /** It is JSON, of another type or format, or with a field too few or too many. */
    WRONG_TYPE,
    NO_JSON,
    DUPLICATE_FIELD,
    /** Nested too deep, or with too long a number or name. */
    TOO_COMPLEX
  }

  public Unreadable(Flaw flaw, String sentence) {
    super(sentence);
    this.flaw = flaw;
  }

  /** A value of another type or format. */
  public static Unreadable wrongType(String sentence) {
    return new Unreadable(Flaw.WRONG_TYPE, sentence);
  }

  public Flaw flaw() {
    return flaw;
  }
}
