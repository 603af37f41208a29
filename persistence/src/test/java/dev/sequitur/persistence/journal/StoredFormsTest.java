package dev.sequitur.persistence.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The bytes on disk beside those of events; a new layout is a new version. */
final class StoredFormsTest {
  private static final String BOUNDS_V1 =
      "01" // version
          + "0000000000000009" // highest
          + "0000000000000007" // deleted to
          + "0000000000000005"; // removed to
  private static final String SNAPSHOT_V1 =
      "01" // version
          + "01" // with metadata
          + "0000019a00000001" // timestamp
          + "00000021" // serializer 33
          + "0002" // length of its manifest
          + "536e" // "Sn"
          + "00000005" // length of the snapshot
          + "7374617465" // "state"
          + "00000028" // serializer 40
          + "0000" // no manifest
          + "00000002" // length of the metadata
          + "0102";
  private static final StreamBounds BOUNDS = new StreamBounds(9, 7, 5);
  private static final StoredSnapshot SNAPSHOT =
      new StoredSnapshot(
          0x19a00000001L,
          new SerializedValue(33, "Sn", ByteBuffer.wrap("state".getBytes(UTF_8))),
          Optional.of(new SerializedValue(40, "", ByteBuffer.wrap(new byte[] {1, 2}))));

  @Test
  void boundsOfAStreamAreTheBytesOfVersionOne() {
    assertThat(HexFormat.of().formatHex(BOUNDS.encode())).isEqualTo(BOUNDS_V1);
    assertThat(StreamBounds.decode(Optional.of(HexFormat.of().parseHex(BOUNDS_V1))))
        .isEqualTo(BOUNDS);
  }

  @Test
  void aSnapshotIsTheBytesOfVersionOne() {
    assertThat(HexFormat.of().formatHex(SNAPSHOT.encode())).isEqualTo(SNAPSHOT_V1);
    assertThat(StoredSnapshot.decode(HexFormat.of().parseHex(SNAPSHOT_V1))).isEqualTo(SNAPSHOT);
  }
}
