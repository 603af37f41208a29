package dev.sequitur.node.rpc.server;

import akka.http.javadsl.model.AttributeKeys;
import akka.http.javadsl.model.HttpHeader;
import akka.http.javadsl.model.HttpRequest;
import dev.sequitur.node.guard.Guard;
import dev.sequitur.node.guard.Guard.Shown;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.protocol.guard.MethodGroup;
import dev.sequitur.protocol.guard.Principal;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * Somebody who was let in, and what it showed: what holds when a WebSocket is opened may not hold
 * an hour later.
 *
 * @param traceParent the W3C header, if the caller sent one: of a WebSocket, all its calls go by it
 */
record Visit(Guard.Door door, Shown shown, Principal principal, Optional<String> traceParent) {
  /** How a caller can show who it is, for the header of an answer. */
  static final String CHALLENGE = "Bearer realm=\"sequitur\"";

  /**
   * @throws RpcFailure if what the request shows does not hold, or it shows nothing and the door
   *     asks
   */
  static Visit of(Guard.Door door, HttpRequest request) {
    var shown = shown(request);
    return new Visit(
        door, shown, door.who(shown), request.getHeader("traceparent").map(HttpHeader::value));
  }

  /** Whether a request shows a token or a certificate, whether that holds or not. */
  static boolean shows(HttpRequest request) {
    return !shown(request).equals(Shown.NOTHING);
  }

  private static Shown shown(HttpRequest request) {
    return new Shown(
        request.getHeader("Authorization").map(HttpHeader::value),
        request
            .getAttribute(AttributeKeys.sslSession)
            .flatMap(session -> certificate(session.getSession())));
  }

  /**
   * @throws RpcFailure if no role of the visitor grants reading
   */
  void requireReading() {
    door.missing(principal, MethodGroup.READ).ifPresent(Permission::refuse);
  }

  /** Whether the visitor would still be let in as the same. */
  boolean holds() {
    try {
      return door.who(shown).equals(principal);
    } catch (RpcFailure e) {
      return false;
    }
  }

  private static Optional<X509Certificate> certificate(SSLSession session) {
    try {
      return Optional.of((X509Certificate) session.getPeerCertificates()[0]);
    } catch (SSLPeerUnverifiedException e) {
      return Optional.empty();
    }
  }
}
