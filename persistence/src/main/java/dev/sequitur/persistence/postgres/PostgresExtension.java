package dev.sequitur.persistence.postgres;

import akka.actor.AbstractExtensionId;
import akka.actor.ClassicActorSystemProvider;
import akka.actor.ExtendedActorSystem;
import akka.actor.Extension;
import akka.actor.ExtensionId;
import akka.actor.ExtensionIdProvider;
import dev.sequitur.persistence.map.StoreObserver;

/**
 * The {@link PostgresDatabase} of an actor system, opened once when the system starts. A database
 * that is not there yet is waited for; one that can't be used keeps the system from starting, and
 * the cause of the exception is the {@link DatabaseException} to show to the operator. Closed when
 * the last actor has stopped.
 */
public final class PostgresExtension implements Extension {
  private final PostgresDatabase database;
  private volatile StoreObserver journal = StoreObserver.NONE;

  private PostgresExtension(ExtendedActorSystem system) {
    var config = system.settings().config();
    database =
        PostgresDatabase.open(
            PostgresSettings.from(config),
            config.getInt(PostgresSettings.SECTION + ".connections"),
            config.getDuration(PostgresSettings.SECTION + ".start-patience"));
    try {
      system.registerOnTermination(database::close);
    } catch (RuntimeException e) {
      database.close();
      throw e;
    }
  }

  /**
   * The extension of a system; the first call opens the database.
   *
   * @throws DatabaseException if it can't be opened
   */
  public static PostgresExtension get(ClassicActorSystemProvider system) {
    return Id.INSTANCE.get(system);
  }

  /** Open until the actor system has terminated. Not to be closed by who asks for it. */
  public PostgresDatabase database() {
    return database;
  }

  /** Who hears of the journal's writes and failed reads from now on. */
  public void observeJournal(StoreObserver observer) {
    journal = observer;
  }

  /** Who hears of the journal's writes and failed reads. */
  public StoreObserver journal() {
    return journal;
  }

  /** How Akka finds the extension; to be named in {@code akka.library-extensions}. */
  public static final class Id extends AbstractExtensionId<PostgresExtension>
      implements ExtensionIdProvider {
    private static final Id INSTANCE = new Id();

    /** For Akka, which makes one to ask it for {@link #lookup}. */
    public Id() {}

    @Override
    public PostgresExtension createExtension(ExtendedActorSystem system) {
      return new PostgresExtension(system);
    }

    @Override
    public ExtensionId<? extends Extension> lookup() {
      return INSTANCE;
    }
  }
}
