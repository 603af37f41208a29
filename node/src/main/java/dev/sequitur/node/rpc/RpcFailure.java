package dev.sequitur.node.rpc;

/**
 * A request that ends in a JSON-RPC error. Carries no stack trace: it is an answer to a caller, not
 * a fault of the node.
 */
public final class RpcFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String code;
  private final int rpcCode;

  /**
   * @param sentence says what to do; holds no private data
   */
  public RpcFailure(ErrorCode error, String sentence) {
    this(error.code(), error.rpcCode(), sentence);
  }

  /**
   * @param code stable, starts with {@code SQ}
   * @param rpcCode of the JSON-RPC error
   */
  public RpcFailure(String code, int rpcCode, String sentence) {
    super(sentence, null, false, false);
    this.code = code;
    this.rpcCode = rpcCode;
  }

  public String code() {
    return code;
  }

  public int rpcCode() {
    return rpcCode;
  }

  /** What the caller reads: the code, a colon, the sentence. */
  public String text() {
    return code + ": " + getMessage();
  }
}
