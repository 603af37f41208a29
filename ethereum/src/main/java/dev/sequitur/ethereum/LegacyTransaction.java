package dev.sequitur.ethereum;

import dev.sequitur.protocol.id.Bytes;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A transaction without a type, signed for one chain (EIP-155), for chains that take no others,
 * such as Rootstock. Pure.
 *
 * @param to 20 bytes; empty to make a contract of {@code data}
 * @param value the money that it moves, in the chain's smallest unit
 */
record LegacyTransaction(
    long chainId, long nonce, long gasPrice, long gasLimit, Bytes to, BigInteger value, Bytes data)
    implements ChainTransaction {
  /** One that moves no money. */
  LegacyTransaction(long chainId, long nonce, long gasPrice, long gasLimit, Bytes to, Bytes data) {
    this(chainId, nonce, gasPrice, gasLimit, to, BigInteger.ZERO, data);
  }

  private static final int NUMBER = 32;
  private static final int FIRST_V = 27;
  private static final int FIRST_V_OF_CHAINS = 35;

  @Override
  public Bytes unsigned() {
    var fields = fields();
    fields.add(Rlp.number(chainId));
    fields.add(Rlp.number(0));
    fields.add(Rlp.number(0));
    return Rlp.list(fields);
  }

  @Override
  public Bytes signed(Bytes signature) {
    var bytes = signature.toByteArray();
    var fields = fields();
    fields.add(Rlp.number(2 * chainId + FIRST_V_OF_CHAINS + bytes[2 * NUMBER] - FIRST_V));
    fields.add(Rlp.number(Arrays.copyOf(bytes, NUMBER)));
    fields.add(Rlp.number(Arrays.copyOfRange(bytes, NUMBER, 2 * NUMBER)));
    return Rlp.list(fields);
  }

  private List<Object> fields() {
    return new ArrayList<>(
        List.of(
            Rlp.number(nonce),
            Rlp.number(gasPrice),
            Rlp.number(gasLimit),
            to.toByteArray(),
            Rlp.number(value),
            data.toByteArray()));
  }
}
