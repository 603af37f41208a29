package dev.sequitur.protocol.id;

import java.util.Locale;
import java.util.regex.Pattern;

/** The 20-byte address of a signing key on the base ledger, {@code 0x} and 40 digits. */
public record LedgerAddress(String value) {
  private static final Pattern FORM = Pattern.compile("0x[0-9a-f]{40}");

  public LedgerAddress {
    value = value.toLowerCase(Locale.ROOT);
    if (!FORM.matcher(value).matches()) {
      throw new IllegalArgumentException(
          "A ledger address is 0x and 40 hexadecimal digits, not '" + value + "'.");
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
