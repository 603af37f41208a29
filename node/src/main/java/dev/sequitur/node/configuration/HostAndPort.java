package dev.sequitur.node.configuration;

import java.util.regex.Pattern;

/**
 * Where something listens.
 *
 * @param host a name or an address, IPv6 without brackets
 * @param port 0 to 65535; 0 lets the operating system choose
 */
public record HostAndPort(String host, int port) {
  private static final Pattern FORM =
      Pattern.compile("(?:\\[([0-9A-Fa-f:.]+)]|([A-Za-z0-9._-]+)):([0-9]{1,5})");

  public HostAndPort {
    if (host.isBlank()) {
      throw new IllegalArgumentException("A host has a name or an address, not nothing.");
    }
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("A port is between 0 and 65535, not " + port + ".");
    }
  }

  /**
   * Reads {@code host:port}, an IPv6 address in brackets.
   *
   * @throws IllegalArgumentException with a sentence that says what is expected
   */
  public static HostAndPort parse(String text) {
    var match = FORM.matcher(text);
    if (!match.matches()) {
      throw new IllegalArgumentException("An address is written host:port, not '" + text + "'.");
    }
    var host = match.group(1) == null ? match.group(2) : match.group(1);
    return new HostAndPort(host, Integer.parseInt(match.group(3)));
  }

  @Override
  public String toString() {
    return host.contains(":") ? "[" + host + "]:" + port : host + ":" + port;
  }
}
