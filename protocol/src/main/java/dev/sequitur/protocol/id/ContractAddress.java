package dev.sequitur.protocol.id;

import java.util.Locale;

/** The 20-byte address of a contract on the base ledger, as {@code 0x} and 40 lower-case digits. */
public record ContractAddress(String value) implements Comparable<ContractAddress> {
  private static final int DIGITS = 40;

  public ContractAddress {
    value = value.toLowerCase(Locale.ROOT);
    if (!Spelling.isHex(value, DIGITS)) {
      throw new IllegalArgumentException(
          "A contract address is 0x and 40 hexadecimal digits, not '" + value + "'.");
    }
  }

  @Override
  public int compareTo(ContractAddress other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
