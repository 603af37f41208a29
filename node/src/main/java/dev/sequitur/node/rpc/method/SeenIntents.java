package dev.sequitur.node.rpc.method;

import dev.sequitur.protocol.guard.Named;
import dev.sequitur.protocol.port.NodeStore.Intent;
import java.util.List;

/** Whose a transaction is, for callers to whom not everything is granted. */
public final class SeenIntents {
  private static final Named EVERY_GROUP = new Named(Named.Kind.GROUPS, Named.ALL);

  private SeenIntents() {}

  /** What must be granted to see it: its group, or of one in no group the identity that sends. */
  public static Named about(Intent intent) {
    return intent
        .privately()
        .map(it -> new Named(Named.Kind.GROUPS, it.contract().value()))
        .orElseGet(() -> new Named(Named.Kind.IDENTITIES, intent.transaction().from().toString()));
  }

  /** Whether it sees every group, and with that all that is nobody's. */
  static boolean seesAll(Call call) {
    return call.refusal(List.of(EVERY_GROUP)).isEmpty();
  }

  /** Whether the caller of a call may see it. */
  static boolean sees(Call call, Intent intent) {
    return call.refusal(List.of(about(intent))).isEmpty();
  }
}
