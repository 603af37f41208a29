package dev.sequitur.scheduler.body;

import dev.sequitur.schedule.signing.ResponseCode;

/** Bytes that are not the protobuf message in question. */
final class UnreadableMessageException extends Exception {
  private static final long serialVersionUID = 1;

  private final ResponseCode code;

  UnreadableMessageException(String sentence) {
    this(ResponseCode.INVALID_TRANSACTION_BODY, sentence);
  }

  UnreadableMessageException(ResponseCode code, String sentence) {
    super(sentence);
    this.code = code;
  }

  ResponseCode code() {
    return code;
  }
}
