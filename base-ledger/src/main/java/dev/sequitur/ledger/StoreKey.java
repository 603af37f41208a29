package dev.sequitur.ledger;

import dev.sequitur.encoding.ByteWriter;
import dev.sequitur.ledger.codec.LedgerFormat;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionHash;

/** What lies where: the first byte of a key says what it leads to. On disk, so never given anew. */
final class StoreKey {
  /** The format's version and the head's height. */
  static final Bytes HEAD = Bytes.utf8("h");

  private StoreKey() {}

  /** A block with its receipts. */
  static Bytes block(long height) {
    return at('b', height);
  }

  /** The checked transactions of a block, in its order. */
  static Bytes transactions(long height) {
    return at('x', height);
  }

  /** What the keys that a block changed led to before; of a block that is not final. */
  static Bytes undo(long height) {
    return at('u', height);
  }

  /** Height and index of a transaction. */
  static Bytes position(TransactionHash hash) {
    return new ByteWriter().raw('t').put(LedgerFormat.of(TransactionHash.class), hash).toBytes();
  }

  /** The next nonce of a signer. */
  static Bytes nonce(LedgerAddress signer) {
    return new ByteWriter().raw('n').put(LedgerFormat.SIGNER, signer).toBytes();
  }

  /** Height and index of the transaction that has used a nonce. */
  static Bytes used(LedgerAddress signer, long nonce) {
    return new ByteWriter().raw('m').put(LedgerFormat.SIGNER, signer).eight(nonce).toBytes();
  }

  /** Domain and genesis of a contract. */
  static Bytes contract(ContractAddress contract) {
    return of('c', contract).toBytes();
  }

  /** Whether a state is unspent or spent. */
  static Bytes state(ContractAddress contract, StateId state) {
    return of('s', contract).put(LedgerFormat.of(StateId.class), state).toBytes();
  }

  /** Stands if the intent is fulfilled; another sender's of the same id has another key. */
  static Bytes intent(ContractAddress contract, IntentKey intent) {
    return of('i', contract).put(LedgerFormat.of(IntentKey.class), intent).toBytes();
  }

  private static Bytes at(char kind, long height) {
    return new ByteWriter().raw(kind).eight(height).toBytes();
  }

  private static ByteWriter of(char kind, ContractAddress contract) {
    return new ByteWriter().raw(kind).put(LedgerFormat.CONTRACT, contract);
  }
}
