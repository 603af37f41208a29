package dev.sequitur.protocol.port;

import dev.sequitur.protocol.id.NodeName;
import java.util.Optional;

/** What the transport knows of the ways to other nodes. It changes while a machine lives. */
@FunctionalInterface
public interface Links {
  /** Of a transport without connections. */
  Links UNKNOWN = node -> Optional.empty();

  /** Why there is no connection to a node, in a few words, if one was tried and came to nothing. */
  Optional<String> trouble(NodeName node);
}
