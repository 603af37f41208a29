package dev.sequitur.node.process;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.DispatcherSelector;
import com.typesafe.config.Config;
import dev.sequitur.cluster.ClusterConfiguration;
import dev.sequitur.cluster.SeveralJvmsSettings;
import dev.sequitur.cluster.SingleJvmSettings;
import dev.sequitur.cluster.downing.DeadJvms;
import dev.sequitur.cluster.placement.RememberedShards;
import dev.sequitur.cluster.placement.ShardPlaces;
import dev.sequitur.crypto.FileKeys;
import dev.sequitur.ledger.LedgerStorage;
import dev.sequitur.node.configuration.HostAndPort;
import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.node.configuration.NodeJvms;
import dev.sequitur.node.process.StorageMetrics.Store;
import dev.sequitur.persistence.backup.BackupManifest.Engine;
import dev.sequitur.persistence.backup.BackupManifest.Source;
import dev.sequitur.persistence.encryption.Encryption;
import dev.sequitur.persistence.encryption.WrappingKey;
import dev.sequitur.persistence.leveldb.LevelDbExtension;
import dev.sequitur.persistence.leveldb.LevelDbMap;
import dev.sequitur.persistence.leveldb.LevelDbMoment;
import dev.sequitur.persistence.map.KeySpace;
import dev.sequitur.persistence.map.StoredMoment;
import dev.sequitur.persistence.postgres.PostgresExtension;
import dev.sequitur.persistence.postgres.PostgresMap;
import dev.sequitur.persistence.postgres.PostgresMoment;
import dev.sequitur.persistence.serialization.DiskFormat;
import dev.sequitur.persistence.serialization.ProtocolFormat;
import dev.sequitur.persistence.store.JvmName;
import dev.sequitur.persistence.store.LevelDbNodeStore;
import dev.sequitur.persistence.store.NodeIdentity;
import dev.sequitur.persistence.store.NodeShards;
import dev.sequitur.persistence.store.QueueStores;
import dev.sequitur.persistence.store.SharedNodeStore;
import dev.sequitur.persistence.store.StoredHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.port.ListenerStore;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeWriters;
import dev.sequitur.sequencer.setup.NodeKeyNames;
import dev.sequitur.transport.EntityPlaces;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** What differs between a node of one JVM and a JVM of a node that has several. */
final class NodeSystem {
  private NodeSystem() {}

  /** Of the actor system. Akka's names have no dots; it never leaves this node. */
  static String name(NodeConfiguration configuration) {
    return configuration.name().value().replace('.', '_');
  }

  static Config configuration(NodeConfiguration configuration, Config changes) {
    return switch (configuration.jvms()) {
      case NodeJvms.One() ->
          ClusterConfiguration.singleJvm(
              new SingleJvmSettings(name(configuration), configuration.directory()), changes);
      case NodeJvms.Several several ->
          ClusterConfiguration.severalJvms(
              settings(configuration, several),
              RememberedShards.configured(several.shards()).withFallback(changes));
    };
  }

  private static SeveralJvmsSettings settings(
      NodeConfiguration configuration, NodeJvms.Several several) {
    return new SeveralJvmsSettings(
        name(configuration),
        new SeveralJvmsSettings.Remoting(
            several.remoting().host(),
            several.remoting().port(),
            several.bindHost(),
            new SeveralJvmsSettings.Tls(configuration.name(), several.tls())),
        several.seedNodes().stream().map(HostAndPort::toString).toList(),
        several.database());
  }

  /** Where the entities of the node are; nobody knows while this JVM has not joined the others. */
  static Supplier<Optional<EntityPlaces>> places(
      NodeConfiguration configuration, ActorSystem<?> system) {
    return switch (configuration.jvms()) {
      case NodeJvms.One() -> Optional::empty;
      case NodeJvms.Several ignored -> {
        var shards = ShardPlaces.of(system.classicSystem());
        yield () ->
            Optional.of(shards.now())
                .filter(places -> !places.isEmpty())
                .map(places -> EntityPlaces.named(shards.self(), places));
      }
    };
  }

  /** A public key that tells one seed from another. */
  static Bytes fingerprint(Keys keys) {
    return keys.origin().publicKey();
  }

  /**
   * All that the node keeps, as it is now. Waits for the disk or the database.
   *
   * @return to be closed
   */
  static StoredMoment moment(NodeConfiguration configuration, ActorSystem<?> system) {
    return switch (configuration.jvms()) {
      case NodeJvms.One() -> {
        var stores = LevelDbExtension.get(system);
        yield LevelDbMoment.of(stores.levelDb(), stores.checkpoints()).toCompletableFuture().join();
      }
      case NodeJvms.Several ignored -> PostgresMoment.of(PostgresExtension.get(system).database());
    };
  }

  /** Of whose store a moment is, and up to which block. */
  static Source source(
      NodeConfiguration configuration,
      ActorSystem<?> system,
      Keys keys,
      Instant at,
      StoredMoment moment) {
    return new Source(
        configuration.name(),
        fingerprint(keys),
        keys.besideSeed(),
        configuration.encryptRecords(),
        switch (configuration.jvms()) {
          case NodeJvms.One() -> Engine.LEVELDB;
          case NodeJvms.Several ignored -> Engine.POSTGRESQL;
        },
        DiskFormat.OURS.current(),
        at,
        StoredHeight.at(opened(configuration, system, moment), new ProtocolFormat()));
  }

  private static StoredMoment opened(
      NodeConfiguration configuration, ActorSystem<?> system, StoredMoment moment) {
    return switch (configuration.jvms()) {
      case NodeJvms.One() -> LevelDbExtension.get(system).encryption().over(moment);
      case NodeJvms.Several ignored -> moment;
    };
  }

  /**
   * Has what the node stores encrypted, or as it is, as it is configured; before anybody reads or
   * writes it. Waits for the disk.
   *
   * @throws dev.sequitur.persistence.encryption.EncryptionException with a sentence that says what
   *     to do, if what is there is otherwise
   */
  static void encrypt(NodeConfiguration configuration, ActorSystem<?> system, FileKeys keys) {
    switch (configuration.jvms()) {
      case NodeJvms.One() -> {
        if (configuration.encryptRecords()) {
          requireHiddenSeed(configuration);
        }
        var stores = LevelDbExtension.get(system);
        stores.encrypt(
            Encryption.open(
                new LevelDbMap(stores.levelDb(), Runnable::run),
                new LevelDbMap(stores.checkpoints(), Runnable::run),
                wrapping(keys),
                configuration.encryptRecords()));
        if (configuration.encryptRecords()) {
          RecordsKey.tell(stores.levelDb().directory(), keys);
        }
      }
      case NodeJvms.Several ignored -> {}
    }
  }

  private static void requireHiddenSeed(NodeConfiguration configuration) {
    var directory = configuration.keyDirectory();
    try {
      if (directory.toRealPath().startsWith(configuration.directory().toRealPath())
          && !FileKeys.areSealed(directory)) {
        throw new StartFailure(
            "node.encrypt-records is of no use while the key seed lies open beside the records: encrypt it by `sequitur keys encrypt`, or have it elsewhere by node.key-directory.");
      }
    } catch (IOException e) {
      throw new StartFailure(e.getMessage(), e);
    }
  }

  /** What keys of segments are encrypted by, the oldest first. */
  static List<WrappingKey> wrapping(FileKeys keys) {
    return keys.secrets(NodeKeyNames.records()).stream().map(WrappingKey::of).toList();
  }

  /** What the schedule queues keep beside their journal. */
  static QueueStores queueStores(NodeConfiguration configuration, ActorSystem<?> system) {
    return switch (configuration.jvms()) {
      case NodeJvms.One() ->
          QueueStores.in(
              LevelDbExtension.get(system).checkpoints(),
              LevelDbExtension.get(system).encryption(),
              dispatcher(system, "sequitur.persistence.read-dispatcher"));
      case NodeJvms.Several ignored ->
          QueueStores.in(
              PostgresExtension.get(system).database(),
              dispatcher(system, "sequitur.persistence.postgresql.dispatcher"));
    };
  }

  /** Where a node keeps what it has counted out of the blocks of a ledger with checkpoints. */
  static LedgerStorage witnessed(NodeConfiguration configuration, ActorSystem<?> system) {
    return LedgerStorage.in(
        switch (configuration.jvms()) {
          case NodeJvms.One() ->
              LevelDbExtension.get(system)
                  .encryption()
                  .over(
                      new LevelDbMap(
                          LevelDbExtension.get(system).levelDb(),
                          dispatcher(system, "sequitur.persistence.read-dispatcher")));
          case NodeJvms.Several ignored -> {
            var database = PostgresExtension.get(system).database();
            var executor = dispatcher(system, "sequitur.persistence.postgresql.dispatcher");
            yield new PostgresMap(database, executor, executor, database::observer, 1);
          }
        },
        KeySpace.LEDGER_WITNESS);
  }

  /** Shows from now on what is written to the disk or the database. */
  static void observe(
      NodeConfiguration configuration, ActorSystem<?> system, StorageMetrics metrics) {
    switch (configuration.jvms()) {
      case NodeJvms.One() -> {
        var stores = LevelDbExtension.get(system);
        stores.levelDb().observe(metrics.of(Store.JOURNAL));
        stores.checkpoints().observe(metrics.of(Store.CHECKPOINTS));
      }
      case NodeJvms.Several ignored -> {
        var extension = PostgresExtension.get(system);
        extension.observeJournal(metrics.of(Store.JOURNAL));
        var database = extension.database();
        database.observe(metrics.of(Store.DATABASE));
        metrics.database(database::connections);
      }
    }
  }

  private static Executor dispatcher(ActorSystem<?> system, String path) {
    return system.dispatchers().lookup(DispatcherSelector.fromConfig(path));
  }

  /**
   * Where a node's records are.
   *
   * @param listeners who is told of them
   * @param writers which of its JVMs may write there
   */
  record Stored(NodeStore store, ListenerStore listeners, NodeWriters writers) {}

  /**
   * Closed with the actor system. Entities are remembered by as many shards as there are then.
   *
   * @throws IllegalStateException with a sentence that says what to do, if the database is another
   *     node's, or the node's other JVMs run with another number of shards
   */
  static Stored store(NodeConfiguration configuration, ActorSystem<?> system, Keys keys) {
    return switch (configuration.jvms()) {
      case NodeJvms.One() -> {
        var store =
            new LevelDbNodeStore(
                LevelDbExtension.get(system).levelDb(),
                LevelDbExtension.get(system).encryption(),
                new ProtocolFormat(),
                dispatcher(system, "sequitur.persistence.read-dispatcher"));
        agree(system);
        yield new Stored(store, store.listeners(), NodeWriters.ALONE);
      }
      case NodeJvms.Several ignored -> {
        var store =
            SharedNodeStore.open(
                system,
                new NodeIdentity(configuration.name(), fingerprint(keys), JvmName.self(system)),
                new NodeShards(
                    RememberedShards.number(system.classicSystem()), DeadJvms.get(system)::runs));
        PostgresExtension.get(system).database().alone("shards", () -> agree(system));
        yield new Stored(store, store.listeners(), store.writers());
      }
    };
  }

  private static void agree(ActorSystem<?> system) {
    RememberedShards.agree(system.classicSystem()).toCompletableFuture().join();
  }
}
