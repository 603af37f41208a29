package dev.sequitur.protocol.coordinator;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.message.Message;
import java.util.List;
import java.util.Optional;

/** What a coordinator answers to. */
public sealed interface CoordinatorInput {
  /** What another machine of the node tells it; it may get lost. */
  sealed interface Local extends CoordinatorInput {}

  /**
   * What came from another node, or from this one, in one go. What it makes ready is asked about
   * together: an assembly of many comes as an answer for each of them.
   */
  record FromNode(List<Received<? extends Message.ForCoordinator>> received)
      implements CoordinatorInput {
    public FromNode {
      received = List.copyOf(received);
    }
  }

  /**
   * A final block was indexed.
   *
   * @param confirmed intents of this contract that it fulfils
   * @param concernsContract whether the block has anything of this contract: activity (HBT-4)
   * @param spent states of this contract that it spends
   * @param created states of this contract that it makes
   */
  record BlockIndexed(
      BlockHeight height,
      List<IntentKey> confirmed,
      boolean concernsContract,
      List<StateId> spent,
      List<StateId> created)
      implements CoordinatorInput {}

  /** The answer to {@link CoordinatorEffect.LoadUnconfirmedDispatches}. */
  record UnconfirmedDispatches(List<Dispatch> dispatches) implements CoordinatorInput {}

  /** The submitter holds these durably: point 2C (RCV-5). */
  record DispatchesCommitted(List<IntentKey> transactions) implements Local {}

  /** The block at {@code height}, which the submitter has seen, fulfils these dispatches of its. */
  record DispatchesSettled(List<IntentKey> transactions, BlockHeight height) implements Local {}

  /** The submitter gave up on a dispatch, or the base ledger refused it. */
  record DispatchReverted(IntentKey transaction) implements Local {}

  /**
   * Whether this node's submitter gets anything to the base ledger: said with each of its
   * heartbeats while it does not, and once when it does again (SUB-11).
   *
   * @param why it does not, for people; empty if it does
   */
  record Submitting(Optional<String> why) implements Local {}

  /** This node's endorser was asked to endorse for this contract: activity (HBT-4). */
  record ActivitySeen() implements Local {}

  record Tick() implements CoordinatorInput {}
}
