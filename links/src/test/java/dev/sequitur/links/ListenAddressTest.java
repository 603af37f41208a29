package dev.sequitur.links;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ListenAddressTest {

  /** 192.0.2.1 is kept for documentation, and so is the top domain {@code invalid} (RFC 2606). */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "192.0.2.1 | 8545 | JSON-RPC cannot listen on 192.0.2.1:8545, which is no address of this"
            + " machine: set rpc.host to one that is, or to 0.0.0.0 for all.",
        "no-host.invalid | 8545 | JSON-RPC cannot listen on no-host.invalid:8545, a name that nobody"
            + " knows: set rpc.host to an address of this machine, or to 0.0.0.0 for all.",
        "127.0.0.1 | 8545 | JSON-RPC cannot listen on 127.0.0.1:8545: stop what uses it, or set"
            + " rpc.port to another.",
        "0.0.0.0 | 80 | JSON-RPC cannot listen on 0.0.0.0:80: stop what uses it, or set rpc.port to"
            + " another, above 1023 if this user may use no other.",
        "::1 | 8545 | JSON-RPC cannot listen on [::1]:8545: stop what uses it, or set rpc.port to"
            + " another.",
      })
  void aRefusalSaysWhichSettingToChange(String host, int port, String sentence) {
    assertThat(new ListenAddress("rpc", host, port).refusal("JSON-RPC")).isEqualTo(sentence);
  }
}
