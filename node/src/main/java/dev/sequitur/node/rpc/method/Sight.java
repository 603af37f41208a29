package dev.sequitur.node.rpc.method;

import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.protocol.guard.Named;
import java.util.Collection;
import java.util.Optional;

/**
 * What a caller may see of what its call finds, where the call itself does not name it: whose a
 * schedule is stands in the schedule.
 */
@FunctionalInterface
public interface Sight {
  /** Why the caller may not see what is about all these; empty if it may. */
  Optional<RpcFailure> refusal(Collection<Named> about);
}
