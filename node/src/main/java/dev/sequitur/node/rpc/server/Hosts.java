package dev.sequitur.node.rpc.server;

import akka.http.javadsl.model.Host;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * By which names the node may be called. A web page whose own name suddenly means loopback is of
 * the same origin as what it reads there, so no check of origins stops it; but the browser still
 * sends that name as {@code Host}. Addresses in digits cannot be made to mean something else.
 */
public final class Hosts {
  /** What whoever calls it by another name is told. */
  public static final String REFUSED =
      "The node is not called by this name. Call it by its address, or add the name to its"
          + " rpc.host-names.";

  private final Set<String> names;

  /**
   * Those of one port.
   *
   * @param host where the node listens
   * @param names by which it is called beside that
   */
  public Hosts(String host, Set<String> names) {
    this.names =
        Stream.concat(Stream.of("localhost", host), names.stream())
            .map(Hosts::normal)
            .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Whether it may be called so.
   *
   * @param host of the request, empty if it has none
   */
  public boolean allows(Host host) {
    return host.isIPv4() || host.isIPv6() || names.contains(normal(host.address()));
  }

  private static String normal(String name) {
    var lower = name.toLowerCase(Locale.ROOT);
    return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
  }
}
