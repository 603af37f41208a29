package dev.sequitur.cluster.serialization;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.fixture.Arbitrary;
import dev.sequitur.protocol.message.Message;
import java.util.HashSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

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
