package dev.sequitur.persistence.serialization;

import akka.actor.ExtendedActorSystem;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorRefResolver;
import akka.actor.typed.javadsl.Adapter;
import dev.sequitur.encoding.Codec;
import dev.sequitur.encoding.Codecs;
import java.util.Map;

/** How a reference to an actor travels between the JVMs of a node: as the text of its path. */
public final class ActorRefCodec {
  private ActorRefCodec() {}

  /** To be given to a format, by type. It may be called while the system still makes itself. */
  public static Map<Class<?>, Codec<?>> of(ExtendedActorSystem system) {
    // The resolver is asked for late: it does not exist yet while the system makes its serializers.
    return Map.of(
        ActorRef.class,
        Codecs.text(
            (ActorRef<?> ref) -> resolver(system).toSerializationFormat(ref),
            text -> resolver(system).<Object>resolveActorRef(text)));
  }

  private static ActorRefResolver resolver(ExtendedActorSystem system) {
    return ActorRefResolver.get(Adapter.toTyped(system));
  }
}
