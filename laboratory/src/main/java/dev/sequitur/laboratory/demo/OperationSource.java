package dev.sequitur.laboratory.demo;

import dev.sequitur.protocol.id.NodeName;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** Hands out, in order, the operations that one node sends. Confined to one thread. */
final class OperationSource {
  private final NodeName node;
  private final IntFunction<Operation> operations;
  private final int size;
  private int next;

  /**
   * @param operations by index, all nodes' together
   */
  OperationSource(NodeName node, IntFunction<Operation> operations, int size) {
    this.node = node;
    this.operations = operations;
    this.size = size;
  }

  /** At most {@code limit}; none if there are no more. */
  List<Operation> take(int limit) {
    var taken = new ArrayList<Operation>(limit);
    while (taken.size() < limit && next < size) {
      var operation = operations.apply(next++);
      if (operation.from().node().equals(node)) {
        taken.add(operation);
      }
    }
    return taken;
  }
}
