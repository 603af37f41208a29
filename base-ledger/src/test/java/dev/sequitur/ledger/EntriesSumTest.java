package dev.sequitur.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeySpace;
import dev.sequitur.protocol.id.Hash;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EntriesSumTest {
  private static final byte[] ONE = {1};
  private static final byte[] TWO = {2};

  private final EntriesSum sum = new EntriesSum();

  @Test
  void theOrderInWhichEntriesCameIsNotSeen() {
    var other = new EntriesSum();
    for (int i = 0; i < 100; i++) {
      sum.add(key(i), ONE);
      other.add(key(99 - i), ONE);
    }

    assertThat(sum.digest()).isEqualTo(other.digest());
  }

  @Test
  void whatWasTakenAwayLeavesNothing() {
    sum.add(key(1), ONE);
    sum.replace(key(1), Optional.of(ONE), Optional.of(TWO));
    assertThat(sum.isEmpty()).isFalse();

    sum.replace(key(1), Optional.of(TWO), Optional.empty());

    assertThat(sum.isEmpty()).isTrue();
    assertThat(sum.digest()).isEqualTo(new EntriesSum().digest());
  }

  @Test
  void anotherValueAnotherKeyAndTheSameTwiceAreOtherSets() {
    sum.add(key(1), ONE);

    assertThat(of(key(1), TWO).digest()).isNotEqualTo(sum.digest());
    assertThat(of(key(2), ONE).digest()).isNotEqualTo(sum.digest());
    var twice = of(key(1), ONE);
    twice.add(key(1), ONE);
    assertThat(twice.digest()).isNotEqualTo(sum.digest());
  }

  /** Else a key and its value could be cut in two places. */
  @Test
  void whereTheKeyEndsIsSeen() {
    var longer = of(key(1).octet(7), new byte[0]);

    assertThat(of(key(1), new byte[] {7}).digest()).isNotEqualTo(longer.digest());
  }

  @Test
  void itIsReadAsItWasWritten() {
    sum.add(key(1), ONE);
    sum.remove(key(2), TWO);

    var stored = EntriesSum.CODEC.encode(sum);

    assertThat(stored).hasSize(EntriesSum.BYTES);
    assertThat(EntriesSum.CODEC.decode(stored).digest()).isEqualTo(sum.digest());
  }

  /** Blocks carry digests over it. Counted apart from this code, with Python's hashlib. */
  @Test
  void aSumNeverChanges() {
    sum.add(Key.of(new byte[] {1, 2, 3}), ONE);
    sum.add(Key.of(new byte[] {4}), new byte[] {5, 6});

    assertThat(sum.digest())
        .isEqualTo(Hash.hex("0x36d73936600e696b28d9d6db40de2475a9b0433edb9da3ba489ffa7c8097d391"));
  }

  private static EntriesSum of(Key key, byte[] value) {
    var sum = new EntriesSum();
    sum.add(key, value);
    return sum;
  }

  private static Key key(int number) {
    return Key.in(KeySpace.BASE_LEDGER).number(number);
  }
}
