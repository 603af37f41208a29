package dev.sequitur.ledger.remote;

import dev.sequitur.links.admission.Places;
import dev.sequitur.protocol.copying.Copyable;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/**
 * Where a ledger's server listens, and to whom.
 *
 * @param address port 0 for any that is free
 * @param tls if present, only clients whose certificate it trusts are served
 * @param limits what clients may take of it
 * @param rehearsals whether clients may make their own transactions revert
 */
@Copyable
public record LedgerServerSettings(
    InetSocketAddress address, Optional<Tls> tls, Limits limits, boolean rehearsals)
    implements LedgerServerSettingsBuilder.With {

  /**
   * Who is a client.
   *
   * @param context asked for each connection, so that certificates can be replaced; one without a
   *     memory of sessions
   * @param serves whether the holder of a certificate that the context trusts is served
   */
  public record Tls(Supplier<SSLContext> context, Predicate<X509Certificate> serves) {}

  /**
   * What clients may take. One connection has one call at a time.
   *
   * @param connections open at once of those who have made a call. Half as many more may be open
   *     that have made none yet
   * @param perAddress of either kind from one address; of IPv6, from one network of 64 bits
   * @param firstCall from a connection's begin to the end of the head of its first call, the
   *     handshake of TLS included; after it the connection is closed
   * @param eachCall from the head of a call to that of the next one; after it the connection is
   *     closed. Of it a client may wait half for a block, and no longer than 30 s
   */
  public record Limits(int connections, int perAddress, Duration firstCall, Duration eachCall) {
    private static final int MOST_WAIT_MILLIS = 30_000;

    public static final Limits DEFAULT =
        new Limits(1_024, 256, Duration.ofSeconds(10), Duration.ofSeconds(90));

    public Limits {
      if (connections < 2 || perAddress < 1 || perAddress > connections) {
        throw new IllegalArgumentException(
            "A ledger takes at least 2 connections, and of one address at least 1 and at most all.");
      }
      if (firstCall.toMillis() < 1 || eachCall.toMillis() < 1) {
        throw new IllegalArgumentException("The time for a call is at least 1 ms.");
      }
    }

    Places.Limits places() {
      // From where a call came says nothing of the next without TLS, so nobody is remembered.
      return new Places.Limits(connections, perAddress, connections / 2, perAddress, 0);
    }

    /** For which a client may wait for a block at most. */
    int mostWaitMillis() {
      return (int) Math.min(MOST_WAIT_MILLIS, eachCall.toMillis() / 2);
    }
  }

  /** On this machine only, without TLS. */
  public static LedgerServerSettings loopback(int port) {
    return new LedgerServerSettings(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
        Optional.empty(),
        Limits.DEFAULT,
        false);
  }
}
