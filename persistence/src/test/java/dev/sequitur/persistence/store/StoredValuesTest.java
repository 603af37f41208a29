package dev.sequitur.persistence.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.persistence.serialization.ProtocolFormat;
import dev.sequitur.persistence.store.IntentTable.Place;
import dev.sequitur.persistence.store.JudgedBatch.Original;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.TransactionId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The store's own records on disk; those of the port are among the golden bytes. */
class StoredValuesTest {
  private static final Hash BODY = new Hash(1, 2, 3, 4);
  private static final Place PLACE =
      new Place(
          7,
          Optional.of(new ContractAddress("0x00112233445566778899aabbccddeeff00112233")),
          Optional.empty(),
          BODY,
          List.of());
  private static final Original ORIGINAL =
      new Original(TransactionId.parse("00000000-0000-0001-0000-000000000002"), BODY);
  private static final String PLACE_BYTES =
      "0x024f0e012a307830303131323233333434353536363737383839396161626263636464656566663030"
          + "31313232333300000000000000000100000000000000020000000000000003000000000000000400";
  private static final String ORIGINAL_BYTES =
      "0x02300000000000000001000000000000000200000000000000010000000000000002000000000000"
          + "00030000000000000004";

  private final StoredValues values = new StoredValues(new ProtocolFormat());

  @Test
  void whereAnIntentLiesIsStoredAsItEverWas() {
    assertThat(Bytes.of(values.encode(PLACE)).toHex()).isEqualTo(PLACE_BYTES);
    assertThat(values.decode(Bytes.hex(PLACE_BYTES).toByteArray(), Place.class)).isEqualTo(PLACE);
  }

  @Test
  void whoseAnIdempotencyKeyIsIsStoredAsItEverWas() {
    assertThat(Bytes.of(values.encode(ORIGINAL)).toHex()).isEqualTo(ORIGINAL_BYTES);
    assertThat(values.decode(Bytes.hex(ORIGINAL_BYTES).toByteArray(), Original.class))
        .isEqualTo(ORIGINAL);
  }

  @Test
  void aValueOfAnUnknownFormIsNotMisread() {
    var bytes = values.encode(PLACE);
    bytes[0]++;

    assertThatThrownBy(() -> values.decode(bytes, Place.class))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Place");
  }
}
