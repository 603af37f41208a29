package dev.sequitur.persistence.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.encoding.MalformedBytesException;
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
  private static final ProtocolFormat FORMAT = new ProtocolFormat();
  private static final int VALUES = 50;

  static Stream<Class<?>> types() {
    return ProtocolTypes.all();
  }

  @ParameterizedTest
  @MethodSource("types")
  void whatIsEncodedIsDecodedToAnEqualValue(Class<?> type) {
    for (long seed = 0; seed < VALUES; seed++) {
      var value = new Arbitrary(seed).next(type);

      assertThat(FORMAT.decode(FORMAT.encode(value), type)).as("seed " + seed).isEqualTo(value);
    }
  }

  @ParameterizedTest
  @MethodSource("types")
  void everyTextFieldIsReadAsItWasWritten(Class<?> type) {
    for (var text : List.of("", "\0", "é€\uFFFD\uFFFF", "\ud83d\ude00", "a\"\\\n\u2028")) {
      var value = Arbitrary.full(7).with(String.class, text).next(type);

      assertThat(FORMAT.decode(FORMAT.encode(value), type)).as(text).isEqualTo(value);
    }
  }

  /** A text of three bytes, one half of a surrogate pair and the other. */
  @ParameterizedTest
  @ValueSource(strings = {"0x03eda080", "0x03edb080"})
  void aTextOfAnotherNodeThatCouldNotBeStoredIsRefused(String text) {
    var bytes = Bytes.hex(text).toByteArray();

    assertThatThrownBy(() -> FORMAT.decode(bytes, String.class))
        .isInstanceOf(MalformedBytesException.class);
    assertThatThrownBy(() -> FORMAT.decode(bytes, RequestId.class))
        .isInstanceOf(MalformedBytesException.class);
  }

  @Test
  void aTextWithHalfASurrogatePairIsNotWritten() {
    for (var text : List.of("\ud800", "a\udc00b")) {
      assertThatThrownBy(() -> FORMAT.encode(text)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void eachMessageIsFoundByItsNumberAmongAllMessages() {
    for (var message : new Arbitrary(1).oneOfEach(Message.class)) {
      assertThat(FORMAT.decode(FORMAT.encode(message), Message.class)).isEqualTo(message);
    }
  }

  @Test
  void everyPermittedSubclassOfMessageIsCovered() {
    var covered = new HashSet<>(types().toList());

    assertThat(Arbitrary.leaves(Message.class)).isNotEmpty().allMatch(covered::contains);
  }
}
