package dev.sequitur.node.rpc.server;

import dev.sequitur.cluster.placement.Draining;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.method.JvmMethods;
import dev.sequitur.node.rpc.method.RpcMethod;
import java.util.Optional;

/** What callers, and those who watch, are told of a JVM that is being drained. */
record LeavingJvm(Draining draining) {
  /** Why this JVM is not ready. */
  Optional<String> sentence() {
    return switch (draining.step()) {
      case SERVES -> Optional.empty();
      case TELLS, REFUSES, LEAVES ->
          Optional.of("This JVM is leaving its node (drain): " + instead());
    };
  }

  /** Whether callers have to turn to another JVM. */
  boolean refuses() {
    return switch (draining.step()) {
      case SERVES, TELLS -> false;
      case REFUSES, LEAVES -> true;
    };
  }

  /**
   * @throws RpcFailure if whoever calls this method has to turn to another JVM
   */
  void mustServe(RpcMethod method) {
    if (refuses() && !JvmMethods.servesWhileLeaving(method)) {
      throw new RpcFailure(
          ErrorCode.LEAVING,
          "This JVM is leaving its node, and has not begun %s: %s"
              .formatted(method.name(), instead()));
    }
  }

  private String instead() {
    return draining.others() > 0
        ? "call another JVM of the node."
        : "the node has no other JVM now, so wait until it is started again.";
  }
}
