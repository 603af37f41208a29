package dev.sequitur.node.rpc;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Which addresses the node may dial for its callers: those of the public internet, and what the
 * operator has named. Anything that may be the machine itself, or a network that trusts it, is none
 * of them, in whichever way it is written.
 *
 * @param named by the operator
 */
public record AllowedAddresses(List<Range> named) {
  /** None but those of the public internet. */
  public static final AllowedAddresses PUBLIC = new AllowedAddresses(List.of());

  private static final Pattern DIGITS = Pattern.compile("[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");
  private static final int BYTES_OF_6 = 16;

  /** Of the IANA's registry of special-purpose addresses, and 224.0.0.0 and above. */
  private static final List<Range> NOT_PUBLIC_4 =
      ranges(
          "0.0.0.0/8",
          "10.0.0.0/8",
          "100.64.0.0/10",
          "127.0.0.0/8",
          "169.254.0.0/16",
          "172.16.0.0/12",
          "192.0.0.0/24",
          "192.0.2.0/24",
          "192.31.196.0/24",
          "192.52.193.0/24",
          "192.88.99.0/24",
          "192.168.0.0/16",
          "192.175.48.0/24",
          "198.18.0.0/15",
          "198.51.100.0/24",
          "203.0.113.0/24",
          "224.0.0.0/3");

  /** All that is public, and what of it is special or leads to an address of version 4. */
  private static final Range PUBLIC_6 = Range.parse("2000::/3");

  private static final List<Range> NOT_PUBLIC_6 =
      ranges("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20");

  public AllowedAddresses {
    named = List.copyOf(named);
  }

  /**
   * @param texts such as 10.1.2.0/24, fd00::/8 or 127.0.0.1
   * @throws IllegalArgumentException with a sentence, if one is no range
   */
  public static AllowedAddresses of(List<String> texts) {
    return new AllowedAddresses(texts.stream().map(Range::parse).toList());
  }

  private static List<Range> ranges(String... texts) {
    return Stream.of(texts).map(Range::parse).toList();
  }

  /** Whether it may be dialled. */
  public boolean allows(InetAddress address) {
    var bytes = address.getAddress();
    return isIn(named, bytes)
        || (bytes.length == BYTES_OF_6
            ? PUBLIC_6.has(bytes) && !isIn(NOT_PUBLIC_6, bytes)
            : !isIn(NOT_PUBLIC_4, bytes));
  }

  private static boolean isIn(List<Range> ranges, byte[] address) {
    return ranges.stream().anyMatch(range -> range.has(address));
  }

  /** The address that is written in digits; empty for a name, which nobody is asked for. */
  public static Optional<InetAddress> written(String host) {
    var bare =
        host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    if (!DIGITS.matcher(bare).matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(InetAddress.getByName(bare));
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("'" + bare + "' is no address.", e);
    }
  }

  /**
   * Addresses that begin with the same bits.
   *
   * @param bits how many
   */
  public record Range(InetAddress first, int bits) {
    static Range parse(String text) {
      int slash = text.indexOf('/');
      var first = written(slash < 0 ? text : text.substring(0, slash));
      if (first.isEmpty()) {
        throw new IllegalArgumentException(
            "A range of addresses is such as 10.1.2.0/24 or fd00::/8; '" + text + "' is none.");
      }
      int most = first.get() instanceof Inet4Address ? 32 : 128;
      int bits = most;
      if (slash >= 0) {
        try {
          bits = Integer.parseInt(text.substring(slash + 1));
        } catch (NumberFormatException e) {
          bits = -1;
        }
      }
      if (bits < 0 || bits > most) {
        throw new IllegalArgumentException(
            "A range of addresses ends with 0 to %d bits, as in 10.1.2.0/24; '%s' does not."
                .formatted(most, text));
      }
      return new Range(first.get(), bits);
    }

    boolean has(byte[] address) {
      var begin = first.getAddress();
      if (begin.length != address.length) {
        return false;
      }
      int whole = bits / Byte.SIZE;
      if (!Arrays.equals(begin, 0, whole, address, 0, whole)) {
        return false;
      }
      int rest = bits % Byte.SIZE;
      return rest == 0 || ((begin[whole] ^ address[whole]) & 0xFF) >>> (Byte.SIZE - rest) == 0;
    }
  }
}
