package dev.sequitur.ledger.remote;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * Where a ledger's server listens, and to whom.
 *
 * @param address port 0 for any that is free
 * @param tls if present, only clients whose certificate it trusts are served
 * @param rehearsals whether clients may make their own transactions revert
 */
public record LedgerServerSettings(
    InetSocketAddress address, Optional<SSLContext> tls, boolean rehearsals) {

  /** On this machine only, without TLS. */
  public static LedgerServerSettings loopback(int port) {
    return new LedgerServerSettings(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), port), Optional.empty(), false);
  }

  public LedgerServerSettings withAddress(InetSocketAddress value) {
    return new LedgerServerSettings(value, tls, rehearsals);
  }

  public LedgerServerSettings withTls(SSLContext value) {
    return new LedgerServerSettings(address, Optional.of(value), rehearsals);
  }

  public LedgerServerSettings withRehearsals(boolean value) {
    return new LedgerServerSettings(address, tls, value);
  }
}
