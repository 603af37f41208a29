package dev.sequitur.cluster.tls;

import dev.sequitur.cluster.metrics.Gauges;
import dev.sequitur.links.tls.BadCertificate;
import dev.sequitur.links.tls.IdentityFiles;
import dev.sequitur.links.tls.OwnCertificate;
import dev.sequitur.links.tls.OwnCertificate.Use;
import dev.sequitur.links.tls.TlsIdentity;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * When the certificates end that a node shows of itself: those that it uses, though a file may
 * already have another that cannot be used. Thread-safe; reads files that have changed.
 */
public final class WatchedCertificates {
  /** Of a node that has none. */
  public static final WatchedCertificates NONE =
      new WatchedCertificates(List.of(), () -> Instant.EPOCH);

  private static final Duration SOON = Duration.ofDays(14);

  private final List<Watched> all;

  private record Watched(OwnCertificate certificate, Supplier<TlsIdentity> used) {
    Instant ends() {
      return used.get().expires();
    }

    String sentence(String verb) {
      return "The certificate that %s names %s on %s: replace it%s."
          .formatted(
              certificate.key(),
              verb,
              ends(),
              certificate.isReadAgain()
                  ? ", and the node reads the new one by itself"
                  : " and start the node anew");
    }
  }

  /**
   * @throws BadCertificate with a sentence that says what to do, if a file cannot be used
   */
  public WatchedCertificates(List<OwnCertificate> certificates, InstantSource clock) {
    all = certificates.stream().map(each -> new Watched(each, used(each, clock))).toList();
  }

  private static Supplier<TlsIdentity> used(OwnCertificate certificate, InstantSource clock) {
    if (certificate.isReadAgain()) {
      return IdentityFiles.quietly(certificate, clock)::current;
    }
    var identity = certificate.reader().apply(clock.instant());
    return () -> identity;
  }

  /** Shows when each ends. */
  public void show(PrometheusRegistry registry) {
    Gauges.show(
        registry,
        "sequitur_certificate_expiry_timestamp_seconds",
        "The Unix time at which the certificate that the node shows ends, by what it is used for.",
        "use",
        this::ends);
  }

  private Map<Use, Double> ends() {
    var ends = new EnumMap<Use, Double>(Use.class);
    all.forEach(each -> ends.put(each.certificate().use(), (double) each.ends().getEpochSecond()));
    return ends;
  }

  /** A sentence for each that ends soon: somebody has two weeks. */
  public List<String> remarks(Instant now) {
    return all.stream()
        .filter(each -> each.ends().isAfter(now) && !each.ends().isAfter(now.plus(SOON)))
        .map(each -> each.sentence("ends"))
        .toList();
  }

  /** A sentence for each that has ended. */
  public List<String> troubles(Instant now) {
    return all.stream()
        .filter(each -> !each.ends().isAfter(now))
        .map(each -> each.sentence("has ended, so that nobody believes it,"))
        .toList();
  }
}
