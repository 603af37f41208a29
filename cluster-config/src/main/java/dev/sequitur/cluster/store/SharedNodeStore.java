package dev.sequitur.cluster.store;

import akka.Done;
import akka.actor.ClassicActorSystemProvider;
import akka.actor.CoordinatedShutdown;
import dev.sequitur.cluster.postgres.PostgresExtension;
import dev.sequitur.cluster.serialization.ProtocolCbor;
import dev.sequitur.protocol.port.NodeStore;
import java.util.concurrent.CompletableFuture;

/** The node store of a JVM that shares it with others, bound to the life of its actor system. */
public final class SharedNodeStore {
  private static final String DISPATCHER = "sequitur.persistence.postgresql.dispatcher";

  private SharedNodeStore() {}

  /**
   * Opens the store; to be called before the JVM joins the others. It is closed with the actor
   * system. If it turns out that the others have left this JVM out, the actor system is ended, for
   * the same reason as if the cluster had said so.
   *
   * @throws IllegalStateException with a sentence that says what to do, if the schema belongs to
   *     another node, or to this one with other keys
   */
  public static NodeStore open(ClassicActorSystemProvider system, NodeIdentity identity) {
    var store =
        new PostgresNodeStore(
            PostgresExtension.get(system).database(),
            new ProtocolCbor(),
            system.classicSystem().dispatchers().lookup(DISPATCHER),
            identity);
    var shutdown = CoordinatedShutdown.get(system);
    shutdown.addTask(
        CoordinatedShutdown.PhaseBeforeActorSystemTerminate(),
        "close-node-store",
        () -> {
          store.close();
          return CompletableFuture.completedFuture(Done.getInstance());
        });
    var unused =
        store
            .leftOut()
            .thenCompose(out -> shutdown.runAll(CoordinatedShutdown.clusterDowningReason()));
    return store;
  }
}
