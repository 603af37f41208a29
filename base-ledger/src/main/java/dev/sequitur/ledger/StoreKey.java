package dev.sequitur.ledger;

import dev.sequitur.ledger.codec.ByteWriter;
import dev.sequitur.ledger.codec.TransactionCodec;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.LedgerAddress;

/** What lies where: the first byte of a key says what it leads to. On disk, so never given anew. */
final class StoreKey {
  /** The format's version and the head's height. */
  static final Bytes HEAD = Bytes.utf8("h");

  private StoreKey() {}

  /** A block with its receipts. */
  static Bytes block(long height) {
    return at('b', height);
  }

  /** The checked transactions of a block that is not final. */
  static Bytes transactions(long height) {
    return at('x', height);
  }

  /** What the keys that a block changed led to before; of a block that is not final. */
  static Bytes undo(long height) {
    return at('u', height);
  }

  /** Height and index of a transaction. */
  static Bytes position(TransactionHash hash) {
    return new ByteWriter().putByte('t').putHash(hash.value()).toBytes();
  }

  /** The next nonce of a signer. */
  static Bytes nonce(LedgerAddress signer) {
    var key = new ByteWriter().putByte('n');
    TransactionCodec.write(key, signer);
    return key.toBytes();
  }

  /** Domain and genesis of a contract. */
  static Bytes contract(ContractAddress contract) {
    return of('c', contract).toBytes();
  }

  /** Whether a state is unspent or spent. */
  static Bytes state(ContractAddress contract, StateId state) {
    return of('s', contract).putHash(state.value()).toBytes();
  }

  /** Stands if the intent is fulfilled; another sender's of the same id has another key. */
  static Bytes intent(ContractAddress contract, IntentKey intent) {
    var key = of('i', contract);
    TransactionCodec.write(key, intent);
    return key.toBytes();
  }

  private static Bytes at(char kind, long height) {
    return new ByteWriter().putByte(kind).putLong(height).toBytes();
  }

  private static ByteWriter of(char kind, ContractAddress contract) {
    var key = new ByteWriter().putByte(kind);
    TransactionCodec.write(key, contract);
    return key;
  }
}
