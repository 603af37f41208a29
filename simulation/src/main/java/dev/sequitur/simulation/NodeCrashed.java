package dev.sequitur.simulation;

/** Ends at once whatever a node was doing. */
final class NodeCrashed extends RuntimeException {
  private static final long serialVersionUID = 1;

  NodeCrashed() {
    super("The node has crashed.", null, false, false);
  }
}
