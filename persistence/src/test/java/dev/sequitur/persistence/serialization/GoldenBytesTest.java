package dev.sequitur.persistence.serialization;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.fixture.Arbitrary;
import dev.sequitur.protocol.id.Bytes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What nodes of other versions send and have stored. The file {@code golden/NAME-VERSION.hex} holds
 * the bytes, the one beside it the same value as JSON. A file is never changed: a new version of a
 * type gets new files, and the old ones must stay readable. Files that are missing are written, and
 * the test fails once, if it is run with {@code -Dbuild.golden.write=DIRECTORY}.
 */
class GoldenBytesTest {
  private static final String CURRENT = "-1.0";
  private static final long SEED = 20261121;
  private static final ProtocolCbor CBOR = new ProtocolCbor();
  private static final ProtocolJson JSON = new ProtocolJson();

  static Stream<Class<?>> types() {
    return ProtocolTypes.all();
  }

  @ParameterizedTest
  @MethodSource("types")
  void bytesAndValuesStayWhatTheyWere(Class<?> type) throws IOException {
    var bytes = Bytes.hex(golden(type, "hex").strip());
    var value = JSON.decode(golden(type, "json"), type);

    assertThat(CBOR.decode(bytes.toByteArray(), type)).isEqualTo(value);
    assertThat(Bytes.of(CBOR.encode(value)).toHex()).isEqualTo(bytes.toHex());
  }

  private static String golden(Class<?> type, String extension) throws IOException {
    var name = name(type) + CURRENT + "." + extension;
    try (var file = GoldenBytesTest.class.getResourceAsStream("/golden/" + name)) {
      if (file == null) {
        writeIfAsked(type);
      }
      assertThat(file).as("golden/" + name + " (see the class comment)").isNotNull();
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static void writeIfAsked(Class<?> type) throws IOException {
    var directory = System.getProperty("build.golden.write");
    if (directory != null) {
      var value = Arbitrary.full(SEED).next(type);
      var file = Path.of(directory, name(type) + CURRENT);
      Files.writeString(Path.of(file + ".hex"), Bytes.of(CBOR.encode(value)).toHex() + "\n");
      Files.writeString(Path.of(file + ".json"), JSON.encodeIndented(value) + "\n");
    }
  }

  private static String name(Class<?> type) {
    var outer = type.getEnclosingClass();
    return outer == null ? type.getSimpleName() : name(outer) + "." + type.getSimpleName();
  }
}
