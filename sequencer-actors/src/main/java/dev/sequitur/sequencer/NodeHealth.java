package dev.sequitur.sequencer;

import dev.sequitur.protocol.funding.GasReport;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** How one JVM's sequencer is, in sentences for the operator. Nothing here blocks. */
public interface NodeHealth {
  /** Whether this JVM is a member of its node's cluster now, so that it reaches the entities. */
  boolean isMember();

  /**
   * Why the base ledger is read no further, if this is the JVM of the node that reads it: it lacks
   * blocks that this node has acted upon (CNF-6). A sentence for the operator.
   */
  Optional<String> ledgerParted();

  /**
   * Since when and why the base ledger can't be read, if this is the JVM of the node that reads it
   * and it has failed more than once. A sentence for the operator.
   */
  Optional<String> ledgerUnread();

  /**
   * What the operator should look at though the node is well: in which groups of this JVM contents
   * are lacking, and of whom (DST-5); how many transactions have waited for long, and for which
   * nodes. It names no transaction.
   */
  List<String> remarks();

  /**
   * Why some of what this JVM has under way stands still: entities that cannot be loaded from the
   * journal. A sentence for the operator.
   */
  Optional<String> notRecovered();

  /**
   * Why entities of this node cannot be found: nobody deals out the shards of their kind. A
   * sentence for the operator. Completes within some seconds.
   */
  CompletionStage<Optional<String>> undealt();

  /** How the node stands with the money for gas, if this is the JVM that sees to it (FND-4). */
  GasReport gas();
}
