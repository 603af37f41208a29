package dev.sequitur.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SealedSeedTest {
  private static final SealedSeed.Cost CHEAP = new SealedSeed.Cost(8, 1, 1);
  private static final Passphrase PASSPHRASE = Passphrase.of("correct horse battery");

  /** Where the cost stands. */
  private static final int COST_AT = "sequitur sealed seed 1\n".length();

  private final byte[] seed = new byte[SeedFile.BYTES];
  private final byte[] sealed;

  SealedSeedTest() {
    for (int i = 0; i < seed.length; i++) {
      seed[i] = (byte) i;
    }
    sealed = SealedSeed.seal(seed, PASSPHRASE, CHEAP, new SecureRandom());
  }

  /** Made apart from this code, by Python's cryptography. */
  @Test
  void opensWhatWasAlwaysSealedSo() {
    var golden =
        HexFormat.of()
            .parseHex(
                "7365717569747572207365616c6564207365656420310a000000400000000200000002000102030405060708090a0b0c0d0e0f6465666768696a6b6c6d6e6f95864a5b7067fb05e5e765fd1e801790371f6a18c88d752a9ea1b40a47e1eb19d8701f043a90b085488f4c6dca1419b6");

    assertThat(SealedSeed.open(golden, Passphrase.of("Zwo\u0308lf Boxkämpfer jagen")))
        .contains(seed);
  }

  @Test
  void isOpenedByItsPassphraseAlone() {
    assertThat(sealed).hasSize(SealedSeed.BYTES);
    assertThat(SealedSeed.isSealed(sealed)).isTrue();
    assertThat(SealedSeed.isSealed(seed)).isFalse();
    assertThat(SealedSeed.open(sealed, PASSPHRASE)).contains(seed);
    assertThat(SealedSeed.open(sealed, Passphrase.of("correct horse batterx"))).isEmpty();
    assertThat(SealedSeed.seal(seed, PASSPHRASE, CHEAP, new SecureRandom()))
        .as("no two are alike")
        .isNotEqualTo(sealed);
  }

  @Test
  void holdsMoreThanASeed() {
    var longer = Arrays.copyOf(seed, 1_000);

    var all = SealedSeed.seal(longer, PASSPHRASE, CHEAP, new SecureRandom());

    assertThat(SealedSeed.open(all, PASSPHRASE)).contains(longer);
    assertThat(opened(Arrays.copyOf(all, all.length - 1))).isEmpty();
  }

  @Test
  void isNotOpenedOnceAnyByteHasChanged() {
    for (int i = 0; i < sealed.length; i++) {
      var changed = sealed.clone();
      changed[i] ^= 1;
      assertThat(opened(changed)).as("byte %d", i).isEmpty();
    }
    for (int length = 0; length < sealed.length; length++) {
      assertThat(opened(Arrays.copyOf(sealed, length))).as("%d bytes", length).isEmpty();
    }
    assertThat(opened(Arrays.copyOf(sealed, sealed.length + 1))).isEmpty();
  }

  @Test
  void spendsNoMoreThanAGibibyteOnWhatAnotherMade() {
    var dear = sealed.clone();
    ByteBuffer.wrap(dear, COST_AT, Integer.BYTES).putInt(1024 * 1024 + 1);

    assertThatThrownBy(() -> SealedSeed.open(dear, PASSPHRASE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("beyond reason");
    assertThat(SealedSeed.COST.isWithinReason()).isTrue();
  }

  @Test
  void showsNoPassphrase() {
    assertThat(PASSPHRASE).hasToString("(hidden)");
    assertThatThrownBy(() -> Passphrase.of("tooshortone"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at least 12")
        .hasMessageNotContaining("tooshortone");
  }

  private Optional<byte[]> opened(byte[] content) {
    try {
      return SealedSeed.open(content, PASSPHRASE);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
