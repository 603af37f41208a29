package dev.sequitur.node.hapi.mirror;

import akka.http.javadsl.model.StatusCode;
import akka.http.javadsl.model.StatusCodes;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.schedule.signing.ResponseCode;

/** Why a request has no answer, in the words of a mirror node where it has some. */
final class MirrorFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient StatusCode status;

  private MirrorFailure(StatusCode status, String message) {
    super(message, null, false, false);
    this.status = status;
  }

  StatusCode status() {
    return status;
  }

  static MirrorFailure notFound() {
    return new MirrorFailure(StatusCodes.NOT_FOUND, "Not found");
  }

  static MirrorFailure invalid(String parameter) {
    return new MirrorFailure(StatusCodes.BAD_REQUEST, "Invalid parameter: " + parameter);
  }

  static MirrorFailure unknown(String parameter) {
    return new MirrorFailure(StatusCodes.BAD_REQUEST, "Unknown query parameter: " + parameter);
  }

  static MirrorFailure invalidTransaction() {
    return new MirrorFailure(
        StatusCodes.BAD_REQUEST,
        "Invalid Transaction id. Please use \"shard.realm.num-sss-nnn\" format where sss are"
            + " seconds and nnn are nanoseconds");
  }

  static MirrorFailure readOnly() {
    return new MirrorFailure(
        StatusCodes.METHOD_NOT_ALLOWED, "The mirror is only read: send GET requests.");
  }

  static MirrorFailure unavailable() {
    return new MirrorFailure(
        StatusCodes.SERVICE_UNAVAILABLE, "The queue does not answer: try again.");
  }

  /** Of a question that the queue has not answered. */
  static MirrorFailure of(ResponseCode code) {
    return code == ResponseCode.BUSY
        ? new MirrorFailure(
            StatusCodes.TOO_MANY_REQUESTS, "Too many requests: wait a second, and try again.")
        : notFound();
  }

  /** Of a caller that was not let in, or not granted what it asks for. */
  static MirrorFailure of(RpcFailure refused) {
    var status = StatusCodes.SERVICE_UNAVAILABLE;
    if (refused.code().equals(ErrorCode.UNAUTHENTICATED.code())) {
      status = StatusCodes.UNAUTHORIZED;
    } else if (refused.code().equals(ErrorCode.NOT_GRANTED.code())) {
      status = StatusCodes.FORBIDDEN;
    }
    return new MirrorFailure(status, refused.text());
  }

  static MirrorFailure ofTheNode() {
    return new MirrorFailure(
        StatusCodes.INTERNAL_SERVER_ERROR, "The node failed over this request: look into its log.");
  }
}
