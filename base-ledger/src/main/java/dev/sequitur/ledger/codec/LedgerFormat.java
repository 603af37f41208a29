package dev.sequitur.ledger.codec;

import dev.sequitur.encoding.Codec;
import dev.sequitur.encoding.Codecs;
import dev.sequitur.persistence.serialization.ProtocolSchemas;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.LedgerAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;

/**
 * The ledger's values as bytes: on disk, between its process and the nodes, and where a block's
 * hash is made. A bare format: whoever writes a value puts a version before it.
 */
public final class LedgerFormat {
  private static final int ADDRESS_BYTES = 20;

  /** Twenty bytes. */
  public static final Codec<LedgerAddress> SIGNER =
      address(LedgerAddress::value, LedgerAddress::new);

  /** Twenty bytes. */
  public static final Codec<ContractAddress> CONTRACT =
      address(ContractAddress::value, ContractAddress::new);

  private static final Codecs CODECS =
      Codecs.bare()
          .alternatives(ProtocolSchemas.ofLedger())
          .with(LedgerAddress.class, SIGNER)
          .with(ContractAddress.class, CONTRACT)
          .shared(LedgerAddress.class, ContractAddress.class, Identity.class, Verifier.class)
          .build();

  private LedgerFormat() {}

  public static <T> Codec<T> of(Class<T> type) {
    return CODECS.of(type);
  }

  public static <T> Codec<List<T>> listOf(Class<T> type) {
    return CODECS.listOf(type);
  }

  private static <T> Codec<T> address(Function<T, String> text, Function<String, T> parse) {
    return Codec.of(
        (to, address) -> to.bytes(HexFormat.of().parseHex(text.apply(address).substring(2))),
        from -> parse.apply("0x" + HexFormat.of().formatHex(from.bytes(ADDRESS_BYTES))));
  }
}
