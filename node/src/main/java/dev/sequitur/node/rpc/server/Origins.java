package dev.sequitur.node.rpc.server;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.Set;

/**
 * Which web pages may call the node. A browser on the node's machine would otherwise let any page
 * that it shows send transactions to loopback; programs send no {@code Origin} and are not asked.
 */
final class Origins {
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

  private final Set<String> allowed;

  Origins(Set<String> allowed) {
    this.allowed = allowed;
  }

  /**
   * @param origin the header of a request, if it has one
   */
  boolean allows(Optional<String> origin) {
    return origin.isEmpty() || allowed.contains(origin.get()) || isLoopback(origin.get());
  }

  private static boolean isLoopback(String origin) {
    try {
      var host = new URI(origin).getHost();
      return host != null && LOOPBACK.contains(host);
    } catch (URISyntaxException e) {
      return false;
    }
  }
}
