package dev.sequitur.protocol.port;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Which JVMs of a node may write to its store, by the names that they have there. Thread-safe. */
public interface NodeWriters {
  /** Of a store that only one JVM can open: it need not be let in, and nobody is kept out. */
  NodeWriters ALONE =
      new NodeWriters() {
        @Override
        public CompletionStage<Set<String>> others() {
          return CompletableFuture.completedFuture(Set.of());
        }

        @Override
        public CompletionStage<Boolean> enter(ClusterView view) {
          return CompletableFuture.completedFuture(true);
        }

        @Override
        public CompletionStage<Void> end(String jvm) {
          return CompletableFuture.completedFuture(null);
        }
      };

  /** The other JVMs that may write. They may be dead. */
  CompletionStage<Set<String>> others();

  /**
   * Lets this JVM write, which has become a member of the node's cluster; before, all its writes
   * are refused. From then on nobody may who is no member of it. To repeat it is safe.
   *
   * @return false if none of those that this JVM has met may write, be it not yet or no more. Fails
   *     with an {@link IllegalStateException} if the others have left this one out.
   */
  CompletionStage<Boolean> enter(ClusterView view);

  /**
   * Keeps out another JVM of this node, which the others have left out. From then on that one
   * stores nothing any more, whether it knows already that it is left out or not; so what is read
   * after this is all that it has accepted. To repeat it is safe.
   */
  CompletionStage<Void> end(String jvm);

  /**
   * A node's cluster as one of its JVMs sees it.
   *
   * @param begun whether this JVM has begun the cluster: nobody was there before
   * @param met all that it has seen there as members, gone or not
   * @param present those that are members now, itself among them
   */
  record ClusterView(boolean begun, Set<String> met, Set<String> present) {
    public ClusterView {
      met = Set.copyOf(met);
      present = Set.copyOf(present);
    }
  }
}
