package dev.sequitur.persistence.store;

import akka.Done;
import akka.actor.ActorSystem;
import akka.actor.ClassicActorSystemProvider;
import akka.actor.CoordinatedShutdown;
import akka.cluster.Cluster;
import dev.sequitur.persistence.postgres.PostgresExtension;
import dev.sequitur.persistence.serialization.ProtocolFormat;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** The node store of a JVM that shares it with others, bound to the life of its actor system. */
public final class SharedNodeStore {
  private static final String DISPATCHER = "sequitur.persistence.postgresql.dispatcher";

  private SharedNodeStore() {}

  /** Sooner than a JVM that went on after a stand-still would decide that the others are gone. */
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

  /** The same, with the usual number of shards. */
  public static PostgresNodeStore open(ClassicActorSystemProvider system, NodeIdentity identity) {
    return open(system, identity, NodeShards.USUAL);
  }

  /**
   * Opens the store; to be called before the JVM joins the others. It is closed with the actor
   * system. If it turns out that the others have left this JVM out, be it by a write or by a look
   * that is taken all the time, the actor system is ended, for the same reason as if the cluster
   * had said so.
   *
   * @throws IllegalStateException with a sentence that says what to do, if the schema belongs to
   *     another node, or to this one with other keys, or its JVMs run with another number of shards
   */
  public static PostgresNodeStore open(
      ClassicActorSystemProvider system, NodeIdentity identity, NodeShards shards) {
    var store =
        new PostgresNodeStore(
            PostgresExtension.get(system).database(),
            new ProtocolFormat(),
            system.classicSystem().dispatchers().lookup(DISPATCHER),
            identity,
            shards);
    var shutdown = CoordinatedShutdown.get(system);
    shutdown.addTask(
        CoordinatedShutdown.PhaseBeforeActorSystemTerminate(),
        "close-node-store",
        () -> {
          store.close();
          return CompletableFuture.completedFuture(Done.getInstance());
        });
    var unused = store.leftOut().thenAccept(out -> end(system.classicSystem()));
    look(system.classicSystem(), store);
    return store;
  }

  /**
   * Who is down hands nothing over: to whom it would, in a cluster that has begun anew where the
   * old one was, must not believe it.
   */
  private static void end(ActorSystem system) {
    var cluster = Cluster.get(system);
    cluster.down(cluster.selfAddress());
    var unused = CoordinatedShutdown.get(system).runAll(CoordinatedShutdown.clusterDowningReason());
  }

  private static void look(ActorSystem system, PostgresNodeStore store) {
    if (system.whenTerminated().isCompleted()
        || CoordinatedShutdown.get(system).getShutdownReason().isPresent()) {
      return;
    }
    var unused =
        system
            .scheduler()
            .scheduleOnce(
                BETWEEN_LOOKS,
                () -> {
                  var unusedLook = store.look().whenComplete((any, failure) -> look(system, store));
                },
                system.dispatcher());
  }
}
