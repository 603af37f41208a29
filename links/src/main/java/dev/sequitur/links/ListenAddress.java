package dev.sequitur.links;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;

/**
 * Where something of a process listens.
 *
 * @param section of the configuration that has this {@code host} and {@code port}
 */
public record ListenAddress(String section, String host, int port) {

  /**
   * Whether others than this machine reach what listens there. May ask for the address of a name,
   * which takes time.
   */
  public static boolean isBeyondLoopback(String host) {
    try {
      return !InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      // It may be known when it is listened on, and then to anything.
      return true;
    }
  }

  /**
   * Why it cannot, once it could not, and what to do. May ask for the address of a name, which
   * takes time.
   *
   * @param who would listen: the beginning of the sentence
   */
  public String refusal(String who) {
    return "%s cannot listen on %s:%d%s"
        .formatted(who, host.indexOf(':') < 0 ? host : "[" + host + "]", port, remedy());
  }

  private String remedy() {
    try {
      var address = InetAddress.getByName(host);
      if (!address.isAnyLocalAddress()
          && !address.isLoopbackAddress()
          && NetworkInterface.getByInetAddress(address) == null) {
        return ", which is no address of this machine: set %s.host to one that is, or to 0.0.0.0 for all."
            .formatted(section);
      }
    } catch (UnknownHostException e) {
      return ", a name that nobody knows: set %s.host to an address of this machine, or to 0.0.0.0 for all."
          .formatted(section);
    } catch (SocketException e) {
      // What addresses there are is not known; then it is told as if this were one.
    }
    return port > 0 && port < 1024
        ? ": stop what uses it, or set %s.port to another, above 1023 if this user may use no other."
            .formatted(section)
        : ": stop what uses it, or set %s.port to another.".formatted(section);
  }
}
