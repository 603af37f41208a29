package dev.sequitur.node.hapi;

import akka.http.javadsl.model.AttributeKeys;
import akka.http.javadsl.model.ContentType;
import akka.http.javadsl.model.ContentTypes;
import akka.http.javadsl.model.HttpEntities;
import akka.http.javadsl.model.HttpEntity;
import akka.http.javadsl.model.HttpHeader;
import akka.http.javadsl.model.HttpMethods;
import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.HttpResponse;
import akka.http.javadsl.model.StatusCodes;
import akka.http.javadsl.model.Trailer;
import akka.http.javadsl.model.headers.RawHeader;
import akka.http.scaladsl.model.EntityStreamException;
import akka.stream.Materializer;
import akka.util.ByteString;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.server.OtherDoor;
import dev.sequitur.protocol.guard.Principal;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.scheduler.SchedulerUnavailableException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * gRPC's unary calls upon HTTP/2: one message in, one out, each with five bytes before it, and a
 * status in the trailers. Thread-safe.
 */
final class GrpcCalls {
  private static final Logger LOG = LoggerFactory.getLogger(GrpcCalls.class);
  private static final String GRPC = "application/grpc";
  private static final ContentType TYPE = ContentTypes.parse(GRPC);

  /** Whether a message is compressed, and its length. */
  private static final int PREFIX = 5;

  private final HapiSettings.Limits limits;
  private final OtherDoor door;
  private final HapiCalls calls;
  private final HapiMetrics metrics;
  private final CallsOfAddresses addresses;
  private final Materializer materializer;

  GrpcCalls(
      HapiSettings.Limits limits,
      OtherDoor door,
      HapiCalls calls,
      HapiMetrics metrics,
      Materializer materializer) {
    this.limits = limits;
    this.door = door;
    this.calls = calls;
    this.metrics = metrics;
    this.addresses = new CallsOfAddresses(limits.callsOfAddress());
    this.materializer = materializer;
  }

  CompletionStage<HttpResponse> answer(HttpRequest request) {
    if (!isGrpc(request)) {
      request.discardEntityBytes(materializer);
      return CompletableFuture.completedFuture(
          HttpResponse.create()
              .withStatus(StatusCodes.UNSUPPORTED_MEDIA_TYPE)
              .withEntity("Only gRPC over HTTP/2 is answered here, for clients of Hedera.\n"));
    }
    long start = System.nanoTime();
    var path = request.getUri().path();
    return let(request, path)
        .handle(
            (answered, thrown) -> {
              var failure = thrown == null ? Optional.<GrpcStatus.Failure>empty() : failure(thrown);
              metrics.answered(
                  HapiCalls.called(path),
                  failure.map(GrpcCalls::outcome).orElseGet(() -> answered.outcome()),
                  start);
              return failure.map(GrpcCalls::failed).orElseGet(() -> answered(answered.message()));
            });
  }

  private static HapiMetrics.Outcome outcome(GrpcStatus.Failure failure) {
    return failure.status().isRefusal() ? HapiMetrics.Outcome.REFUSED : HapiMetrics.Outcome.FAILED;
  }

  /** Who calls is looked at first, then whether it may have one more call under way. */
  private CompletionStage<HapiCalls.Answered> let(HttpRequest request, String path) {
    Principal caller;
    try {
      caller = door.who(request);
    } catch (RpcFailure e) {
      request.discardEntityBytes(materializer);
      return door.failed(request, e)
          .thenApply(
              told -> {
                throw refusal(e);
              });
    }
    var address = OtherDoor.address(request);
    if (!addresses.begins(address)) {
      return busy(request, path);
    } else if (!door.begins(caller)) {
      addresses.ends(address);
      return busy(request, path);
    }
    return answer(request, path, caller)
        .whenComplete(
            (answered, failure) -> {
              door.ends(caller);
              addresses.ends(address);
            });
  }

  private CompletionStage<HapiCalls.Answered> busy(HttpRequest request, String path) {
    request.discardEntityBytes(materializer);
    return CompletableFuture.completedFuture(HapiCalls.busy(path));
  }

  private CompletionStage<HapiCalls.Answered> answer(
      HttpRequest request, String path, Principal caller) {
    var patience = patience(request);
    long end = System.nanoTime() + patience.toNanos();
    return request
        .entity()
        .toStrict(patience.toMillis(), limits.messageBytes() + PREFIX, materializer)
        .thenApply(GrpcCalls::message)
        .thenCompose(message -> inTime(() -> calls.answer(path, message, caller), path, end));
  }

  /**
   * While the queue does not answer, such as while it moves to another JVM, clients are told to
   * wait: they count a front that fails as away, and give up when all are.
   */
  private static CompletionStage<HapiCalls.Answered> inTime(
      Supplier<CompletionStage<HapiCalls.Answered>> answer, String path, long endNanos) {
    long left = endNanos - System.nanoTime();
    if (left <= 0) {
      return CompletableFuture.completedFuture(HapiCalls.notNow(path));
    }
    return answer
        .get()
        .toCompletableFuture()
        .orTimeout(left, TimeUnit.NANOSECONDS)
        .exceptionally(
            thrown -> {
              var cause = Answers.cause(thrown);
              if (cause instanceof TimeoutException
                  || cause instanceof SchedulerUnavailableException) {
                return HapiCalls.notNow(path);
              }
              throw new CompletionException(cause);
            });
  }

  private static boolean isGrpc(HttpRequest request) {
    return request.protocol().value().equals("HTTP/2.0")
        && request.method().equals(HttpMethods.POST)
        && request.entity().getContentType().mediaType().toString().startsWith(GRPC);
  }

  /** The caller's own, if that is shorter: a number of at most eight digits, and a letter. */
  private Duration patience(HttpRequest request) {
    return request
        .getHeader("grpc-timeout")
        .map(HttpHeader::value)
        .flatMap(GrpcCalls::timeout)
        .filter(asked -> asked.compareTo(limits.call()) < 0)
        .orElse(limits.call());
  }

  private static Optional<Duration> timeout(String text) {
    if (!text.matches("[0-9]{1,8}[HMSmun]")) {
      return Optional.empty();
    }
    int last = text.length() - 1;
    long number = Math.max(1, Long.parseLong(text.substring(0, last)));
    return Optional.of(
        switch (text.charAt(last)) {
          case 'H' -> Duration.ofHours(number);
          case 'M' -> Duration.ofMinutes(number);
          case 'S' -> Duration.ofSeconds(number);
          case 'm' -> Duration.ofMillis(number);
          case 'u' -> Duration.ofNanos(number * 1_000);
          default -> Duration.ofNanos(number);
        });
  }

  private static Bytes message(HttpEntity.Strict entity) {
    var bytes = entity.getData().toArray();
    if (bytes.length < PREFIX) {
      throw new GrpcStatus.Failure(GrpcStatus.INVALID_ARGUMENT, "Send one message.");
    } else if (bytes[0] != 0) {
      throw new GrpcStatus.Failure(
          GrpcStatus.UNIMPLEMENTED, "Messages are not compressed here: send it as it is.");
    } else if (ByteBuffer.wrap(bytes).getInt(1) != bytes.length - PREFIX) {
      throw new GrpcStatus.Failure(GrpcStatus.INVALID_ARGUMENT, "Send one whole message.");
    }
    var message = new byte[bytes.length - PREFIX];
    System.arraycopy(bytes, PREFIX, message, 0, message.length);
    return Bytes.of(message);
  }

  private static HttpResponse answered(Bytes message) {
    var framed = ByteBuffer.allocate(PREFIX + message.size());
    framed.put((byte) 0).putInt(message.size()).put(message.toByteArray());
    var trailer = Trailer.create().addHeader(RawHeader.create("grpc-status", "0"));
    return HttpResponse.create()
        .withEntity(HttpEntities.create(TYPE, ByteString.fromArray(framed.array())))
        .addAttribute(AttributeKeys.trailer, trailer);
  }

  private static Optional<GrpcStatus.Failure> failure(Throwable thrown) {
    return Optional.of(
        switch (Answers.cause(thrown)) {
          case GrpcStatus.Failure known -> known;
          case EntityStreamException ignored ->
              new GrpcStatus.Failure(
                  GrpcStatus.RESOURCE_EXHAUSTED, "The message is too long, or was cut off.");
          case TimeoutException ignored ->
              new GrpcStatus.Failure(
                  GrpcStatus.DEADLINE_EXCEEDED, "The message did not come in time.");
          case RpcFailure refused -> refusal(refused);
          case Throwable cause -> {
            LOG.error("A call of a client of Hedera failed", cause);
            yield new GrpcStatus.Failure(
                GrpcStatus.INTERNAL, "The node failed over this call: look into its log.");
          }
        });
  }

  private static GrpcStatus.Failure refusal(RpcFailure refused) {
    GrpcStatus status = GrpcStatus.UNAVAILABLE;
    if (refused.code().equals(ErrorCode.UNAUTHENTICATED.code())) {
      status = GrpcStatus.UNAUTHENTICATED;
    } else if (refused.code().equals(ErrorCode.NOT_GRANTED.code())) {
      status = GrpcStatus.PERMISSION_DENIED;
    }
    return new GrpcStatus.Failure(status, refused.text());
  }

  private static HttpResponse failed(GrpcStatus.Failure failure) {
    return HttpResponse.create()
        .withEntity(HttpEntities.create(TYPE, ByteString.emptyByteString()))
        .addHeaders(
            List.of(
                RawHeader.create("grpc-status", failure.status().number()),
                RawHeader.create("grpc-message", text(failure.getMessage()))));
  }

  /** As a header may have it: what is not visible ASCII is escaped. */
  private static String text(String sentence) {
    var text = new StringBuilder();
    for (byte octet : sentence.getBytes(StandardCharsets.UTF_8)) {
      boolean plain = octet >= ' ' && octet <= '~' && octet != '%';
      text.append(plain ? Character.toString(octet) : "%%%02X".formatted(octet));
    }
    return text.toString();
  }
}
