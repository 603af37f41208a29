package dev.sequitur.node.rpc;

import java.util.Optional;

/**
 * A request that ends in a JSON-RPC error. Carries no stack trace: it is an answer to a caller, not
 * a fault of the node.
 */
public final class RpcFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String code;
  private final int rpcCode;
  // Of immutable text; an Optional is no Serializable.
  private final String status;

  /**
   * @param sentence says what to do; holds no private data
   */
  public RpcFailure(ErrorCode error, String sentence) {
    this(error.code(), error.rpcCode(), sentence);
  }

  /**
   * @param status what a specification calls it, where it has a name for it
   */
  public RpcFailure(ErrorCode error, Optional<String> status, String sentence) {
    this(error.code(), error.rpcCode(), status, sentence);
  }

  /**
   * @param code stable, starts with {@code SQ}
   * @param rpcCode of the JSON-RPC error
   */
  public RpcFailure(String code, int rpcCode, String sentence) {
    this(code, rpcCode, Optional.empty(), sentence);
  }

  private RpcFailure(String code, int rpcCode, Optional<String> status, String sentence) {
    super(sentence, null, false, false);
    this.code = code;
    this.rpcCode = rpcCode;
    this.status = status.orElse(null);
  }

  public String code() {
    return code;
  }

  public int rpcCode() {
    return rpcCode;
  }

  /** What the specification of the method calls it, such as {@code INVALID_SCHEDULE_ID}. */
  public Optional<String> status() {
    return Optional.ofNullable(status);
  }

  /** What the caller reads: the code, a colon, the sentence. */
  public String text() {
    return code + ": " + getMessage();
  }
}
