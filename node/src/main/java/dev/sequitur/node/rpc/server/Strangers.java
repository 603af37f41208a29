package dev.sequitur.node.rpc.server;

import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.HttpResponse;
import akka.http.javadsl.model.StatusCodes;
import akka.http.javadsl.model.headers.Connection;
import akka.http.javadsl.model.headers.RawHeader;
import dev.sequitur.links.admission.Network;
import dev.sequitur.links.admission.SeldomLines;
import dev.sequitur.node.guard.FailedLogins;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers those who are not let in, at all ports of a node together. Each refusal is told in the
 * log; one of a caller who has shown a token or a certificate is told in the audit, too. A network
 * from which callers have failed often waits for its answers, without a thread. Thread-safe.
 */
final class Strangers {
  private static final Logger LOG = LoggerFactory.getLogger(Strangers.class);
  private static final CompletableFuture<Void> AT_ONCE = CompletableFuture.completedFuture(null);

  private final Audited audited;
  private final FailedLogins logins;
  private final SeldomLines lines;
  private final Function<Duration, CompletionStage<Void>> later;

  Strangers(Audited audited) {
    this(
        audited,
        System::nanoTime,
        wait ->
            new CompletableFuture<Void>()
                .completeOnTimeout(null, wait.toMillis(), TimeUnit.MILLISECONDS));
  }

  /**
   * @param later completes after a while
   */
  Strangers(
      Audited audited, LongSupplier nanoTime, Function<Duration, CompletionStage<Void>> later) {
    this.audited = audited;
    this.logins = new FailedLogins(nanoTime);
    this.lines = new SeldomLines(nanoTime);
    this.later = later;
  }

  /**
   * The answer to a stranger. The rest of the stranger's connection is not read: that costs as
   * little as can be.
   *
   * @param failure without its code: what is told of a token names it if its secret was right
   */
  CompletionStage<HttpResponse> answer(
      HttpRequest request, InetAddress address, RpcFailure failure, HttpResponse refusal) {
    var closing = refusal.addHeader(Connection.create("close"));
    if (nobodyKnows(failure)) {
      return CompletableFuture.completedFuture(closing.withStatus(StatusCodes.SERVICE_UNAVAILABLE));
    }
    var response = closing.addHeader(RawHeader.create("WWW-Authenticate", Visit.CHALLENGE));
    return failed(request, address, failure).thenApply(told -> response);
  }

  /** Whether the node cannot tell who calls, and has said why in its log: nobody has failed. */
  private static boolean nobodyKnows(RpcFailure failure) {
    return failure.code().equals(ErrorCode.NO_ISSUER_KEYS.code());
  }

  /**
   * Counts a caller who was not let in.
   *
   * @return completes when the caller may be told so
   */
  CompletionStage<Void> failed(HttpRequest request, InetAddress address, RpcFailure failure) {
    if (nobodyKnows(failure)) {
      return AT_ONCE;
    }
    tell(address, failure);
    if (!Visit.shows(request)) {
      return AT_ONCE;
    }
    var from = Network.of(address);
    audited.failedLogin(from, failure);
    var wait = logins.failed(from);
    return wait.isZero() ? AT_ONCE : later.apply(wait).thenAccept(over -> logins.answered(from));
  }

  private void tell(InetAddress address, RpcFailure failure) {
    lines
        .due(address.getHostAddress() + failure.text())
        .ifPresent(
            leftOut ->
                LOG.warn(
                    "Nobody was let in from {}: {}; {} more since the last such line.",
                    address.getHostAddress(),
                    failure.text(),
                    leftOut));
  }
}
