package dev.sequitur.scheduler.body;

import dev.sequitur.schedule.signing.ResponseCode;

/** Bytes that are no transaction which can be handled here; the message says what to do. */
public final class RefusedTransactionException extends Exception {
  private static final long serialVersionUID = 1;

  private final ResponseCode code;

  RefusedTransactionException(ResponseCode code, String sentence) {
    super(sentence);
    this.code = code;
  }

  public ResponseCode code() {
    return code;
  }
}
