package dev.sequitur.node.process;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.HexFormat;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.zip.GZIPInputStream;

/** Takes OTLP over HTTP, as a collector does. */
final class SpanCollector implements AutoCloseable {
  private final HttpServer server;
  private final Queue<Seen> spans = new ConcurrentLinkedQueue<>();

  /**
   * A span as it came.
   *
   * @param instance of the service that has told it
   */
  record Seen(String instance, Span span) {
    String name() {
      return span.getName();
    }

    Span.SpanKind kind() {
      return span.getKind();
    }

    String id() {
      return HexFormat.of().formatHex(span.getSpanId().toByteArray());
    }

    String parent() {
      return HexFormat.of().formatHex(span.getParentSpanId().toByteArray());
    }

    String trace() {
      return HexFormat.of().formatHex(span.getTraceId().toByteArray());
    }

    /** Empty if it has none of that name. */
    String text(String attribute) {
      return value(span.getAttributesList(), attribute);
    }

    long number(String attribute) {
      return span.getAttributesList().stream()
          .filter(each -> each.getKey().equals(attribute))
          .mapToLong(each -> each.getValue().getIntValue())
          .findFirst()
          .orElse(-1);
    }
  }

  SpanCollector() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/v1/traces", this::take);
    server.start();
  }

  private void take(HttpExchange exchange) throws IOException {
    try (exchange;
        var body =
            "gzip".equals(exchange.getRequestHeaders().getFirst("content-encoding"))
                ? new GZIPInputStream(exchange.getRequestBody())
                : exchange.getRequestBody()) {
      for (var resource : ExportTraceServiceRequest.parseFrom(body).getResourceSpansList()) {
        var instance = value(resource.getResource().getAttributesList(), "service.instance.id");
        resource
            .getScopeSpansList()
            .forEach(
                scope -> scope.getSpansList().forEach(each -> spans.add(new Seen(instance, each))));
      }
      exchange.getResponseHeaders().set("content-type", "application/x-protobuf");
      exchange.sendResponseHeaders(200, -1);
    }
  }

  private static String value(List<KeyValue> attributes, String name) {
    return attributes.stream()
        .filter(each -> each.getKey().equals(name))
        .map(each -> each.getValue().getStringValue())
        .findFirst()
        .orElse("");
  }

  URI endpoint() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/v1/traces");
  }

  List<Seen> spans() {
    return List.copyOf(spans);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
