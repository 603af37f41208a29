package dev.sequitur.persistence.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.fixture.Arbitrary;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.message.Message;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProtocolRoundTripTest {
  private static final ProtocolCbor CBOR = new ProtocolCbor();
  private static final ProtocolJson JSON = new ProtocolJson();
  private static final int VALUES = 50;

  static Stream<Class<?>> types() {
    return ProtocolTypes.all();
  }

  @ParameterizedTest
  @MethodSource("types")
  void whatIsEncodedIsDecodedToAnEqualValue(Class<?> type) {
    for (long seed = 0; seed < VALUES; seed++) {
      var value = new Arbitrary(seed).next(type);

      assertThat(CBOR.decode(CBOR.encode(value), type)).as("CBOR, seed " + seed).isEqualTo(value);
      assertThat(JSON.decode(JSON.encode(value), type)).as("JSON, seed " + seed).isEqualTo(value);
    }
  }

  @ParameterizedTest
  @MethodSource("types")
  void everyTextFieldIsReadAsItWasWritten(Class<?> type) {
    for (var text : List.of("", "\0", "é€\uFFFD\uFFFF", "\ud83d\ude00", "a\"\\\n\u2028")) {
      var value = Arbitrary.full(7).with(String.class, text).next(type);

      assertThat(CBOR.decode(CBOR.encode(value), type)).as("CBOR, %s", text).isEqualTo(value);
      assertThat(JSON.decode(JSON.encode(value), type)).as("JSON, %s", text).isEqualTo(value);
    }
  }

  /** CBOR: a text of three bytes, one half of a surrogate pair and the other. */
  @ParameterizedTest
  @ValueSource(strings = {"0x63eda080", "0x63edb080"})
  void aTextOfAnotherNodeThatCouldNotBeStoredIsRefused(String text) {
    var cbor = Bytes.hex(text).toByteArray();

    assertThatThrownBy(() -> CBOR.decode(cbor, String.class)).isInstanceOf(DecodingException.class);
    assertThatThrownBy(() -> CBOR.decode(cbor, RequestId.class))
        .isInstanceOf(DecodingException.class);
  }

  @Test
  void eachMessageIsFoundByItsNameAmongAllMessages() {
    for (var message : new Arbitrary(1).oneOfEach(Message.class)) {
      assertThat(CBOR.decode(CBOR.encode(message), Message.class)).isEqualTo(message);
      assertThat(JSON.tree(message).get(Alternatives.PROPERTY).asText())
          .isEqualTo(message.getClass().getSimpleName());
    }
  }

  @Test
  void everyPermittedSubclassOfMessageIsCovered() {
    var covered = new HashSet<>(types().toList());

    assertThat(Arbitrary.leaves(Message.class)).isNotEmpty().allMatch(covered::contains);
  }
}
