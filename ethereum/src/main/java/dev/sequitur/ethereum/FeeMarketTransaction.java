package dev.sequitur.ethereum;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.ledger.Fees;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A transaction of type 2 (EIP-1559), which has an empty access list, as it is signed and sent.
 * Pure.
 *
 * @param to 20 bytes; empty to make a contract of {@code data}
 * @param value the money that it moves, in the chain's smallest unit
 */
record FeeMarketTransaction(
    long chainId, long nonce, Fees fees, long gasLimit, Bytes to, BigInteger value, Bytes data)
    implements ChainTransaction {
  /** One that moves no money. */
  FeeMarketTransaction(long chainId, long nonce, Fees fees, long gasLimit, Bytes to, Bytes data) {
    this(chainId, nonce, fees, gasLimit, to, BigInteger.ZERO, data);
  }

  private static final byte TYPE = 2;
  private static final int NUMBER = 32;
  private static final int FIRST_V = 27;

  @Override
  public Bytes unsigned() {
    return encoded(fields());
  }

  @Override
  public Bytes signed(Bytes signature) {
    var bytes = signature.toByteArray();
    var fields = fields();
    fields.add(Rlp.number(bytes[2 * NUMBER] - FIRST_V));
    fields.add(Rlp.number(Arrays.copyOf(bytes, NUMBER)));
    fields.add(Rlp.number(Arrays.copyOfRange(bytes, NUMBER, 2 * NUMBER)));
    return encoded(fields);
  }

  private List<Object> fields() {
    return new ArrayList<>(
        List.of(
            Rlp.number(chainId),
            Rlp.number(nonce),
            Rlp.number(fees.priority()),
            Rlp.number(fees.max()),
            Rlp.number(gasLimit),
            to.toByteArray(),
            Rlp.number(value),
            data.toByteArray(),
            List.of()));
  }

  private static Bytes encoded(List<Object> fields) {
    var list = Rlp.list(fields);
    return Bytes.of(ByteBuffer.allocate(1 + list.size()).put(TYPE).put(list.toByteArray()).array());
  }
}
