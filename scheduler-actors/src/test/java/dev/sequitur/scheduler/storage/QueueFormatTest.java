package dev.sequitur.scheduler.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.encoding.Alternatives;
import dev.sequitur.encoding.Codecs;
import dev.sequitur.encoding.MalformedBytesException;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.queue.History;
import dev.sequitur.schedule.registry.FamilyTypes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a queue has stored stays readable, and means what it meant. The files of a version, which
 * {@link Golden} keeps, say how each type is laid out, what lies in which cell, how what is said
 * between JVMs is laid out, and hold the bytes of a record with every event.
 */
class QueueFormatTest {
  private static final QueueFormat FORMAT = new QueueFormat();

  @TempDir private Path directory;

  @Test
  void theBytesOfEachEventStayWhatTheyWere() throws IOException {
    var hex = Bytes.of(FORMAT.encode(Samples.record(), QueueRecord.class)).toHex();

    var golden = Golden.ofThisVersion("queue-record", "hex", hex);

    assertThat(hex).isEqualTo(golden);
    assertThat(FORMAT.decode(Bytes.hex(golden).toByteArray(), QueueRecord.class))
        .isEqualTo(Samples.record());
  }

  @Test
  void aRecordOfEachEarlierVersionThatIsReadIsStillRead() throws IOException {
    for (int version = StoredTypes.OLDEST; version < StoredTypes.VERSION; version++) {
      var hex = Golden.of("queue-record", version, "hex");

      assertThat(FORMAT.decode(Bytes.hex(hex).toByteArray(), QueueRecord.class))
          .isEqualTo(Samples.record());
    }
  }

  @Test
  void noLayoutChangesUnnoticed() throws IOException {
    var layouts = new Layouts(FORMAT);
    layouts.add(QueueRecord.class);
    layouts.add(QueueMemory.class);
    layouts.add(History.Happened.class);

    assertThat(layouts.text())
        .isEqualTo(Golden.ofThisVersion("queue-layouts", "txt", layouts.text()));
  }

  @Test
  void noCellChangesUnnoticed() throws IOException {
    var cells = Layouts.cells(new MemoryCells(FORMAT).root());

    assertThat(cells).isEqualTo(Golden.ofThisVersion("queue-cells", "txt", cells));
  }

  @Test
  void whatChangesWithoutItsVersionIsRefusedAlsoWhenItIsToBeWritten() throws IOException {
    Golden.write(directory, "layouts", 7, "txt", "a");
    Golden.write(directory, "layouts", 7, "txt", "a");

    assertThatThrownBy(() -> Golden.write(directory, "layouts", 7, "txt", "b"))
        .hasMessageContaining("raise the version");
    Golden.write(directory, "layouts", 8, "txt", "b");
    assertThat(directory.resolve("layouts-7.txt")).hasContent("a");
  }

  @Test
  void eachAlternativeThatIsStoredHasANumber() {
    for (var alternatives : StoredTypes.ALTERNATIVES) {
      var numbered = alternatives.numbers().keySet().stream().map(Class::getName).toList();
      var leaves =
          Alternatives.leaves(alternatives.type(), FamilyTypes::of).stream()
              .map(Class::getName)
              .toList();
      assertThat(numbered).as(alternatives.type().getName()).containsAll(leaves);
    }
  }

  @Test
  void aRecordOfAnEarlierLayoutIsStillRead() {
    record Old(int amount) {}
    record New(long amount, String note) {}
    var former =
        new Codecs.Former<>(New.class, 1, Old.class, read -> new New(read.amount(), "was old"));
    var bytes = Codecs.bare().build().of(Old.class).encode(new Old(7));

    var codec = Codecs.bare().version(1, List.of(former)).build().of(New.class);

    assertThat(codec.decode(bytes)).isEqualTo(new New(7, "was old"));
  }

  @Test
  void bytesThatAreNoneOfOursAreRefusedAndNotGuessed() {
    var whole = FORMAT.encode(Samples.record(), QueueRecord.class);
    for (int length = 0; length < whole.length; length++) {
      var torn = java.util.Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> FORMAT.decode(torn, QueueRecord.class))
          .as("first %d bytes", length)
          .isInstanceOf(MalformedBytesException.class);
    }
  }

  @Test
  void anotherVersionIsToldWithWhatIsReadHereAndWhatToDo() {
    var whole = FORMAT.encode(Samples.record(), QueueRecord.class);
    whole[0] = StoredTypes.VERSION + 1;
    assertThatThrownBy(() -> FORMAT.decode(whole, QueueRecord.class))
        .isInstanceOf(MalformedBytesException.class)
        .hasMessage(
            "What it has stored has version %d of the layouts, and this Sequitur reads version %d:"
                + " start the newer Sequitur that wrote it.",
            StoredTypes.VERSION + 1, StoredTypes.VERSION);
    whole[0] = StoredTypes.OLDEST - 1;
    assertThatThrownBy(() -> FORMAT.decode(whole, QueueRecord.class))
        .isInstanceOf(MalformedBytesException.class)
        .hasMessageContaining("has version " + (StoredTypes.OLDEST - 1))
        .hasMessageContaining("begin with an empty data directory");
  }
}
