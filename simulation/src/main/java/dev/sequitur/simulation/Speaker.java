package dev.sequitur.simulation;

import dev.sequitur.protocol.id.NodeName;

/**
 * What speaks for a node and remembers what it has said: its JVMs together, or one that they have
 * left out.
 *
 * @param parted 0 of those that are together; else it tells apart those that are left out
 */
record Speaker(NodeName node, int parted) {
  static Speaker ofAll(NodeName node) {
    return new Speaker(node, 0);
  }
}
