package dev.sequitur.node.process;

import dev.sequitur.node.configuration.TracingSettings;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.trace.SpanIds;
import dev.sequitur.trace.TransactionSpans;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.logging.Level;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What tells a collector the spans of one node. Thread-safe. */
final class Tracing implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Tracing.class);
  private static final Duration LAST_SPANS = Duration.ofSeconds(5);

  /** Each request to the collector costs as much as some hundred spans. */
  private static final Duration BETWEEN_REQUESTS = Duration.ofSeconds(5);

  /** Held, so that its level stays: the library writes of each failure itself, past our log. */
  private static final java.util.logging.Logger OF_LIBRARY =
      java.util.logging.Logger.getLogger("io.opentelemetry");

  private final Optional<SdkTracerProvider> provider;
  private final TransactionSpans spans;

  private Tracing(Optional<SdkTracerProvider> provider, TransactionSpans spans) {
    this.provider = provider;
    this.spans = spans;
  }

  /** Of a node; makes no spans if they are not wanted. */
  static Tracing of(NodeName node, TracingSettings settings) {
    if (!settings.enabled()) {
      return new Tracing(Optional.empty(), TransactionSpans.OFF);
    }
    OF_LIBRARY.setLevel(Level.OFF);
    var exporter =
        OtlpHttpSpanExporter.builder()
            .setEndpoint(settings.endpoint().toString())
            .setTimeout(settings.timeout())
            .build();
    var provider =
        SdkTracerProvider.builder()
            .setIdGenerator(new SpanIds())
            .setSampler(Sampler.parentBased(Sampler.traceIdRatioBased(settings.sampleRatio())))
            .setResource(
                Resource.getDefault()
                    .merge(
                        Resource.create(
                            Attributes.of(
                                AttributeKey.stringKey("service.name"),
                                "sequitur",
                                AttributeKey.stringKey("service.instance.id"),
                                node.value()))))
            .addSpanProcessor(
                BatchSpanProcessor.builder(
                        new ToldSeldom(exporter, settings.endpoint().toString(), System::nanoTime))
                    .setMaxQueueSize(settings.queue())
                    .setMaxExportBatchSize(Math.min(512, settings.queue()))
                    .setScheduleDelay(BETWEEN_REQUESTS)
                    .build())
            .build();
    return new Tracing(
        Optional.of(provider),
        TransactionSpans.of(node, provider.get("dev.sequitur"), System::nanoTime));
  }

  TransactionSpans spans() {
    return spans;
  }

  /** Tells what waits, for a few seconds at most. */
  @Override
  public void close() {
    provider.ifPresent(it -> it.shutdown().join(LAST_SPANS.toSeconds(), TimeUnit.SECONDS));
  }

  /** A collector that is away costs nobody anything, and a line a minute. */
  static final class ToldSeldom implements SpanExporter {
    private static final long MINUTE_NANOS = 60_000_000_000L;

    private final SpanExporter exporter;
    private final String endpoint;
    private final LongSupplier nanoTime;
    private final AtomicLong told;
    private final AtomicLong lost = new AtomicLong();

    ToldSeldom(SpanExporter exporter, String endpoint, LongSupplier nanoTime) {
      this.exporter = exporter;
      this.endpoint = endpoint;
      this.nanoTime = nanoTime;
      this.told = new AtomicLong(nanoTime.getAsLong() - MINUTE_NANOS);
    }

    @Override
    public CompletableResultCode export(Collection<SpanData> batch) {
      var result = exporter.export(batch);
      result.whenComplete(
          () -> {
            if (!result.isSuccess()) {
              failed(batch.size());
            }
          });
      return result;
    }

    private void failed(int spans) {
      lost.addAndGet(spans);
      long now = nanoTime.getAsLong();
      long last = told.get();
      if (now - last >= MINUTE_NANOS && told.compareAndSet(last, now)) {
        LOG.warn(
            "The collector at {} does not take spans: {} are lost. Look whether it runs and whether"
                + " tracing.endpoint is its address.",
            endpoint,
            lost.getAndSet(0));
      }
    }

    @Override
    public CompletableResultCode flush() {
      return exporter.flush();
    }

    @Override
    public CompletableResultCode shutdown() {
      return exporter.shutdown();
    }
  }
}
