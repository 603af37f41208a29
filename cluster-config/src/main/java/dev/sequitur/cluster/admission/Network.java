package dev.sequitur.cluster.admission;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.HexFormat;

/**
 * Where connections come from that are counted together: an address, or a network of 64 bits of
 * IPv6, of which one machine usually has all addresses.
 *
 * @param name for the log
 */
public record Network(String name) {
  private static final int BYTES = 8;

  public static Network of(InetAddress address) {
    if (address instanceof Inet6Address && !address.isLoopbackAddress()) {
      return new Network(
          HexFormat.ofDelimiter(":").formatHex(address.getAddress(), 0, BYTES) + "::/64");
    }
    return new Network(address.getHostAddress());
  }

  @Override
  public String toString() {
    return name;
  }
}
