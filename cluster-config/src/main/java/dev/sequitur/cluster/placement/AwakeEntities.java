package dev.sequitur.cluster.placement;

import akka.actor.AbstractActor;
import akka.actor.AbstractExtensionId;
import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.actor.ExtendedActorSystem;
import akka.actor.Extension;
import akka.actor.Props;
import akka.actor.Terminated;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which entities a JVM has in memory, and since when. Of one actor system; as many as there are
 * entities. Thread-safe.
 */
public final class AwakeEntities implements Extension {
  private static final Id ID = new Id();

  private final Map<Name, Awake> awake = new ConcurrentHashMap<>();
  private final ActorRef watcher;

  private record Name(String kind, String entity) {}

  private record Awake(ActorRef actor, Instant since) {}

  private record Woke(Name name, ActorRef actor) {}

  private static final class Id extends AbstractExtensionId<AwakeEntities> {
    @Override
    public AwakeEntities createExtension(ExtendedActorSystem system) {
      return new AwakeEntities(system);
    }
  }

  private AwakeEntities(ExtendedActorSystem system) {
    watcher =
        system.systemActorOf(Props.create(Watcher.class, () -> new Watcher()), "awake-entities");
  }

  public static AwakeEntities get(ActorSystem system) {
    return ID.get(system);
  }

  /** To be told by an entity that begins; its end is found out. */
  public void woke(String kind, String entity, ActorRef actor, Instant at) {
    var name = new Name(kind, entity);
    awake.put(name, new Awake(actor, at));
    watcher.tell(new Woke(name, actor), ActorRef.noSender());
  }

  /** Empty if it is not in memory here. */
  public Optional<Instant> since(String kind, String entity) {
    return Optional.ofNullable(awake.get(new Name(kind, entity))).map(Awake::since);
  }

  private final class Watcher extends AbstractActor {
    private final Map<ActorRef, Name> watched = new HashMap<>();

    @Override
    public Receive createReceive() {
      return receiveBuilder().match(Woke.class, this::on).match(Terminated.class, this::on).build();
    }

    private void on(Woke woke) {
      watched.put(woke.actor(), woke.name());
      getContext().watch(woke.actor());
    }

    /** The same entity may have begun again meanwhile, as another actor. */
    private void on(Terminated ended) {
      var name = watched.remove(ended.actor());
      awake.computeIfPresent(name, (any, last) -> last.actor().equals(ended.actor()) ? null : last);
    }
  }
}
