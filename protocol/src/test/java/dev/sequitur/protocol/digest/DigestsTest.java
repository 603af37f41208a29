package dev.sequitur.protocol.digest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import org.junit.jupiter.api.Test;

/** The vectors that the hashes are published with. */
class DigestsTest {
  private static final Bytes ABC = Bytes.utf8("abc");

  @Test
  void keccakPadsAsEthereumDoesAndNotAsSha3() {
    var published = "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45";

    assertThat(Digests.keccak256(ABC).toString()).endsWith(published);
    assertThat(Digests.keccak256(ABC.toByteArray())).isEqualTo(Digests.keccak256(ABC));
  }

  @Test
  void blake2bHasThirtyTwoBytesAndNoKey() {
    assertThat(Digests.blake2b256(ABC).toString())
        .endsWith("bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319");
  }
}
