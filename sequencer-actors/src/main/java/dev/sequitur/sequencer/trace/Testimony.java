package dev.sequitur.sequencer.trace;

import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.message.TracePart;

/** What a node says that one of its processes has seen. */
public record Testimony(NodeName node, TracePart part) {}
