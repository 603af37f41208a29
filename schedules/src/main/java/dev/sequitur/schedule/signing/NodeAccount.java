package dev.sequitur.schedule.signing;

import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.Utf8;

/**
 * Whom a transaction is for: Hedera's {@code nodeAccountID}, which each queue of each node has its
 * own of. All queues number their accounts alike, so without it a signature that somebody gave in
 * one queue would count in every other one where the same keys have the same numbers.
 *
 * @param realm from 0 to 2^63 - 1; the shard is always 0
 * @param number from 0 to 2^63 - 1
 */
public record NodeAccount(long realm, long number) {
  private static final int UNUSED_BITS = Long.SIZE - 53;

  public NodeAccount {
    if (realm < 0 || number < 0) {
      throw new IllegalArgumentException("A node account has no negative numbers.");
    }
  }

  /**
   * That of a queue: the first 53 bits of the SHA-256 of the node's name, a line feed and the
   * queue's name are its realm, and the first 53 bits behind eight bytes of it its number. Each is
   * a whole number of JavaScript, and all together never have the 40 characters of an address of
   * Ethereum, which Hedera's clients take such a text for.
   *
   * @param queue its name within the node
   */
  public static NodeAccount of(NodeName node, String queue) {
    var names = node.value() + "\n" + queue;
    var hash = Hash.sha256(Utf8.encode(names));
    return new NodeAccount(hash.word0() >>> UNUSED_BITS, hash.word1() >>> UNUSED_BITS);
  }

  @Override
  public String toString() {
    return "0." + realm + "." + number;
  }
}
