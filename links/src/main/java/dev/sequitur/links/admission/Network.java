package dev.sequitur.links.admission;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * Where connections come from that are counted together: an address, or a network of 64 bits of
 * IPv6, of which one machine usually has all addresses.
 *
 * @param name for the log
 */
public record Network(String name) {
  public static Network of(InetAddress address) {
    if (address instanceof Inet6Address && !address.isLoopbackAddress()) {
      var bytes = ByteBuffer.wrap(address.getAddress());
      return new Network(
          "%x:%x:%x:%x::/64"
              .formatted(bytes.getShort(), bytes.getShort(), bytes.getShort(), bytes.getShort()));
    }
    return new Network(address.getHostAddress());
  }

  @Override
  public String toString() {
    return name;
  }
}
