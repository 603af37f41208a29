package dev.sequitur.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.message.Message;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MessageKindTest {
  static Stream<Class<?>> messageTypes() {
    return concreteTypes(Message.class);
  }

  private static Stream<Class<?>> concreteTypes(Class<?> type) {
    return type.isSealed()
        ? Arrays.stream(type.getPermittedSubclasses()).flatMap(MessageKindTest::concreteTypes)
        : Stream.of(type);
  }

  @ParameterizedTest
  @MethodSource("messageTypes")
  void everyMessageHasARow(Class<?> type) {
    assertThat(MessageKind.named(type.getSimpleName())).isPresent();
  }
}
