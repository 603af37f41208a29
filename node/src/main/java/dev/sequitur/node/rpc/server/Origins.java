package dev.sequitur.node.rpc.server;

import akka.http.javadsl.model.HttpHeader;
import akka.http.javadsl.model.HttpMethods;
import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.HttpResponse;
import akka.http.javadsl.model.StatusCodes;
import akka.http.javadsl.model.headers.RawHeader;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Which web pages may call the node, and what their browsers are told of it. A browser on the
 * node's machine would otherwise let any page that it shows send transactions to loopback; programs
 * send no {@code Origin} and are not asked.
 *
 * @param loopbackPages whether pages served from loopback may call, too
 * @param ownPage whether the node serves a page itself
 */
record Origins(Set<String> allowed, boolean loopbackPages, boolean ownPage) {
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");
  private static final String WANTED = "Access-Control-Request-";

  /** How long a browser may go by what it was told, in seconds. */
  private static final String MAX_AGE = "600";

  /**
   * @param origin the header of a request, if it has one
   */
  boolean allows(Optional<String> origin) {
    return origin.isEmpty()
        || allowed.contains(origin.get())
        || (loopbackPages && isLoopback(origin.get()));
  }

  boolean allows(HttpRequest request) {
    return allows(origin(request)) || (ownPage && isOwn(request));
  }

  /**
   * Whether what is asked was asked from here. Who makes another name mean the node has been
   * refused before ({@link Hosts}), and at an address and port of the node nobody else serves
   * pages.
   */
  private static boolean isOwn(HttpRequest request) {
    var asked = request.getHeader("Host").map(HttpHeader::value);
    return asked.isPresent()
        && origin(request)
            .filter(
                origin ->
                    origin.equals("https://" + asked.get())
                        || origin.equals("http://" + asked.get()))
            .isPresent();
  }

  /** Whether a browser asks what the page that it shows may send. */
  static boolean isPreflight(HttpRequest request) {
    return request.method().equals(HttpMethods.OPTIONS)
        && origin(request).isPresent()
        && request.getHeader(WANTED + "Method").isPresent();
  }

  /** The answer to a preflight request of an origin that is allowed. */
  static HttpResponse preflight(HttpRequest request) {
    var response =
        HttpResponse.create()
            .withStatus(StatusCodes.NO_CONTENT)
            .addHeader(allow("Methods", "GET, POST"))
            .addHeader(allow("Headers", "Authorization, Content-Type, Traceparent"))
            .addHeader(RawHeader.create("Access-Control-Max-Age", MAX_AGE));
    return request.getHeader(WANTED + "Private-Network").isPresent()
        ? response.addHeader(allow("Private-Network", "true"))
        : response;
  }

  /** An answer that the page may read, if one asks; to be given to origins that are allowed. */
  static HttpResponse readable(HttpRequest request, HttpResponse answer) {
    return origin(request)
        .map(
            origin ->
                answer.addHeaders(
                    List.of(allow("Origin", origin), RawHeader.create("Vary", "Origin"))))
        .orElse(answer);
  }

  private static HttpHeader allow(String what, String value) {
    return RawHeader.create("Access-Control-Allow-" + what, value);
  }

  private static Optional<String> origin(HttpRequest request) {
    return request.getHeader("Origin").map(HttpHeader::value);
  }

  private static boolean isLoopback(String origin) {
    try {
      var host = new URI(origin).getHost();
      return host != null && LOOPBACK.contains(host);
    } catch (URISyntaxException e) {
      return false;
    }
  }
}
