package dev.sequitur.node.configuration;

import java.net.URI;
import java.time.Duration;

/**
 * Whether and where the spans of private transactions are told.
 *
 * @param endpoint of a collector that takes OTLP over HTTP, with its path
 * @param sampleRatio the share of traces that begin at this node, from 0 to 1; one that a caller
 *     has begun is as its caller says
 * @param queue spans that wait for the collector at most; more are dropped
 * @param timeout of one request to the collector
 */
public record TracingSettings(
    boolean enabled, URI endpoint, double sampleRatio, int queue, Duration timeout) {
  /** Nothing is told. */
  public static final TracingSettings OFF =
      new TracingSettings(
          false,
          URI.create("http://127.0.0.1:4318/v1/traces"),
          0.01,
          2_048,
          Duration.ofSeconds(10));

  /** All that begins here, to a collector. */
  public static TracingSettings all(URI endpoint) {
    return new TracingSettings(true, endpoint, 1, OFF.queue(), OFF.timeout());
  }

  static TracingSettings read(ConfigurationReader reader) {
    return new TracingSettings(
        reader.flag("tracing.enabled"),
        reader.uri("tracing.endpoint"),
        reader.share("tracing.sample-ratio"),
        reader.integer("tracing.queue", 1, 1_000_000),
        reader.duration("tracing.timeout"));
  }
}
