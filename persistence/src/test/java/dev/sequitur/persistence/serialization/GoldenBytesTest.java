package dev.sequitur.persistence.serialization;

import dev.sequitur.fixture.GoldenBytes;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What nodes of other versions send and have stored; see {@link GoldenBytes}. */
class GoldenBytesTest {
  static Stream<Class<?>> types() {
    return ProtocolTypes.all();
  }

  @ParameterizedTest
  @MethodSource("types")
  void bytesAndValuesStayWhatTheyWere(Class<?> type) throws IOException {
    GoldenBytes.check(GoldenBytesTest.class, name(type) + "-1.0", type, type);
  }

  private static String name(Class<?> type) {
    var outer = type.getEnclosingClass();
    return outer == null ? type.getSimpleName() : name(outer) + "." + type.getSimpleName();
  }
}
