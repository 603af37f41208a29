package dev.sequitur.protocol.transaction;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.TransactionId;
import java.math.BigInteger;
import java.util.Optional;

/**
 * A call on the base ledger that everybody there can read (PUB-1). It has no group: the key that
 * {@code from} names signs it, and the contract that it calls decides.
 *
 * @param to whom it calls; empty to make a contract
 * @param data of the call; to make a contract, its byte code and what that is constructed with
 * @param value that goes along, in the ledger's smallest unit, 0 or more and below 2^256
 * @param gas it may use so much
 * @param source what the caller wrote, for people and for what the call says in return
 */
public record PublicTransaction(
    TransactionId id,
    Identity from,
    Optional<ContractAddress> to,
    Bytes data,
    BigInteger value,
    long gas,
    Source source)
    implements Transaction {
  private static final int VALUE_BITS = 256;

  public PublicTransaction {
    if (value.signum() < 0 || value.bitLength() > VALUE_BITS) {
      throw new IllegalArgumentException("A value is 0 or more and below 2^256, not " + value);
    }
  }

  /**
   * What a call was made of.
   *
   * @param function its name or its signature; empty for raw data and for what makes a contract
   * @param inputs UTF-8 JSON; empty if there were none
   * @param abi the functions, events and errors, UTF-8 JSON; empty if none was sent
   */
  public record Source(Optional<String> function, Optional<Bytes> inputs, Optional<Bytes> abi) {
    /** Of a call that is only bytes. */
    public static final Source NONE =
        new Source(Optional.empty(), Optional.empty(), Optional.empty());
  }

  /** Without what its caller wrote, which the node store keeps and which may be long. */
  public PublicTransaction bare() {
    return new PublicTransaction(id, from, to, data, value, gas, Source.NONE);
  }

  /** With another limit. */
  public PublicTransaction withGas(long limit) {
    return new PublicTransaction(id, from, to, data, value, limit, source);
  }
}
