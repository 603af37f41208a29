package dev.sequitur.ledger.remote;

import akka.actor.Cancellable;
import dev.sequitur.links.admission.Places;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLPeerUnverifiedException;

/** One connection while it lasts: who is at its other end, and what it holds. Thread-safe. */
final class Client {
  private final Places.Place place;
  private final ByteBudget bytes;
  private final Optional<LedgerServerSettings.Tls> tls;
  private final Optional<SSLEngine> engine;
  private final Function<Duration, Cancellable> closing;
  private final LedgerServerSettings.Limits limits;
  private final AtomicLong held = new AtomicLong();
  private final AtomicReference<Cancellable> deadline;
  private volatile boolean ended;

  /**
   * @param closing closes the connection after a time, unless it is cancelled
   */
  Client(
      Places.Place place,
      ByteBudget bytes,
      Optional<LedgerServerSettings.Tls> tls,
      Function<Duration, Cancellable> closing,
      LedgerServerSettings.Limits limits) {
    this.place = place;
    this.bytes = bytes;
    this.tls = tls;
    this.engine = tls.map(Client::newEngine);
    this.closing = closing;
    this.limits = limits;
    this.deadline = new AtomicReference<>(closing.apply(limits.firstCall()));
  }

  private static SSLEngine newEngine(LedgerServerSettings.Tls tls) {
    var engine = tls.context().get().createSSLEngine();
    engine.setUseClientMode(false);
    engine.setNeedClientAuth(true);
    return engine;
  }

  /** Of the connection's TLS, if it has any. */
  Optional<SSLEngine> engine() {
    return engine;
  }

  /** Whether the call of this connection may be served at all. A call begins. */
  boolean beginsCall() {
    giveBack();
    extend();
    return tls.isEmpty() || tls.get().serves().test(certificate());
  }

  /** Whether it may go on, now that it has begun a call that is its to make. */
  boolean hasPlace() {
    return place.confirm();
  }

  private void extend() {
    var before = deadline.getAndSet(closing.apply(limits.eachCall()));
    before.cancel();
    if (ended) {
      deadline.get().cancel();
    }
  }

  private X509Certificate certificate() {
    try {
      // TLS has seen it: without one the handshake fails.
      return (X509Certificate) engine.orElseThrow().getSession().getPeerCertificates()[0];
    } catch (SSLPeerUnverifiedException e) {
      throw new IllegalStateException("A client without a certificate got through TLS.", e);
    }
  }

  /** Whether so many bytes more may be kept for it; until {@link #giveBack}. */
  boolean hold(long count) {
    if (!bytes.take(place.network(), count)) {
      return false;
    }
    held.addAndGet(count);
    if (ended) {
      giveBack();
    }
    return true;
  }

  /** Nothing is kept for it any more. */
  void giveBack() {
    long count = held.getAndSet(0);
    if (count > 0) {
      bytes.give(place.network(), count);
    }
  }

  /** The connection is closed. */
  void end() {
    ended = true;
    deadline.get().cancel();
    giveBack();
    place.end();
  }

  /** The address, and the name in the certificate if there is one. */
  @Override
  public String toString() {
    var from = place.network().toString();
    return tls.isEmpty() ? from : certificate().getSubjectX500Principal() + " at " + from;
  }
}
