package dev.sequitur.crypto;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SigningKeyTest {
  private static final String ORDER =
      "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Satoshi Nakamoto | 934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d82442ce9d2b916064108014783e923ec36b49743e2ffa1c4496f01a512aafd9e51c
          All those moments will be lost in time, like tears in rain. Time to die... | 8600dbd41e348fe5c9465ab92d23e3db8b98b873beecd930736488696438cb6b547fe64427496db33bf66019dacbf0039c04199abb0122918601db38a72cfc211b
          """)
  void signsWithTheNonceOfRfc6979LowSAndTheRecoveryBit(String message, String signature) {
    var key = key("0000000000000000000000000000000000000000000000000000000000000001");
    var digest = Hash.sha256(message.getBytes(StandardCharsets.UTF_8));

    assertThat(key.sign(digest)).isEqualTo(Bytes.hex(signature));
  }

  @Test
  void isNoKeyAtZeroOrAtTheOrderOfTheCurve() {
    assertThat(SigningKey.of(new byte[SigningKey.BYTES])).isEmpty();
    assertThat(SigningKey.of(Bytes.hex(ORDER).toByteArray())).isEmpty();
  }

  @Test
  void doesNotShowItsSecretAsText() {
    var secret = "0000000000000000000000000000000000000000000000000000000000abcdef";

    assertThat(key(secret).toString()).doesNotContain("abcdef");
  }

  private static SigningKey key(String secret) {
    return SigningKey.of(Bytes.hex(secret).toByteArray()).orElseThrow();
  }
}
