package dev.sequitur.sequencer.actor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.fixture.Arbitrary;
import dev.sequitur.persistence.serialization.ProtocolCbor;
import dev.sequitur.persistence.serialization.ProtocolJson;
import dev.sequitur.persistence.serialization.Schema;
import dev.sequitur.protocol.distribution.StateStoreEvent;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.sender.SenderEvent;
import dev.sequitur.protocol.submitter.SubmitterEvent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What nodes of other versions have stored. The file {@code golden/NAME-VERSION.hex} holds the
 * bytes, the one beside it the same value as JSON. A file is never changed: a new version of a type
 * gets new files, and the old ones must stay readable. Files that are missing are written, and the
 * test fails once, if it is run with {@code -Dbuild.golden.write=DIRECTORY}.
 */
class StoredFormatsTest {
  private static final long SEED = 20261121;
  private static final SequencerSchemas SCHEMAS = new SequencerSchemas();
  private static final ProtocolCbor CBOR = new ProtocolCbor();
  private static final ProtocolJson JSON = new ProtocolJson();

  /** A record, and the schema under whose name and version it is stored. */
  record Stored(Schema<?> schema, Class<?> type) {
    String file() {
      var inner = schema.type().isSealed() ? "." + type.getSimpleName() : "";
      return schema.name() + inner + "-" + schema.version();
    }

    @Override
    public String toString() {
      return file();
    }
  }

  static Stream<Stored> types() {
    return SCHEMAS.schemas().stream()
        .flatMap(schema -> Arbitrary.leaves(schema.type()).map(leaf -> new Stored(schema, leaf)));
  }

  @ParameterizedTest
  @MethodSource("types")
  void bytesAndValuesStayWhatTheyWere(Stored stored) throws IOException {
    var bytes = Bytes.hex(golden(stored, "hex").strip());
    Object value = JSON.decode(golden(stored, "json"), stored.schema().type());

    assertThat(value).isInstanceOf(stored.type());
    assertThat((Object) CBOR.decode(bytes.toByteArray(), stored.schema().type())).isEqualTo(value);
    assertThat(Bytes.of(CBOR.encode(value)).toHex()).isEqualTo(bytes.toHex());
  }

  @ParameterizedTest
  @MethodSource("types")
  void whateverIsStoredIsReadAgain(Stored stored) {
    for (long seed = 1; seed <= 50; seed++) {
      Object value = new Arbitrary(seed).next(stored.type());

      assertThat((Object) CBOR.decode(CBOR.encode(value), stored.schema().type()))
          .as("seed " + seed)
          .isEqualTo(value);
    }
  }

  @Test
  void everyEventHasANameAndEveryMachineThatStoresHasASchema() {
    var stored = SCHEMAS.schemas().stream().map(Schema::type).collect(Collectors.toSet());
    for (Class<?> events : Set.of(SenderEvent.class, SubmitterEvent.class, StateStoreEvent.class)) {
      assertThat(stored.contains(events)).isTrue();
      assertThat(
              SCHEMAS.alternatives().stream()
                  .filter(alternatives -> alternatives.sealed().equals(events))
                  .flatMap(alternatives -> alternatives.names().values().stream())
                  .map(Class::getName))
          .containsExactlyInAnyOrderElementsOf(
              Arbitrary.leaves(events).map(Class::getName).toList());
    }
  }

  private static String golden(Stored stored, String extension) throws IOException {
    var name = stored.file() + "." + extension;
    try (var file = StoredFormatsTest.class.getResourceAsStream("/golden/" + name)) {
      if (file == null) {
        writeIfAsked(stored);
      }
      assertThat(file).as("golden/" + name + " (see the class comment)").isNotNull();
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static void writeIfAsked(Stored stored) throws IOException {
    var directory = System.getProperty("build.golden.write");
    if (directory != null) {
      Object value = Arbitrary.full(SEED).next(stored.type());
      var file = Path.of(directory, stored.file());
      Files.writeString(Path.of(file + ".hex"), Bytes.of(CBOR.encode(value)).toHex() + "\n");
      Files.writeString(Path.of(file + ".json"), JSON.encodeIndented(value) + "\n");
    }
  }
}
