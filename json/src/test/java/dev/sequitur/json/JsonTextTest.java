package dev.sequitur.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Utf8;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTextTest {
  @Property
  void anEscapedTextComesBackAsItWasOrIsRefused(@ForAll String text) {
    var escaped = new StringBuilder("[\"");
    text.chars().forEach(c -> escaped.append("\\u").append("%04x".formatted(c)));
    var json = Utf8.encode(escaped.append("\"]").toString());
    if (Utf8.isWhole(text)) {
      var read = JsonText.parse(json);
      assertThat(read.get(0).textValue()).isEqualTo(text);
      assertThat(JsonText.parse(JsonText.write(read))).isEqualTo(read);
    } else {
      assertThatThrownBy(() -> JsonText.parse(json))
          .isInstanceOf(Unreadable.class)
          .hasMessageContaining("half a surrogate pair");
    }
  }

  @Property
  void textWithoutEscapesComesBackAsItWas(@ForAll String text) {
    if (Utf8.isWhole(text)) {
      assertThat(JsonText.parse(JsonText.write(TextNode.valueOf(text))).textValue())
          .isEqualTo(text);
    }
  }

  /** In the middle of a string, behind a field's name, and as a name. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ff",
        "c0af",
        "c080",
        "c1bf",
        "e080af",
        "eda080",
        "edb080",
        "eda080edb080",
        "f0808080",
        "f4908080",
        "f5808080",
        "e282",
        "80"
      })
  void whatIsNotUtf8IsRefusedWhereverItStands(String bytes) {
    for (var around : new String[][] {{"[\"a", "b\"]"}, {"{\"", "\":1}"}, {"[", "]"}, {"", ""}}) {
      var json =
          Bytes.hex(
              Bytes.utf8(around[0]).toHex() + bytes + Bytes.utf8(around[1]).toHex().substring(2));
      assertThatThrownBy(() -> JsonText.parse(json.toByteArray()))
          .isInstanceOf(Unreadable.class)
          .hasMessage("The body is not JSON in UTF-8. Check how it is encoded.");
    }
  }

  @Test
  void aByteOrderMarkIsNoPartOfTheJson() {
    assertThat(JsonText.parse(Bytes.hex("efbbbf31").toByteArray()).intValue()).isEqualTo(1);
  }
}
