package dev.sequitur.persistence.serialization;

/**
 * Marks what Akka hands to {@link ProtocolSerializer}: commands, events and states that travel
 * within a node or are stored. Each has a {@link Schema}, its own or that of a supertype.
 */
public interface ProtocolSerializable {}
