package dev.sequitur.sequencer.actor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.fixture.Arbitrary;
import dev.sequitur.fixture.GoldenBytes;
import dev.sequitur.persistence.serialization.ProtocolFormat;
import dev.sequitur.persistence.serialization.Schema;
import dev.sequitur.protocol.distribution.StateStoreEvent;
import dev.sequitur.protocol.messaging.MessageBookEvent;
import dev.sequitur.protocol.sender.SenderEvent;
import dev.sequitur.protocol.submitter.SubmitterEvent;
import java.io.IOException;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What nodes of other versions have stored; see {@link GoldenBytes}. */
class StoredFormatsTest {
  private static final SequencerSchemas SCHEMAS = new SequencerSchemas();
  private static final ProtocolFormat FORMAT = new ProtocolFormat();

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
    GoldenBytes.check(
        StoredFormatsTest.class, stored.file(), stored.type(), stored.schema().type());
  }

  @ParameterizedTest
  @MethodSource("types")
  void whateverIsStoredIsReadAgain(Stored stored) {
    for (long seed = 1; seed <= 50; seed++) {
      Object value = new Arbitrary(seed).next(stored.type());

      assertThat((Object) FORMAT.decode(FORMAT.encode(value), stored.schema().type()))
          .as("seed " + seed)
          .isEqualTo(value);
    }
  }

  @Test
  void everyEventHasANumberAndEveryMachineThatStoresHasASchema() {
    var stored = SCHEMAS.schemas().stream().map(Schema::type).collect(Collectors.toSet());
    for (Class<?> events :
        Set.of(
            SenderEvent.class,
            SubmitterEvent.class,
            StateStoreEvent.class,
            MessageBookEvent.class)) {
      assertThat(stored.contains(events)).isTrue();
      assertThat(
              SCHEMAS.alternatives().stream()
                  .filter(alternatives -> alternatives.type().equals(events))
                  .flatMap(alternatives -> alternatives.numbers().keySet().stream())
                  .map(Class::getName))
          .containsExactlyInAnyOrderElementsOf(
              Arbitrary.leaves(events).map(Class::getName).toList());
    }
  }
}
