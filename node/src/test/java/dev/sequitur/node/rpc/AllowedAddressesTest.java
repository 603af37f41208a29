package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which addresses a node may dial for its callers. */
class AllowedAddressesTest {
  private static boolean allows(AllowedAddresses addresses, String text)
      throws UnknownHostException {
    return addresses.allows(InetAddress.getByName(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "127.9.9.9",
        "0.0.0.0",
        "10.1.2.3",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.0.1",
        "169.254.169.254",
        "100.64.0.1",
        "224.0.0.1",
        "239.1.1.1",
        "240.0.0.1",
        "255.255.255.255",
        "192.0.2.1",
        "198.18.0.1",
        "198.19.255.255",
        "203.0.113.9",
        "::",
        "::1",
        "fe80::1",
        "fec0::1",
        "fc00::1",
        "fd12:3456::1",
        "ff02::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::127.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b:1::1",
        "2002:7f00:1::",
        "2001:0:4136:e378:8000:63bf:3fff:fdd2",
        "2001:db8::1",
        "100::1",
        "3fff::1"
      })
  void whatMayBeTheMachineItselfOrItsNetworkIsNotDialled(String text) throws UnknownHostException {
    assertThat(allows(AllowedAddresses.PUBLIC, text)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.1.1.1",
        "93.184.216.34",
        "172.15.0.1",
        "172.32.0.1",
        "192.167.255.255",
        "11.0.0.1",
        "100.128.0.1",
        "2606:4700:4700::1111",
        "2a00:1450:4001::1",
        "2620:0:861::1"
      })
  void thePublicInternetIs(String text) throws UnknownHostException {
    assertThat(allows(AllowedAddresses.PUBLIC, text)).isTrue();
  }

  @Test
  void whatTheOperatorNamesIsToo() throws UnknownHostException {
    var some = AllowedAddresses.of(List.of("10.1.2.0/23", "127.0.0.1", "fd00:1::/32"));

    assertThat(allows(some, "10.1.3.255")).isTrue();
    assertThat(allows(some, "10.1.4.0")).isFalse();
    assertThat(allows(some, "127.0.0.1")).isTrue();
    assertThat(allows(some, "::ffff:127.0.0.1")).as("the same").isTrue();
    assertThat(allows(some, "127.0.0.2")).isFalse();
    assertThat(allows(some, "fd00:1:2::1")).isTrue();
    assertThat(allows(some, "fd00:2::1")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"books.example", "10.0.0.0/33", "10.0.0.0/", "10.0.0/-1", "", "fd00::/129"})
  void whatIsNoRangeIsSaid(String text) {
    assertThatThrownBy(() -> AllowedAddresses.of(List.of(text)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
