package dev.sequitur.node.hapi;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

class CallsOfAddressesTest {
  @Test
  void anAddressHasSoManyCallsUnderWayAndAnotherItsOwn() throws UnknownHostException {
    var one = InetAddress.getByName("10.0.0.1");
    var other = InetAddress.getByName("10.0.0.2");
    var calls = new CallsOfAddresses(2);

    assertThat(calls.begins(one)).isTrue();
    assertThat(calls.begins(one)).isTrue();
    assertThat(calls.begins(one)).isFalse();
    assertThat(calls.begins(other)).isTrue();

    calls.ends(one);
    assertThat(calls.begins(one)).isTrue();
    assertThat(calls.begins(one)).isFalse();
  }

  @Test
  void anAddressWithoutCallsIsForgotten() throws UnknownHostException {
    var calls = new CallsOfAddresses(1);
    for (int last = 1; last < 100; last++) {
      var address = InetAddress.getByName("10.0.0." + last);
      calls.begins(address);
      calls.begins(address);
      calls.ends(address);
    }

    assertThat(calls.addresses()).isZero();
  }
}
