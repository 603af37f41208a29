package dev.sequitur.persistence.leveldb;

import akka.actor.AbstractExtensionId;
import akka.actor.ClassicActorSystemProvider;
import akka.actor.ExtendedActorSystem;
import akka.actor.Extension;
import akka.actor.ExtensionId;
import akka.actor.ExtensionIdProvider;
import com.typesafe.config.Config;
import dev.sequitur.persistence.encryption.Encryption;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The {@link LevelDb} of an actor system, and that of its checkpoints, opened once from {@code
 * sequitur.data-directory}.
 *
 * <p>They are closed when the last actor of the system has stopped, the journal's and the snapshot
 * store's own among them, and before {@code whenTerminated} completes. So in a coordinated shutdown
 * they are closed within the phase {@code actor-system-terminate}, after every phase in which an
 * actor may still write; whoever writes from outside the actor system ends before that phase.
 *
 * <p>The profile {@code single-jvm.conf} loads it with the actor system: a directory that can't be
 * opened keeps the system from starting, and the cause of the exception is the {@link
 * LevelDbException} to show to the operator.
 */
public final class LevelDbExtension implements Extension {
  private final LevelDb levelDb;
  private final LevelDb checkpoints;
  private Optional<Encryption> encryption = Optional.empty(); // by this

  private LevelDbExtension(ExtendedActorSystem system) {
    Config config = system.settings().config();
    String directory = config.getString("sequitur.data-directory");
    if (directory.isBlank()) {
      throw new LevelDbException(
          "node.data-directory is not set: name the directory where this node keeps its data.");
    }
    levelDb = LevelDb.open(Path.of(directory, "leveldb"), LevelDbSettings.from(config));
    LevelDb second = null;
    try {
      second = LevelDb.open(Path.of(directory, "checkpoints"), LevelDbSettings.from(config));
      system.registerOnTermination(second::close);
      system.registerOnTermination(levelDb::close);
    } catch (RuntimeException e) {
      levelDb.close();
      if (second != null) {
        second.close();
      }
      throw e;
    }
    checkpoints = second;
  }

  /**
   * The extension of a system; the first call opens the directory.
   *
   * @throws LevelDbException if it can't be opened
   */
  public static LevelDbExtension get(ClassicActorSystemProvider system) {
    return Id.INSTANCE.get(system);
  }

  /** Open until the actor system has terminated. Not to be closed by who asks for it. */
  public LevelDb levelDb() {
    return levelDb;
  }

  /**
   * As {@link #levelDb}, for the cells and bodies of schedule queues. They have a LevelDB of their
   * own because a checkpoint may be of many megabytes, and writes of one follow one another: no
   * event is to wait for it.
   */
  public LevelDb checkpoints() {
    return checkpoints;
  }

  /**
   * Says how what lies there is encrypted, before anybody has asked; who asks first without has it
   * as it is.
   *
   * @throws IllegalStateException if somebody has asked
   */
  public synchronized void encrypt(Encryption how) {
    if (encryption.isPresent()) {
      throw new IllegalStateException("The store is in use already.");
    }
    encryption = Optional.of(how);
  }

  /** How what lies in both is encrypted. */
  public synchronized Encryption encryption() {
    encryption = encryption.or(() -> Optional.of(Encryption.NONE));
    return encryption.get();
  }

  /** How Akka finds the extension; to be named in {@code akka.library-extensions}. */
  public static final class Id extends AbstractExtensionId<LevelDbExtension>
      implements ExtensionIdProvider {
    private static final Id INSTANCE = new Id();

    /** For Akka, which makes one to ask it for {@link #lookup}. */
    public Id() {}

    @Override
    public LevelDbExtension createExtension(ExtendedActorSystem system) {
      return new LevelDbExtension(system);
    }

    @Override
    public ExtensionId<? extends Extension> lookup() {
      return INSTANCE;
    }
  }
}
