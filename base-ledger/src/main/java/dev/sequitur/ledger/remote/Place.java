package dev.sequitur.ledger.remote;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.HexFormat;

/**
 * Where connections come from that are counted together: an address, or a network of 64 bits of
 * IPv6, of which one machine usually has all addresses.
 */
record Place(String name) {
  private static final int NETWORK_BYTES = 8;

  static Place of(InetAddress address) {
    if (address instanceof Inet6Address) {
      return new Place(
          HexFormat.ofDelimiter(":").formatHex(address.getAddress(), 0, NETWORK_BYTES) + "::/64");
    }
    return new Place(address.getHostAddress());
  }

  @Override
  public String toString() {
    return name;
  }
}
