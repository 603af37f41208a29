package dev.sequitur.protocol.id;

import java.util.Locale;
import java.util.regex.Pattern;

/** The 20-byte address of a contract on the base ledger, as {@code 0x} and 40 lower-case digits. */
public record ContractAddress(String value) implements Comparable<ContractAddress> {
  private static final Pattern FORM = Pattern.compile("0x[0-9a-f]{40}");

  public ContractAddress {
    value = value.toLowerCase(Locale.ROOT);
    if (!FORM.matcher(value).matches()) {
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
