package dev.sequitur.protocol.indexing;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.placement.ShardNumber;
import java.util.BitSet;
import java.util.Collection;
import java.util.function.Predicate;

/**
 * Which contracts a JVM wants to hear of: all those whose entities are in some shards. That is more
 * than it wants, said in few bytes, and as much as its share of the node.
 *
 * @param of how many shards the node has of each kind of entity
 * @param bits as {@link BitSet#toByteArray} has them: one for each shard
 */
public record WantedShards(int of, Bytes bits) {
  /** Of a JVM that wants to hear of none. */
  public static WantedShards none(int of) {
    return new WantedShards(of, Bytes.EMPTY);
  }

  public static WantedShards some(int of, Collection<Integer> shards) {
    var bits = new BitSet(of);
    shards.forEach(bits::set);
    return new WantedShards(of, Bytes.of(bits.toByteArray()));
  }

  /** As Cluster Sharding deals the entities of a contract. */
  public static int shard(ContractAddress contract, int of) {
    return ShardNumber.shard(contract.value(), of);
  }

  /** Whether a contract is one of them. */
  public Predicate<ContractAddress> filter() {
    var wanted = BitSet.valueOf(bits.toByteArray());
    return contract -> wanted.get(shard(contract, of));
  }

  /** Whether nothing is missed by whoever wants the others and is told of these. */
  public boolean covers(WantedShards others) {
    var missing = BitSet.valueOf(others.bits.toByteArray());
    missing.andNot(BitSet.valueOf(bits.toByteArray()));
    return of == others.of && missing.isEmpty();
  }
}
