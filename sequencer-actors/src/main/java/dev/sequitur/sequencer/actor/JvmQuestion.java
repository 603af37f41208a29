package dev.sequitur.sequencer.actor;

import akka.actor.typed.ActorRef;
import dev.sequitur.persistence.serialization.ProtocolSerializable;
import java.util.Optional;

/**
 * To each JVM of a node: how is it, and does it have this entity in memory?
 *
 * @param number of who asks
 * @param sought the name of an entity, of any kind
 */
public record JvmQuestion(long number, Optional<String> sought, ActorRef<JvmReport> replyTo)
    implements ProtocolSerializable {}
