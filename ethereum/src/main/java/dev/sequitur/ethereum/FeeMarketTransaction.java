package dev.sequitur.ethereum;

import dev.sequitur.protocol.digest.Digests;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.ledger.Fees;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.web3j.rlp.RlpEncoder;
import org.web3j.rlp.RlpList;
import org.web3j.rlp.RlpString;
import org.web3j.rlp.RlpType;

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
  public Hash digest() {
    return Digests.keccak256(encoded(fields()));
  }

  @Override
  public Bytes signed(Bytes signature) {
    var bytes = signature.toByteArray();
    var fields = fields();
    fields.add(number(bytes[2 * NUMBER] - FIRST_V));
    fields.add(stripped(Arrays.copyOf(bytes, NUMBER)));
    fields.add(stripped(Arrays.copyOfRange(bytes, NUMBER, 2 * NUMBER)));
    return encoded(fields);
  }

  private List<RlpType> fields() {
    return new ArrayList<>(
        List.of(
            number(chainId),
            number(nonce),
            number(fees.priority()),
            number(fees.max()),
            number(gasLimit),
            RlpString.create(to.toByteArray()),
            RlpString.create(value),
            RlpString.create(data.toByteArray()),
            new RlpList(List.of())));
  }

  private static RlpString number(long value) {
    return RlpString.create(value);
  }

  /** A number has no leading zeros. */
  static RlpString stripped(byte[] number) {
    int zeros = 0;
    while (zeros < number.length && number[zeros] == 0) {
      zeros++;
    }
    return RlpString.create(Arrays.copyOfRange(number, zeros, number.length));
  }

  private static Bytes encoded(List<RlpType> fields) {
    var list = RlpEncoder.encode(new RlpList(fields));
    return Bytes.of(ByteBuffer.allocate(1 + list.length).put(TYPE).put(list).array());
  }
}
