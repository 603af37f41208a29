package dev.sequitur.ledger;

import dev.sequitur.encoding.ByteReader;
import dev.sequitur.encoding.ByteWriter;
import dev.sequitur.encoding.Codec;
import dev.sequitur.ledger.LedgerTable.Standing;
import dev.sequitur.ledger.codec.LedgerFormat;
import dev.sequitur.persistence.map.Key;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import java.util.Optional;

/**
 * What a checkpoint says of one contract: how it was made, its committees, which states are
 * unspent, and what is used (spent states and fulfilled intents). A node that knows the first three
 * can compare them without the last. Confined to one thread at a time.
 */
final class ContractSums {
  static final Codec<ContractSums> CODEC =
      Codec.of(
          (to, sums) -> sums.write(to),
          from -> {
            var read = new ContractSums();
            read.made = hash(from);
            read.committees = hash(from);
            read.unspent.addAll(EntriesSum.CODEC.read(from));
            read.used.addAll(EntriesSum.CODEC.read(from));
            return read;
          });

  private static final Hash NONE = new Hash(0, 0, 0, 0);
  private static final int HASH = 32;

  private final EntriesSum unspent = new EntriesSum();
  private final EntriesSum used = new EntriesSum();
  private Hash made = NONE;
  private Hash committees = NONE;

  private void write(ByteWriter to) {
    to.bytes(made.toByteArray())
        .bytes(committees.toByteArray())
        .put(EntriesSum.CODEC, unspent)
        .put(EntriesSum.CODEC, used);
  }

  private static Hash hash(ByteReader from) {
    return Hash.of(from.bytes(HASH));
  }

  /** Whether there is the contract; a reorganisation may undo that it was made. */
  boolean isMade() {
    return !made.equals(NONE);
  }

  /** An entry of one of the tables that hold something of a contract has changed. */
  void follow(Key key, Optional<byte[]> before, Optional<byte[]> after) {
    if (LedgerTable.CONTRACTS.holds(key)) {
      made = after.map(Hash::sha256).orElse(NONE);
    } else if (LedgerTable.COMMITTEES.holds(key)) {
      committees = after.map(Hash::sha256).orElse(NONE);
    } else if (LedgerTable.INTENTS.holds(key)) {
      used.replace(key, before, after);
    } else {
      before.ifPresent(value -> ofStanding(value).remove(key, value));
      after.ifPresent(value -> ofStanding(value).add(key, value));
    }
  }

  private EntriesSum ofStanding(byte[] value) {
    return switch (Standing.CODEC.decode(value)) {
      case UNSPENT -> unspent;
      case SPENT -> used;
    };
  }

  Hash digest() {
    return new CanonicalDigest()
        .add(made)
        .add(committees)
        .add(unspent.digest())
        .add(used.digest())
        .finish();
  }

  /** Adds all that it says there is, so that {@link #counted} of the same tables leaves nothing. */
  void addTo(EntriesSum balance, ContractAddress contract) {
    balance.addAll(unspent);
    balance.addAll(used);
    balance.add(LedgerTable.CONTRACTS.at(contract), made.toByteArray());
    balance.add(LedgerTable.COMMITTEES.at(contract), committees.toByteArray());
    balance.add(LedgerTable.DIGESTS.at(contract), LedgerFormat.of(Hash.class).encode(digest()));
  }

  /** Takes an entry of a table, or a digest that is kept, from such a balance. */
  static void counted(EntriesSum balance, Key key, byte[] value) {
    boolean whole =
        LedgerTable.STATES.holds(key)
            || LedgerTable.INTENTS.holds(key)
            || LedgerTable.DIGESTS.holds(key);
    balance.remove(key, whole ? value : Hash.sha256(value).toByteArray());
  }
}
