package dev.sequitur.ledger;

import dev.sequitur.encoding.ByteReader;
import dev.sequitur.encoding.ByteWriter;
import dev.sequitur.encoding.Codec;
import dev.sequitur.ledger.BlockExecution.Position;
import dev.sequitur.ledger.codec.LedgerFormat;
import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeyRange;
import dev.sequitur.persistence.map.KeySpace;
import dev.sequitur.protocol.checkpoint.Agreements;
import dev.sequitur.protocol.checkpoint.Checkpoint;
import dev.sequitur.protocol.group.CommitteeStanding;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerTransaction.Deploy;
import dev.sequitur.protocol.transaction.Receipt;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One of the tables that a ledger keeps in its ordered map.
 *
 * @param kind the first byte of each of its keys, after {@link KeySpace#BASE_LEDGER}; on disk, so
 *     never given to another table
 */
record LedgerTable<K, V>(char kind, Codec<K> keys, Codec<V> values) {
  private static final Key LEDGER = Key.in(KeySpace.BASE_LEDGER);
  private static final int HEAD_FORMAT = 8;
  private static final int CONTRACT_FORMAT = 3;

  private static final Codec<Long> HEIGHT = Codec.of(ByteWriter::eight, ByteReader::eight);

  /** The head's height, under no more than the table's own key. */
  static final LedgerTable<Only, Long> HEAD =
      new LedgerTable<>(
          'h',
          Codec.of((to, only) -> {}, from -> Only.ONE),
          versioned(HEAD_FORMAT, Codec.of(ByteWriter::signed, ByteReader::signed)));

  /** Blocks with their receipts, by height. */
  static final LedgerTable<Long, Block> BLOCKS =
      new LedgerTable<>('b', HEIGHT, LedgerFormat.of(Block.class));

  /** The checked transactions of a block, in its order. */
  static final LedgerTable<Long, List<CheckedTransaction>> TRANSACTIONS =
      new LedgerTable<>('x', HEIGHT, LedgerFormat.listOf(CheckedTransaction.class));

  /** What the keys that a block changed led to before; of blocks that are not final. */
  static final LedgerTable<Long, Map<Key, Optional<byte[]>>> UNDO =
      new LedgerTable<>('u', HEIGHT, LedgerFormat.of(Undo.class).as(Undo::of, Undo::changes));

  /** Where a transaction is. */
  static final LedgerTable<TransactionHash, Position> POSITIONS =
      new LedgerTable<>(
          't', LedgerFormat.of(TransactionHash.class), LedgerFormat.of(Position.class));

  /** The next nonce of a signer. */
  static final LedgerTable<LedgerAddress, Long> NONCES =
      new LedgerTable<>('n', LedgerFormat.SIGNER, LedgerFormat.of(Long.class));

  /** Where the transaction is that has used a nonce. */
  static final LedgerTable<Receipt.Nonce, Position> USED =
      new LedgerTable<>(
          'm',
          Codec.of(
              (to, used) -> to.put(LedgerFormat.SIGNER, used.signer()).eight(used.number()),
              from -> new Receipt.Nonce(LedgerFormat.SIGNER.read(from), from.eight())),
          LedgerFormat.of(Position.class));

  /** How a contract was made. */
  static final LedgerTable<ContractAddress, Deploy> CONTRACTS =
      new LedgerTable<>(
          'c', LedgerFormat.CONTRACT, versioned(CONTRACT_FORMAT, LedgerFormat.of(Deploy.class)));

  /** Whose endorsements a contract takes, from its first block on. */
  static final LedgerTable<ContractAddress, CommitteeStanding> COMMITTEES =
      new LedgerTable<>('k', LedgerFormat.CONTRACT, LedgerFormat.of(CommitteeStanding.class));

  /** How the states of contracts stand; of those that were never made nothing. */
  static final LedgerTable<Within<StateId>, Standing> STATES =
      new LedgerTable<>('s', Within.codec(LedgerFormat.of(StateId.class)), Standing.CODEC);

  /** The intents that are fulfilled; another sender's of the same id is another one. */
  static final LedgerTable<Within<IntentKey>, Fulfilment> INTENTS =
      new LedgerTable<>('i', Within.codec(LedgerFormat.of(IntentKey.class)), Fulfilment.CODEC);

  /** The sums of a contract's entries; only of a ledger that makes checkpoints. */
  static final LedgerTable<ContractAddress, ContractSums> SUMS =
      new LedgerTable<>('d', LedgerFormat.CONTRACT, ContractSums.CODEC);

  /** The digest of each of them, so that a checkpoint reads no more. */
  static final LedgerTable<ContractAddress, Hash> DIGESTS =
      new LedgerTable<>('g', LedgerFormat.CONTRACT, LedgerFormat.of(Hash.class));

  /** The sum of all nonces; there if the sums are. */
  static final LedgerTable<Only, EntriesSum> NONCE_SUM =
      new LedgerTable<>('e', Codec.of((to, only) -> {}, from -> Only.ONE), EntriesSum.CODEC);

  /** The oldest block that is still there; nothing if none was dropped. */
  static final LedgerTable<Only, Long> OLDEST =
      new LedgerTable<>(
          'f', Codec.of((to, only) -> {}, from -> Only.ONE), LedgerFormat.of(Long.class));

  /** The last word of each reader on a checkpoint. */
  static final LedgerTable<LedgerAddress, Agreements.Word> SAID =
      new LedgerTable<>('a', LedgerFormat.SIGNER, LedgerFormat.of(Agreements.Word.class));

  /** How far a reader has counted; in the records of a node, never in a ledger's. */
  static final LedgerTable<Only, Witnessed> WITNESSED =
      new LedgerTable<>(
          'w', Codec.of((to, only) -> {}, from -> Only.ONE), LedgerFormat.of(Witnessed.class));

  /**
   * What a reader has counted.
   *
   * @param height of the newest block that is counted
   * @param hash of that block
   * @param newest checkpoint that was met
   */
  record Witnessed(long height, Hash hash, Optional<Checkpoint> newest) {}

  /** In a table with one entry. */
  enum Only {
    ONE
  }

  /** Something of one contract. */
  record Within<T>(ContractAddress contract, T what) {
    private static <T> Codec<Within<T>> codec(Codec<T> what) {
      return Codec.of(
          (to, place) -> to.put(LedgerFormat.CONTRACT, place.contract()).put(what, place.what()),
          from -> new Within<>(LedgerFormat.CONTRACT.read(from), what.read(from)));
    }
  }

  /** How a state stands: one byte, which is on disk. */
  enum Standing {
    UNSPENT(1),
    SPENT(2);

    static final Codec<Standing> CODEC =
        Codec.of((to, standing) -> to.raw(standing.code), from -> of(from.raw()));

    private final int code;

    Standing(int code) {
      this.code = code;
    }

    private static Standing of(int code) {
      return switch (code) {
        case 1 -> UNSPENT;
        case 2 -> SPENT;
        default -> throw new IllegalArgumentException("No standing has the number " + code + ".");
      };
    }
  }

  /** That an intent is fulfilled: one byte, which is on disk. */
  enum Fulfilment {
    DONE;

    private static final Codec<Fulfilment> CODEC =
        Codec.of((to, done) -> to.raw(1), from -> DONE.read(from.raw()));

    private Fulfilment read(int code) {
      if (code != 1) {
        throw new IllegalArgumentException("No fulfilment has the number " + code + ".");
      }
      return this;
    }
  }

  private static <V> Codec<V> versioned(int version, Codec<V> codec) {
    return Codec.of(
        (to, value) -> to.raw(version).put(codec, value),
        from -> codec.read(from.expectVersion(version)));
  }

  /** Where it stands in the map. */
  Key at(K key) {
    return LEDGER.raw(new ByteWriter().raw(kind).put(keys, key).finish());
  }

  /** Whether a key of the map is one of this table's. */
  boolean holds(Key stored) {
    return stored.unsafeBytes()[1] == kind;
  }

  /** Where all its entries are. */
  KeyRange all() {
    return KeyRange.startingWith(LEDGER.octet(kind));
  }

  /** Whose an entry is, in a table whose keys begin with a contract. */
  static ContractAddress contractOf(Key stored) {
    return LedgerFormat.CONTRACT.read(new ByteReader(stored.unsafeBytes(), 2));
  }

  /** Where all entries of a contract are, in the tables whose keys begin with one. */
  static List<KeyRange> rangesOf(ContractAddress contract) {
    return Stream.of(CONTRACTS, COMMITTEES, STATES, INTENTS)
        .map(table -> LEDGER.octet(table.kind).raw(LedgerFormat.CONTRACT.encode(contract)))
        .map(KeyRange::startingWith)
        .toList();
  }

  /** Where the tables are that a checkpoint is of, and the sums of their entries. */
  static KeyRange fromContractsToStates() {
    return new KeyRange(CONTRACTS.all().from(), STATES.all().until());
  }

  void put(K key, V value, Map<Key, Optional<byte[]>> changes) {
    changes.put(at(key), Optional.of(values.encode(value)));
  }
}
