package dev.sequitur.benchmarks;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.sequitur.node.configuration.TracingSettings;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.atomic.AtomicLong;

/** Takes spans over HTTP and looks at none. Thread-safe. */
final class Collector implements AutoCloseable {
  private final HttpServer server;
  private final AtomicLong requests = new AtomicLong();

  Collector() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/v1/traces", this::take);
    server.start();
  }

  private void take(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.getRequestBody().transferTo(OutputStream.nullOutputStream());
      requests.incrementAndGet();
      exchange.getResponseHeaders().set("content-type", "application/x-protobuf");
      exchange.sendResponseHeaders(200, -1);
    }
  }

  /** Of nodes that tell so much. */
  TracingSettings taking(double share) {
    var endpoint =
        URI.create("http://127.0.0.1:%d/v1/traces".formatted(server.getAddress().getPort()));
    var off = TracingSettings.OFF;
    return new TracingSettings(true, endpoint, share, off.queue(), off.timeout());
  }

  long requests() {
    return requests.get();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
