package dev.sequitur.transport;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.indexing.WantedShards;
import dev.sequitur.protocol.placement.Scores;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Where the entities of a node's contracts are, as one of its JVMs tells peers. It is a hint: who
 * follows one that no longer holds reaches the entity by one hop more.
 *
 * @param teller the JVM that tells it
 * @param jvms of each shard, the JVM that has it. JVMs have numbers that tell them apart and say
 *     nothing of where they are
 */
public record EntityPlaces(long teller, List<Long> jvms) {
  /** More of either than a node has; a peer's word takes no more room than that. */
  private static final int MOST_SHARDS = 2_048;

  private static final int MOST_JVMS = 127;

  public EntityPlaces {
    jvms = List.copyOf(jvms);
    if (jvms.isEmpty() || jvms.size() > MOST_SHARDS || new TreeSet<>(jvms).size() > MOST_JVMS) {
      throw new IllegalArgumentException(
          "There are 1 to %d shards in at most %d JVMs.".formatted(MOST_SHARDS, MOST_JVMS));
    }
  }

  /**
   * @param teller the name of the JVM that tells it
   * @param jvms of each shard, the name of the JVM that has it
   */
  public static EntityPlaces named(String teller, List<String> jvms) {
    return new EntityPlaces(number(teller), jvms.stream().map(EntityPlaces::number).toList());
  }

  private static long number(String jvm) {
    return Scores.of(jvm, 0);
  }

  /** The JVM that has the entities of a contract. */
  public long of(ContractAddress contract) {
    return jvms.get(WantedShards.shard(contract, jvms.size()));
  }

  /** How many JVMs have anything. */
  public int jvmCount() {
    return new TreeSet<>(jvms).size();
  }

  public byte[] toBytes() {
    var bytes = new ByteArrayOutputStream();
    var all = new ArrayList<>(new TreeSet<>(jvms));
    try (var out = new DataOutputStream(bytes)) {
      out.writeLong(teller);
      out.writeByte(all.size());
      for (long jvm : all) {
        out.writeLong(jvm);
      }
      out.writeShort(jvms.size());
      for (long jvm : jvms) {
        out.writeByte(all.indexOf(jvm));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Memory does not fail", e);
    }
    return bytes.toByteArray();
  }

  /**
   * @throws IOException if it is malformed
   */
  public static EntityPlaces of(byte[] bytes) throws IOException {
    try (var in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      long teller = in.readLong();
      var all = new long[in.readUnsignedByte()];
      for (int i = 0; i < all.length; i++) {
        all[i] = in.readLong();
      }
      int shards = in.readUnsignedShort();
      var jvms = new ArrayList<Long>();
      for (int shard = 0; shard < shards; shard++) {
        jvms.add(all[in.readUnsignedByte()]);
      }
      return new EntityPlaces(teller, jvms);
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
      throw new IOException("malformed places of entities", e);
    }
  }
}
