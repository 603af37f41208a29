package dev.sequitur.client;

import dev.sequitur.console.EndedEarly;
import java.util.Optional;

/** A call that a node refused, or did not answer; the sentence says what to do. */
public final class CallFailure extends EndedEarly {
  private static final long serialVersionUID = 1;

  private final String status;

  public CallFailure(String sentence) {
    this(sentence, Optional.empty());
  }

  public CallFailure(String sentence, Throwable cause) {
    super(sentence, cause);
    this.status = null;
  }

  /**
   * @param status of the error's data, what the method's specification calls it
   */
  public CallFailure(String sentence, Optional<String> status) {
    super(sentence);
    this.status = status.orElse(null);
  }

  /** The same, telling more. */
  public CallFailure and(String more) {
    var failure = new CallFailure(getMessage() + " " + more, Optional.ofNullable(status));
    failure.initCause(this);
    return failure;
  }

  /** Whether a node refused the call by the status of this name. */
  public boolean is(Enum<?> name) {
    return name.name().equals(status);
  }
}
