package dev.sequitur.node.rpc.server;

import akka.stream.Materializer;
import akka.stream.StreamLimitReachedException;
import akka.stream.javadsl.Source;
import akka.util.ByteString;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.RpcSettings;
import dev.sequitur.protocol.port.Answers;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;

/**
 * A body that is being read. What comes after the limit is thrown away, up to a second limit, so
 * that a caller who is still sending gets to read the answer.
 */
final class RequestBody {
  private static final int DRAINED = 256;

  private final ByteString bytes;
  private final long size;

  private RequestBody(ByteString bytes, long size) {
    this.bytes = bytes;
    this.size = size;
  }

  /** How much is read from a caller at most, what is thrown away included. */
  static long mostRead(RpcSettings settings) {
    return (long) settings.limits().bodyBytes() * DRAINED;
  }

  /**
   * Reads all of a body.
   *
   * @return fails with {@link RpcFailure} if it is too large or too slow, with {@link
   *     StreamLimitReachedException} if it is so large that it was not read to its end
   */
  static CompletionStage<ByteString> read(
      Source<ByteString, ?> data, RpcSettings settings, Materializer materializer) {
    int limit = settings.limits().bodyBytes();
    return data.limitWeighted(mostRead(settings), bytes -> (long) bytes.length())
        .completionTimeout(settings.timeouts().body())
        .runFold(
            new RequestBody(ByteString.emptyByteString(), 0),
            (body, more) -> body.plus(more, limit),
            materializer)
        .handle(
            (body, failure) -> {
              if (failure != null) {
                throw new CompletionException(explain(failure, settings));
              }
              if (body.size > limit) {
                throw tooLarge(settings);
              }
              return body.bytes;
            });
  }

  private RequestBody plus(ByteString more, int limit) {
    long newSize = size + more.length();
    return new RequestBody(
        newSize > limit ? ByteString.emptyByteString() : bytes.concat(more), newSize);
  }

  private static Throwable explain(Throwable failure, RpcSettings settings) {
    var cause = Answers.cause(failure);
    if (cause instanceof TimeoutException) {
      return new RpcFailure(
          ErrorCode.BODY_TOO_SLOW,
          "The request did not arrive within %d s. Send it without a pause."
              .formatted(settings.timeouts().body().toSeconds()));
    }
    return cause;
  }

  static RpcFailure tooLarge(RpcSettings settings) {
    return new RpcFailure(
        ErrorCode.BODY_TOO_LARGE,
        "The request is larger than %d bytes, the most this node reads. Split it."
            .formatted(settings.limits().bodyBytes()));
  }
}
