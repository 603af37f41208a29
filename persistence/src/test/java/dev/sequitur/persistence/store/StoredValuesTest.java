package dev.sequitur.persistence.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.persistence.serialization.ProtocolCbor;
import dev.sequitur.persistence.store.IntentTable.Place;
import dev.sequitur.persistence.store.JudgedBatch.Original;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.TransactionId;
import org.junit.jupiter.api.Test;

/** The store's own records on disk; those of the port are among the golden bytes. */
class StoredValuesTest {
  private static final Hash BODY = new Hash(1, 2, 3, 4);
  private static final Place PLACE =
      new Place(7, new ContractAddress("0x00112233445566778899aabbccddeeff00112233"), BODY);
  private static final Original ORIGINAL =
      new Original(TransactionId.parse("00000000-0000-0001-0000-000000000002"), BODY);
  private static final String PLACE_BYTES =
      "0x01bf656f726465720768636f6e7472616374782a30783030313132323333343435353636373738"
          + "383939616162626363646465656666303031313232333368626f6479486173685820000000000000"
          + "0001000000000000000200000000000000030000000000000004ff";
  private static final String ORIGINAL_BYTES =
      "0x01bf6b7472616e73616374696f6e500000000000000001000000000000000268626f6479486173"
          + "6858200000000000000001000000000000000200000000000000030000000000000004ff";

  private final StoredValues values = new StoredValues(new ProtocolCbor());

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
