package dev.sequitur.protocol.id;

import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * The id of a message that a member's node has sent to its group, or what somebody says is one.
 * Every node works it out for itself, so that none can give one of its messages the id of another's
 * (MSG-2).
 */
public record GroupMessageId(UUID value) {
  private static final long VERSION = 0x8000L;
  private static final long VARIANT = 0x8000_0000_0000_0000L;

  /**
   * @param number of the message among those of {@code from} in that group
   */
  public static GroupMessageId of(ContractAddress contract, NodeName from, long number) {
    var hash =
        new CanonicalDigest()
            .add("group message")
            .add(contract.value())
            .add(from.value())
            .add(number)
            .finish();
    var bytes = ByteBuffer.wrap(hash.toByteArray());
    long most = (bytes.getLong() & ~0xf000L) | VERSION;
    long least = (bytes.getLong() & ~(0b11L << 62)) | VARIANT;
    return new GroupMessageId(new UUID(most, least));
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
