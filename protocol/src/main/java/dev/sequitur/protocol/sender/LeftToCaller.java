package dev.sequitur.protocol.sender;

import dev.sequitur.protocol.exchange.Exchange;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.DelegationCommand;
import dev.sequitur.protocol.message.PreparedTransactionAcknowledgement;
import dev.sequitur.protocol.message.PreparedTransactionDistribution;
import dev.sequitur.protocol.transaction.Receipt;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * External submit mode (EXT-1): what is prepared is the caller's to submit. The first that is
 * stored is the only one, since the caller may have read it, so the transaction goes to no
 * coordinator any more. Once the coordinator has let go of its states it ends as reverted; if it is
 * submitted and confirmed all the same, that wins (CNF-2).
 */
final class LeftToCaller {
  private LeftToCaller() {}

  static void onPrepared(SenderStep step, Received<PreparedTransactionDistribution> received) {
    var transaction = step.get(received.message().prepared().transaction());
    boolean wanted =
        transaction != null
            && transaction.isExternal()
            && !transaction.isLeftToCaller()
            && transaction.transaction().key().equals(received.message().prepared().intent())
            && transaction.isDelegatedTo(received.from(), received.message().delegationId());
    if (wanted) {
      step.effect(new SenderEffect.StorePrepared(received));
    } else {
      acknowledge(step, received);
    }
  }

  /** Whatever happened to its delegation meanwhile: it can be read. */
  static void onStored(SenderStep step, Received<PreparedTransactionDistribution> received) {
    var prepared = received.message().prepared();
    var id = prepared.transaction();
    if (step.move(id, TransactionEvent.PREPARED_RECEIVED, "prepared for its caller")) {
      step.put(step.get(id).withPrepared(Optional.of(prepared)));
      // Whoever has prepared it has its locks.
      if (step.state().live().left().told().map(received.from()::equals).orElse(true)) {
        change(step, left -> left.toTell(received.from()).told(List.of(id)));
      }
    }
    acknowledge(step, received);
  }

  private static void acknowledge(
      SenderStep step, Received<PreparedTransactionDistribution> received) {
    step.reply(
        received.from(),
        received.id(),
        new PreparedTransactionAcknowledgement(
            received.message().distributionId(), received.message().contract()));
  }

  private static void change(SenderStep step, UnaryOperator<LeftStates> change) {
    step.become(step.state().withLive(step.state().live().left(change)));
  }

  /**
   * Whoever coordinates locks these states as well, since other members may spend and make the same
   * (EXT-3). Held off by nothing: it asks for no more than locks.
   */
  static void tell(SenderStep step) {
    if (step.state().live().left().all().isEmpty()) {
      return;
    }
    Delegating.select(step)
        .ifPresent(
            coordinator -> {
              change(step, left -> left.toTell(coordinator));
              if (!step.state().live().left().notBefore().isAfter(step.now())) {
                tell(step, coordinator);
              }
            });
  }

  private static void tell(SenderStep step, NodeName coordinator) {
    int most = step.setup.settings().limits().delegationBatch();
    while (!step.state().live().left().untold().isEmpty()) {
      var batch = step.state().live().left().untold().stream().limit(most).map(step::get).toList();
      change(step, left -> left.told(batch.stream().map(SenderTransaction::id).toList()));
      var prepared =
          batch.stream()
              .map(
                  each ->
                      new DelegationCommand.Left(
                          each.prepared().orElseThrow(),
                          Duration.between(each.since(), step.now())))
              .toList();
      Delegating.send(step, coordinator, Delegating.nextId(step), batch, prepared);
    }
  }

  /** Whether that command asks for locks and no more. */
  static boolean isTold(Exchange delegation) {
    return delegation.message() instanceof DelegationCommand command && !command.left().isEmpty();
  }

  /** The coordinator does not lock these. */
  static void untold(SenderStep step, List<TransactionId> transactions) {
    change(step, left -> left.untold(transactions, again(step)));
  }

  private static Instant again(SenderStep step) {
    return step.now().plus(step.setup.settings().delivery().resend().initial());
  }

  /** Called when a coordinator has lost its memory, and the locks with it. */
  static void forgottenBy(SenderStep step, NodeName coordinator) {
    change(step, left -> left.forgottenBy(coordinator, again(step)));
  }

  /**
   * A block has taken what they need: they can be confirmed no more, and their callers would submit
   * them in vain.
   */
  static void onConfirmed(SenderStep step, Map<IntentKey, Receipt.OnLedger> confirmed) {
    confirmed.forEach(
        (intent, onLedger) -> {
          for (var id : step.state().live().left().hinderedBy(onLedger)) {
            Ending.revert(
                step,
                id,
                "It was prepared for its caller, and can't be carried out any more: in block "
                    + onLedger.block()
                    + " transaction "
                    + intent
                    + " has taken states that it needs. Send the transaction anew.");
          }
        });
  }

  static void onTick(SenderStep step) {
    var lock = step.setup.settings().limits().externalLock();
    var leftAfter = step.now().minus(lock);
    for (var transaction : step.state().transactions().values()) {
      if (transaction.isLeftToCaller() && !transaction.since().isAfter(leftAfter)) {
        Ending.revert(
            step,
            transaction.id(),
            "It was prepared, and not confirmed within "
                + lock.toSeconds()
                + " s: others may spend its states now. Submit what was prepared at once, or send"
                + " the transaction anew.");
      }
    }
  }
}
