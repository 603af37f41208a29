package dev.sequitur.persistence.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.encoding.Alternatives;
import dev.sequitur.encoding.Codecs;
import dev.sequitur.encoding.MalformedBytesException;
import java.util.List;
import org.junit.jupiter.api.Test;

class SchemaRegistryTest {
  record Counted(String name, long amount, boolean counted) implements ProtocolSerializable {}

  /** As version 1 wrote it. */
  record CountedV1(String title) {}

  /** As version 2 wrote it. */
  record CountedV2(String title, long amount) {}

  sealed interface Shape {}

  record Round(int radius) implements Shape {}

  record Square(int side) implements Shape {}

  private static final Schema<Counted> COUNTED =
      Schema.of("counted", 3, Counted.class)
          .reading(CountedV2.class, old -> new Counted(old.title(), old.amount(), true))
          .reading(CountedV1.class, old -> new Counted(old.title(), 5, true));

  @Test
  void everyOlderVersionIsReadAsTheCurrentOne() {
    var registry = registry(COUNTED);
    var format = new ProtocolFormat(registry);

    assertThat(format.decode(format.encode(new CountedV1("a")), COUNTED, 1))
        .isEqualTo(new Counted("a", 5, true));
    assertThat(format.decode(format.encode(new CountedV2("a", 7)), COUNTED, 2))
        .isEqualTo(new Counted("a", 7, true));
    assertThat(registry.written("counted:3").version()).isEqualTo(3);
  }

  @Test
  void aNewerVersionIsRefusedWithASentenceThatSaysWhatToDo() {
    assertThatThrownBy(() -> registry(COUNTED).written("counted:4"))
        .isInstanceOf(MalformedBytesException.class)
        .hasMessageContaining("newer")
        .hasMessageContaining("update");
  }

  @Test
  void aVersionThatIsNotReadIsRefused() {
    assertThatThrownBy(() -> registry(Schema.of("counted", 3, Counted.class)).written("counted:2"))
        .isInstanceOf(MalformedBytesException.class)
        .hasMessageContaining("too old");
  }

  @Test
  void anUnknownOrMalformedManifestIsRefused() {
    for (var manifest : List.of("other:1", "counted", "", ":1", "counted:x")) {
      assertThatThrownBy(() -> registry(COUNTED).written(manifest))
          .isInstanceOf(MalformedBytesException.class);
    }
  }

  @Test
  void aClassWithoutSchemaIsToldWhereToAddOne() {
    assertThatThrownBy(() -> registry(COUNTED).schemaOf(String.class))
        .hasMessageContaining("java.lang.String")
        .hasMessageContaining("SchemaContribution");
  }

  @Test
  void theSchemaOfAnInterfaceHoldsForItsRecords() {
    var shape = Schema.of("shape", 1, Shape.class);

    assertThat(registry(shape).schemaOf(Round.class)).isEqualTo(shape);
  }

  @Test
  void twoSchemasOfOneNameAreRefused() {
    assertThatThrownBy(() -> registry(COUNTED, Schema.of("counted", 1, Shape.class)))
        .hasMessageContaining("counted");
  }

  @Test
  void twoSchemasOfOneTypeAreRefused() {
    assertThatThrownBy(() -> registry(COUNTED, Schema.of("again", 1, Counted.class)))
        .hasMessageContaining("again");
  }

  @Test
  void anAlternativeWithoutNumberIsFoundWhenItsFormatIsMade() {
    var codecs =
        Codecs.framed().alternatives(List.of(Alternatives.of(Shape.class, Round.class))).build();

    assertThatThrownBy(() -> codecs.of(Shape.class)).hasMessageContaining("Square");
  }

  private static SchemaRegistry registry(Schema<?>... schemas) {
    return new SchemaRegistry(
        List.of(
            new SchemaContribution() {
              @Override
              public List<Schema<?>> schemas() {
                return List.of(schemas);
              }

              @Override
              public List<Alternatives<?>> alternatives() {
                return List.of();
              }
            }));
  }
}
