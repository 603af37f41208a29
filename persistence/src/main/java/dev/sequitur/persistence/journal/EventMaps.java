package dev.sequitur.persistence.journal;

import akka.actor.AbstractExtensionId;
import akka.actor.ActorSystem;
import akka.actor.ExtendedActorSystem;
import akka.actor.Extension;
import com.typesafe.config.Config;
import dev.sequitur.persistence.leveldb.LevelDbExtension;
import dev.sequitur.persistence.leveldb.LevelDbMap;
import dev.sequitur.persistence.map.OrderedMap;
import dev.sequitur.persistence.postgres.PostgresExtension;
import dev.sequitur.persistence.postgres.PostgresMap;

/** The map in which an actor system's events and snapshots lie; journal and snapshots share it. */
final class EventMaps implements Extension {
  private static final Id ID = new Id();

  private final ExtendedActorSystem system;
  private OrderedMap levelDb; // null until a plugin is over it
  private OrderedMap postgresql; // null until a plugin is over it

  private EventMaps(ExtendedActorSystem system) {
    this.system = system;
  }

  /**
   * @param plugin its section; {@code map} says over what it is
   */
  static OrderedMap of(ActorSystem system, Config plugin) {
    var maps = ID.get(system);
    var dispatcher = plugin.getString("read-dispatcher");
    return switch (plugin.getString("map")) {
      case "level-db" -> maps.levelDb(dispatcher);
      case "postgresql" -> maps.postgresql(dispatcher);
      case String other ->
          throw new IllegalArgumentException("There is no map of events over '" + other + "'.");
    };
  }

  private synchronized OrderedMap levelDb(String dispatcher) {
    if (levelDb == null) {
      var extension = LevelDbExtension.get(system);
      levelDb =
          extension
              .encryption()
              .over(
                  new LevelDbMap(
                      extension.levelDb(), system.dispatchers().lookup(dispatcher), Runnable::run));
    }
    return levelDb;
  }

  private synchronized OrderedMap postgresql(String dispatcher) {
    if (postgresql == null) {
      var extension = PostgresExtension.get(system);
      var map =
          new PostgresMap(
              extension.database(),
              system.dispatchers().lookup(dispatcher),
              Runnable::run,
              extension::journal,
              PostgresMap.MANY);
      // Before the database, which was registered earlier.
      system.registerOnTermination(map::close);
      postgresql = map;
    }
    return postgresql;
  }

  private static final class Id extends AbstractExtensionId<EventMaps> {
    @Override
    public EventMaps createExtension(ExtendedActorSystem system) {
      return new EventMaps(system);
    }
  }
}
