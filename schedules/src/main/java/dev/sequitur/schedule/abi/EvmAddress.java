package dev.sequitur.schedule.abi;

import dev.sequitur.protocol.digest.Digests;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.AccountId;
import java.util.Arrays;
import java.util.regex.Pattern;

/** What an ABI calls an address: 20 bytes. */
public record EvmAddress(Bytes value) {
  /** Nobody's. */
  public static final EvmAddress ZERO = new EvmAddress(Bytes.of(new byte[20]));

  static final int SIZE = 20;
  private static final int HASH_SIZE = 32;

  /** Lower case only: two names must not be one address. */
  private static final Pattern FORM = Pattern.compile("0x[0-9a-f]{40}");

  public EvmAddress {
    if (value.size() != SIZE) {
      throw new IllegalArgumentException("An address has 20 bytes, not " + value.size() + ".");
    }
  }

  /**
   * Of an account whose name is an address, that address; of any other, the last 20 bytes of
   * keccak-256 over its name.
   */
  public static EvmAddress of(AccountId account) {
    var name = account.value();
    if (FORM.matcher(name).matches()) {
      return new EvmAddress(Bytes.hex(name));
    }
    var hash = Digests.keccak256(Bytes.utf8(name)).toByteArray();
    return new EvmAddress(Bytes.of(Arrays.copyOfRange(hash, HASH_SIZE - SIZE, HASH_SIZE)));
  }

  /** {@code 0x} and 40 lower-case digits. */
  @Override
  public String toString() {
    return value.toHex();
  }
}
