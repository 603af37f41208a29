package dev.sequitur.persistence.store;

import dev.sequitur.persistence.postgres.PostgresDatabase;
import dev.sequitur.persistence.serialization.ProtocolFormat;
import dev.sequitur.protocol.port.NodeWriters;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * The node store of a node of several JVMs: each has one of these, all over the same schema. The
 * JVMs write side by side. What is numbered gets its numbers from the database, in the order of
 * commits: they have no gap, and nothing comes to stand below what somebody has read. What waits in
 * one JVM meanwhile is written in one transaction.
 *
 * <p>A JVM may write from when it has {@linkplain NodeWriters#enter entered} until another one
 * {@linkplain NodeWriters#end ends it}.
 *
 * <p>A write that fails while it is committed may be stored all the same; to repeat it is safe.
 */
public final class PostgresNodeStore extends MapNodeStore implements AutoCloseable {
  private final JvmAccess access;

  /**
   * @param database stays its owner's to close, after this
   * @param executor its threads may wait for the database; reads run on it, and every future
   *     completes on it
   * @param identity whose store it is
   * @param shards how many this JVM has
   * @throws IllegalStateException with a sentence that says what to do, if the schema belongs to
   *     another node, or to this one with other keys, or its JVMs run with another number of shards
   */
  public PostgresNodeStore(
      PostgresDatabase database,
      ProtocolFormat format,
      Executor executor,
      NodeIdentity identity,
      NodeShards shards) {
    this(claimed(database, executor, identity, shards), format);
  }

  /** The same, with the usual number of shards. */
  public PostgresNodeStore(
      PostgresDatabase database, ProtocolFormat format, Executor executor, NodeIdentity identity) {
    this(database, format, executor, identity, NodeShards.USUAL);
  }

  private PostgresNodeStore(JvmAccess access, ProtocolFormat format) {
    super(access.map(), format);
    this.access = access;
  }

  private static JvmAccess claimed(
      PostgresDatabase database, Executor executor, NodeIdentity identity, NodeShards shards) {
    identity.claim(database, shards);
    return new JvmAccess(database, executor, identity.jvm());
  }

  /**
   * Completes when a write was refused because the other JVMs have left this one out; every later
   * one is refused, too.
   */
  public CompletionStage<Void> leftOut() {
    return access.leftOut();
  }

  /** Looks whether the others have left this one out, as its next write would. */
  CompletionStage<Void> look() {
    return access.look();
  }

  @Override
  public CompletionStage<Optional<Hindrance>> hindrance() {
    return access.hindrance();
  }

  /** What waits is still written, and nothing after it. Waits for it for some seconds. */
  @Override
  public void close() {
    access.close();
  }

  /** Which JVMs may write here. */
  public NodeWriters writers() {
    return access;
  }
}
