package dev.sequitur.transport.tls;

import java.util.List;
import java.util.stream.Stream;

/**
 * Where a node listens.
 *
 * @param host a name or an address; a name is looked up again at each connect
 * @param port 0 only to listen on a free port, in tests
 * @param others where the same node listens, too: its other JVMs
 */
public record PeerAddress(String host, int port, List<PeerAddress> others) {
  /** Of a node of one JVM, or of any JVM of a node. */
  public PeerAddress(String host, int port) {
    this(host, port, List.of());
  }

  public PeerAddress {
    others = List.copyOf(others);
    if (host.isBlank()) {
      throw new IllegalArgumentException("The host of a node's address is missing.");
    }
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("A port is 1 to 65535, not " + port + ".");
    }
  }

  /** This one first. */
  List<PeerAddress> all() {
    return Stream.concat(Stream.of(this), others.stream()).toList();
  }

  @Override
  public String toString() {
    return host + ":" + port;
  }
}
