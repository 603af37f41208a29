package dev.sequitur.ethereum;

import com.esaulpaugh.headlong.abi.Address;
import dev.sequitur.protocol.id.LedgerAddress;

/** An address with capitals by ERC-55, by which a reader notices a slip of a digit. */
public final class ChecksumAddress {
  private ChecksumAddress() {}

  public static String of(LedgerAddress address) {
    return Address.toChecksumAddress(address.value());
  }
}
