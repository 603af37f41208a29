package dev.sequitur.protocol.id;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Utf8Test {
  /** jqwik's texts hold halves of surrogate pairs, too. */
  @Property
  void aTextComesBackAsItWasOrIsRefused(@ForAll String text) {
    if (Utf8.isWhole(text)) {
      assertThat(Utf8.decode(Utf8.encode(text))).isEqualTo(text);
    } else {
      assertThatIllegalArgumentException().isThrownBy(() -> Utf8.encode(text));
    }
    assertThat(Utf8.isWhole(text)).isEqualTo(StandardCharsets.UTF_8.newEncoder().canEncode(text));
  }

  @Property
  void bytesAreReadJustIfTheyAreUtf8(@ForAll byte[] bytes) {
    String strict;
    try {
      strict = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      assertThatIllegalArgumentException().isThrownBy(() -> Utf8.decode(bytes));
      return;
    }
    assertThat(Utf8.decode(bytes)).isEqualTo(strict);
    assertThat(Utf8.encode(strict)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0xff",
        "0xc0af",
        "0xe080af",
        "0xeda080",
        "0xedb080",
        "0xeda080edb080",
        "0xf5808080",
        "0xf0808080",
        "0xe282",
        "0x80",
        "0xefbfbdff"
      })
  void overlongFormsSurrogatesAndStrayBytesAreNoUtf8(String bytes) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Utf8.decode(Bytes.hex(bytes).toByteArray()));
  }

  @Test
  void theReplacementCharacterItselfIsACharacter() {
    assertThat(Utf8.decode(Utf8.encode("a\uFFFDb\0"))).isEqualTo("a\uFFFDb\0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\ud800", "a\udfffb", "\udc00\ud800", "\ud83d\ude00\ud83d"})
  void noKeyOrDigestIsMadeOfHalfACharacter(String torn) {
    assertThatIllegalArgumentException().isThrownBy(() -> Bytes.utf8(torn));
    assertThatIllegalArgumentException().isThrownBy(() -> new CanonicalDigest().add(torn));
    assertThatIllegalArgumentException().isThrownBy(() -> CanonicalDigest.sha3().add(torn));
  }
}
