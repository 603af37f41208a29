package dev.sequitur.scheduler.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.id.Bytes;
import java.io.IOException;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What a queue has stored stays readable. {@code golden/queue-layouts-1.txt} says how each type is
 * laid out, {@code golden/queue-record-1.hex} holds the bytes of a record with every event. A file
 * of a released version is never changed: a change of a layout raises {@link StoredTypes#VERSION}
 * and gets new ones. They are written with {@code -Dsequitur.golden.write=DIRECTORY}.
 */
class QueueFormatTest {
  private static final QueueFormat FORMAT = new QueueFormat();

  @Test
  void theBytesOfEachEventStayWhatTheyWere() throws IOException {
    var hex = Bytes.of(FORMAT.encode(Samples.record(), QueueRecord.class)).toHex();
    var golden = golden("queue-record-1.hex", hex);

    assertThat(FORMAT.decode(Bytes.hex(golden).toByteArray(), QueueRecord.class))
        .isEqualTo(Samples.record());
    assertThat(hex).isEqualTo(golden);
  }

  @Test
  void noLayoutChangesUnnoticed() throws IOException {
    var layouts = new Layouts();
    layouts.add(QueueRecord.class);
    layouts.add(QueueMemory.class);

    assertThat(layouts.text()).isEqualTo(golden("queue-layouts-1.txt", layouts.text()));
  }

  @Test
  void eachAlternativeThatIsStoredHasANumber() {
    for (var alternatives : StoredTypes.ALTERNATIVES) {
      var numbered = alternatives.numbers().keySet().stream().map(Class::getName).toList();
      var leaves = Alternatives.leaves(alternatives.type()).stream().map(Class::getName).toList();
      assertThat(numbered).as(alternatives.type().getName()).containsAll(leaves);
    }
  }

  @Test
  void aRecordOfAnEarlierLayoutIsStillRead() {
    record Old(int amount) {}
    record New(long amount, String note) {}
    var old = new Codecs(List.of(), List.of(), 1, Map.of()).of(Old.class);
    var to = new ByteWriter();
    old.write(to, new Old(7));
    var former =
        new Codecs.Former<>(New.class, 1, Old.class, read -> new New(read.amount(), "was old"));

    var codec = new Codecs(List.of(), List.of(former), 1, Map.of()).of(New.class);

    assertThat(codec.read(new ByteReader(to.finish(), 0, new Pool())))
        .isEqualTo(new New(7, "was old"));
  }

  @Test
  void bytesThatAreNoneOfOursAreRefusedAndNotGuessed() {
    var whole = FORMAT.encode(Samples.record(), QueueRecord.class);
    for (int length = 0; length < whole.length; length++) {
      var torn = java.util.Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> FORMAT.decode(torn, QueueRecord.class))
          .as("first %d bytes", length)
          .isInstanceOf(UnreadableException.class);
    }
    whole[0] = StoredTypes.VERSION + 1;
    assertThatThrownBy(() -> FORMAT.decode(whole, QueueRecord.class))
        .hasMessageContaining("update it");
  }

  static String golden(String name, String now) throws IOException {
    var directory = System.getProperty("sequitur.golden.write");
    if (directory != null) {
      Files.writeString(Path.of(directory, name), now + "\n");
    }
    try (var file = QueueFormatTest.class.getResourceAsStream("/golden/" + name)) {
      assertThat(file).as("golden/" + name + " (see the class comment)").isNotNull();
      return new String(file.readAllBytes(), StandardCharsets.UTF_8).strip();
    }
  }

  /** How types are laid out, each once, in the order of their names. */
  static final class Layouts {
    private final Map<String, String> lines = new TreeMap<>();

    void add(Type type) {
      if (type instanceof java.lang.reflect.ParameterizedType generic) {
        Stream.of(generic.getActualTypeArguments()).forEach(this::add);
      } else if (type instanceof Class<?> plain
          && plain.getName().startsWith("dev.sequitur.")
          && !lines.containsKey(name(plain))) {
        addOurs(plain);
      }
    }

    private void addOurs(Class<?> type) {
      if (type.isEnum()) {
        lines.put(
            name(type), Stream.of(type.getEnumConstants()).map(Object::toString).toList() + "");
      } else if (type.isRecord()) {
        lines.put(
            name(type),
            Stream.of(type.getRecordComponents())
                    .map(part -> part.getName() + ": " + name(part.getGenericType()))
                    .toList()
                + "");
        Stream.of(type.getRecordComponents()).forEach(part -> add(part.getGenericType()));
      } else if (type.isInterface()) {
        var table = Alternatives.of(type, StoredTypes.ALTERNATIVES).numbers();
        var numbers = new TreeMap<Integer, String>();
        table.forEach((leaf, number) -> numbers.put(number, name(leaf)));
        lines.put(name(type), numbers.toString());
        table.keySet().forEach(this::add);
      }
    }

    private static String name(Type type) {
      return type.getTypeName()
          .replaceAll(
              "(dev\\.sequitur\\.(protocol|scheduler)\\.|java\\.[a-z]+\\.|org\\.pcollections\\.)",
              "")
          .replace('$', '.');
    }

    String text() {
      var text = new StringBuilder();
      lines.forEach((type, layout) -> text.append(type).append(' ').append(layout).append('\n'));
      return text.toString().strip();
    }
  }
}
