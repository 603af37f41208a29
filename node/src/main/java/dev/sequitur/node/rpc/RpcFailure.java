package dev.sequitur.node.rpc;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.json.JsonText;
import dev.sequitur.json.Refused;
import dev.sequitur.json.Unreadable;
import java.util.Optional;

/**
 * A request that ends in a JSON-RPC error. Carries no stack trace: it is an answer to a caller, not
 * a fault of the node.
 */
public final class RpcFailure extends Refused {
  private static final long serialVersionUID = 1;

  private final String code;
  private final int rpcCode;
  // Of immutable text; an Optional is no Serializable.
  private final String status;
  // Null if there is nothing.
  private final ObjectNode more;

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
    this(code, rpcCode, status.orElse(null), sentence, null);
  }

  private RpcFailure(String code, int rpcCode, String status, String sentence, ObjectNode more) {
    super(sentence);
    this.code = code;
    this.rpcCode = rpcCode;
    this.status = status;
    this.more = more;
  }

  /** The same, with these fields that are not null in its data. */
  public RpcFailure with(ObjectNode fields) {
    var told = JsonText.object();
    fields
        .properties()
        .forEach(
            field -> {
              if (!field.getValue().isNull()) {
                told.set(field.getKey(), field.getValue());
              }
            });
    return new RpcFailure(code, rpcCode, status, getMessage(), told);
  }

  /** What a caller reads of a refusal. */
  public static RpcFailure of(Refused refused) {
    if (refused instanceof RpcFailure failure) {
      return failure;
    }
    var error =
        refused instanceof Unreadable unreadable ? error(unreadable.flaw()) : ErrorCode.WRONG_TYPE;
    return new RpcFailure(error, refused.getMessage());
  }

  private static ErrorCode error(Unreadable.Flaw flaw) {
    return switch (flaw) {
      case WRONG_TYPE -> ErrorCode.WRONG_TYPE;
      case NO_JSON -> ErrorCode.MALFORMED_JSON;
      case DUPLICATE_FIELD -> ErrorCode.DUPLICATE_FIELD;
      case TOO_COMPLEX -> ErrorCode.JSON_TOO_COMPLEX;
    };
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

  /** The {@code error} of a response or of a notification. */
  public ObjectNode error() {
    var error = JsonText.object().put("code", rpcCode).put("message", text());
    var data = error.putObject("data").put("code", code);
    status().ifPresent(status -> data.put("status", status));
    if (more != null) {
      data.setAll(more);
    }
    return error;
  }

  /** What the caller reads: the code, a colon, the sentence. */
  public String text() {
    return code + ": " + getMessage();
  }
}
