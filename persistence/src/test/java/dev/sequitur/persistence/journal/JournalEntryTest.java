package dev.sequitur.persistence.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The bytes on disk. They are told here and never change: a new layout is a new version. */
final class JournalEntryTest {
  private static final SerializedValue EVENT =
      new SerializedValue(33, "Ev", ByteBuffer.wrap("payload".getBytes(UTF_8)));
  private static final SerializedValue METADATA =
      new SerializedValue(40, "", ByteBuffer.wrap(new byte[] {1, 2}));

  private static final String PLAIN_V1 =
      "01" // version
          + "00" // no metadata
          + "0000019a00000001" // timestamp
          + "0004" // length of the writer
          + "77727431" // "wrt1"
          + "0002" // length of the adapter's manifest
          + "4131" // "A1"
          + "00000021" // serializer 33
          + "0002" // length of its manifest
          + "4576" // "Ev"
          + "00000007" // length of the event
          + "7061796c6f6164"; // "payload"
  private static final String WITH_METADATA_V1 =
      "0101"
          + PLAIN_V1.substring(4)
          + "00000028" // serializer 40
          + "0000" // no manifest
          + "00000002" // length of the metadata
          + "0102";

  @Test
  void isTheBytesOfVersionOne() {
    assertThat(HexFormat.of().formatHex(entry(Optional.empty()).encode())).isEqualTo(PLAIN_V1);
    assertThat(HexFormat.of().formatHex(entry(Optional.of(METADATA)).encode()))
        .isEqualTo(WITH_METADATA_V1);
  }

  @Test
  void readsTheBytesOfVersionOne() {
    assertThat(JournalEntry.decode(HexFormat.of().parseHex(PLAIN_V1)))
        .isEqualTo(entry(Optional.empty()));
    assertThat(JournalEntry.decode(HexFormat.of().parseHex(WITH_METADATA_V1)))
        .isEqualTo(entry(Optional.of(METADATA)));
  }

  @Test
  void refusesALaterVersion() {
    assertThatThrownBy(() -> JournalEntry.decode(HexFormat.of().parseHex("02" + PLAIN_V1)))
        .hasMessageContaining("version 2");
  }

  @Test
  void keepsTheBoundsOfAStreamInTwentyFiveBytes() {
    StreamBounds bounds = new StreamBounds(258, 3, 1);
    String versionOne = "01" + "0000000000000102" + "0000000000000003" + "0000000000000001";

    assertThat(HexFormat.of().formatHex(bounds.encode())).isEqualTo(versionOne);
    assertThat(StreamBounds.decode(Optional.of(HexFormat.of().parseHex(versionOne))))
        .isEqualTo(bounds);
    assertThat(StreamBounds.decode(Optional.empty())).isEqualTo(StreamBounds.EMPTY);
  }

  @Test
  void keepsASnapshotInTheBytesOfVersionOne() {
    StoredSnapshot snapshot = new StoredSnapshot(0x19a_0000_0001L, EVENT, Optional.of(METADATA));
    String versionOne =
        "0101" // version, with metadata
            + "0000019a00000001" // timestamp
            + "00000021" // serializer 33
            + "00024576" // "Ev"
            + "00000007" // length of the snapshot
            + "7061796c6f6164" // "payload"
            + "00000028000000000002" // serializer 40, no manifest, length of the metadata
            + "0102";

    assertThat(HexFormat.of().formatHex(snapshot.encode())).isEqualTo(versionOne);
    assertThat(StoredSnapshot.decode(HexFormat.of().parseHex(versionOne))).isEqualTo(snapshot);
  }

  private static JournalEntry entry(Optional<SerializedValue> metadata) {
    return new JournalEntry(0x19a_0000_0001L, "wrt1", "A1", EVENT, metadata);
  }

  @Test
  void keepsASnapshotWithoutMetadata() {
    StoredSnapshot snapshot = new StoredSnapshot(7, EVENT, Optional.empty());

    assertThat(HexFormat.of().formatHex(snapshot.encode())).startsWith("0100");
    assertThat(StoredSnapshot.decode(snapshot.encode())).isEqualTo(snapshot);
  }

  @Test
  void refusesALaterVersionOfASnapshotAndOfAStream() {
    byte[] snapshot = new StoredSnapshot(7, EVENT, Optional.empty()).encode();
    byte[] bounds = StreamBounds.EMPTY.encode();
    snapshot[0] = 2;
    bounds[0] = 2;

    assertThatThrownBy(() -> StoredSnapshot.decode(snapshot)).hasMessageContaining("version 2");
    assertThatThrownBy(() -> StreamBounds.decode(Optional.of(bounds)))
        .hasMessageContaining("version 2");
  }

  @Test
  void noMoreOfAStreamIsDeletedThanThereIsAndNothingComesBack() {
    StreamBounds bounds = new StreamBounds(9, 5, 3);

    assertThat(bounds.withDeletedTo(7)).isEqualTo(new StreamBounds(9, 7, 3));
    assertThat(bounds.withDeletedTo(10)).isEqualTo(new StreamBounds(9, 9, 3));
    assertThat(bounds.withDeletedTo(4)).isEqualTo(bounds);
    assertThat(bounds.withRemovedTo(5)).isEqualTo(new StreamBounds(9, 5, 5));
    assertThat(bounds.withRemovedTo(2)).isEqualTo(bounds);
    assertThat(bounds.withHighest(12)).isEqualTo(new StreamBounds(12, 5, 3));
    assertThat(new StreamBounds(0, 0, 0)).isEqualTo(StreamBounds.EMPTY);
    assertThat(new StreamBounds(5, 5, 5).removedTo()).isEqualTo(5);
    for (long[] wrong : new long[][] {{0, 0, -1}, {5, 3, 4}, {3, 4, 2}}) {
      assertThatThrownBy(() -> new StreamBounds(wrong[0], wrong[1], wrong[2]))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aTextIsAsLongAsTwoBytesTell() {
    assertThat(Text.of("x".repeat(65_535)).size()).isEqualTo(2 + 65_535);
    assertThatThrownBy(() -> Text.of("x".repeat(65_536))).hasMessageContaining("65536");
  }
}
