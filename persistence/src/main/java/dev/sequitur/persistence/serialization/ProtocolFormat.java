package dev.sequitur.persistence.serialization;

import dev.sequitur.encoding.Codec;
import dev.sequitur.encoding.Codecs;
import dev.sequitur.encoding.MalformedBytesException;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.BlockRange;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.GroupMessageId;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.SenderCommitment;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.message.ProtocolVersion;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.StateLocks;
import dev.sequitur.protocol.trie.HashTrie;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The protocol's values as bytes, between nodes and on disk: a framed format of {@link Codecs}, so
 * that nodes of different versions understand each other (EXC-3). Thread-safe; expensive to make,
 * to be shared.
 */
public final class ProtocolFormat {
  private final Codecs codecs;

  /** Knows what every module on the class path contributes. */
  public ProtocolFormat() {
    this(SchemaRegistry.load());
  }

  public ProtocolFormat(SchemaRegistry registry) {
    this(registry, Map.of());
  }

  /**
   * @param more codecs of what is no value, such as an actor's address
   */
  ProtocolFormat(SchemaRegistry registry, Map<Class<?>, Codec<?>> more) {
    this.codecs =
        Codecs.framed()
            .alternatives(registry.alternatives())
            .with(NodeName.class, Codecs.recentText(NodeName::toString, NodeName::new))
            .with(Identity.class, Codecs.recentText(Identity::toString, Identity::parse))
            .with(
                ContractAddress.class,
                Codecs.recentText(ContractAddress::toString, ContractAddress::new))
            .with(
                LedgerAddress.class, Codecs.recentText(LedgerAddress::toString, LedgerAddress::new))
            .with(
                ProtocolVersion.class,
                Codecs.recentText(ProtocolVersion::toString, ProtocolVersion::parse))
            .with(more)
            .values(
                StateId.class,
                SenderCommitment.class,
                GroupId.class,
                TransactionHash.class,
                TransactionId.class,
                IntentKey.class,
                MessageId.class,
                GroupMessageId.class,
                RequestId.class,
                Verifier.class,
                BlockHeight.class,
                BlockRange.class)
            .as(StateLocks.class, FlatStateLocks.class, FlatStateLocks::of, FlatStateLocks::locks)
            .build();
  }

  /** The created states know their ids, so that none is written twice. */
  record FlatStateLocks(List<StateId> spent, List<PrivateState> created) {
    static FlatStateLocks of(StateLocks locks) {
      return new FlatStateLocks(List.copyOf(locks.spent()), List.copyOf(locks.created().values()));
    }

    StateLocks locks() {
      var byId = new HashMap<StateId, PrivateState>();
      created.forEach(state -> byId.put(state.id(), state));
      return new StateLocks(HashTrie.setOf(spent), HashTrie.from(byId));
    }
  }

  /**
   * @param value a record of a sealed interface is written as one of its alternatives
   * @throws IllegalStateException if the type is none that can be encoded: a mistake in the
   *     program, never of the value
   * @throws IllegalArgumentException if a text in it holds half a surrogate pair
   */
  @SuppressWarnings("unchecked")
  public byte[] encode(Object value) {
    return codecs.widest((Class<Object>) value.getClass()).encode(value);
  }

  /**
   * @param type of the value, or the sealed interface it is one of
   * @throws MalformedBytesException if the bytes are none of that type; safe to log
   */
  public <T> T decode(byte[] bytes, Class<T> type) {
    return codecs.widest(type).decode(bytes);
  }

  /** Decodes what this or an older version of {@code schema} wrote. */
  <T> T decode(byte[] bytes, Schema<T> schema, int version) {
    return version == schema.version()
        ? decode(bytes, schema.type())
        : upgraded(bytes, schema.earlier().get(version - schema.oldestVersion()));
  }

  private <T, L> T upgraded(byte[] bytes, Schema.Earlier<T, L> earlier) {
    return earlier.upgrade().apply(decode(bytes, earlier.layout()));
  }
}
