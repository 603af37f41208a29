package dev.sequitur.protocol.sender;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.AssembleError;
import dev.sequitur.protocol.message.AssembleRequest;
import dev.sequitur.protocol.message.AssembleResponse;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.sender.SenderEffect.Counted;
import dev.sequitur.protocol.sender.SenderInput.AssemblyFinished;
import dev.sequitur.protocol.transaction.PostAssembly;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Answers the coordinator's assemble requests (ASM-3). */
final class AssemblyRequests {
  private AssemblyRequests() {}

  static void onRequest(SenderStep step, Received<AssembleRequest> received) {
    var request = received.message();
    var toAssemble = new ArrayList<PrivateTransaction>();
    for (var item : request.items()) {
      var transaction = step.get(item.transaction());
      if (transaction == null) {
        var reason =
            step.state().ended().own(item.transaction()).isPresent()
                ? AssembleError.Reason.REVERTED
                : AssembleError.Reason.UNKNOWN_TRANSACTION;
        error(step, received, item.transaction(), reason);
      } else if (!transaction.isDelegatedTo(received.from(), item.delegationId())) {
        error(step, received, item.transaction(), AssembleError.Reason.NOT_ACTIVE_DELEGATION);
      } else if (isOf(transaction, request.assembleRequestId())) {
        answerAgain(step, received, transaction);
      } else {
        begin(step, received, transaction, toAssemble);
      }
    }
    if (!toAssemble.isEmpty()) {
      step.effect(
          new SenderEffect.Assemble(
              request.assembleRequestId(),
              received.id(),
              later(request.blockHeight(), step.state().height()),
              // Another coordinator may ask than has prepared what is left to its caller (EXT-3).
              step.state().live().left().and(request.stateLocks()),
              toAssemble));
    }
  }

  /** A coordinator may have read less than its sender, of what this one counts on (SWO-3). */
  private static BlockHeight later(BlockHeight one, BlockHeight other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  private static boolean isOf(SenderTransaction transaction, RequestId request) {
    return transaction.progress().assembleRequest().equals(Optional.of(request));
  }

  private static void answerAgain(
      SenderStep step, Received<AssembleRequest> received, SenderTransaction transaction) {
    transaction
        .progress()
        .assembly()
        .ifPresent(
            assembly ->
                step.reply(received.from(), received.id(), response(step, transaction, assembly)));
  }

  private static void begin(
      SenderStep step,
      Received<AssembleRequest> received,
      SenderTransaction transaction,
      List<PrivateTransaction> toAssemble) {
    if (transaction.progress().assembly().isPresent()) {
      step.count(Counted.REASSEMBLY);
    }
    var request = received.message().assembleRequestId();
    // What is left to its caller is not made a second time (EXT-2).
    if (!transaction.isLeftToCaller()
        && step.move(transaction.id(), TransactionEvent.ASSEMBLE_REQUESTED, "assembly asked for")) {
      var moved = step.get(transaction.id());
      step.put(moved.withProgress(moved.progress().assembling(request)));
      toAssemble.add(transaction.transaction());
    } else {
      error(step, received, transaction.id(), AssembleError.Reason.NOT_ACTIVE_DELEGATION);
    }
  }

  private static void error(
      SenderStep step,
      Received<AssembleRequest> received,
      TransactionId transaction,
      AssembleError.Reason reason) {
    step.reply(
        received.from(),
        received.id(),
        error(step, received.message().assembleRequestId(), transaction, reason, ""));
  }

  private static AssembleError error(
      SenderStep step,
      RequestId request,
      TransactionId transaction,
      AssembleError.Reason reason,
      String message) {
    return new AssembleError(transaction, request, step.setup.group().contract(), reason, message);
  }

  private static AssembleResponse response(
      SenderStep step, SenderTransaction transaction, PostAssembly assembly) {
    return new AssembleResponse(
        transaction.id(),
        transaction.progress().assembleRequest().orElseThrow(),
        step.setup.group().contract(),
        assembly);
  }

  /** The domain is done; what was delegated elsewhere meanwhile is dropped. */
  static void onFinished(SenderStep step, AssemblyFinished finished) {
    finished
        .results()
        .forEach(
            (id, result) -> {
              var transaction = step.get(id);
              if (transaction != null
                  && transaction.state() == TransactionState.ASSEMBLING
                  && isOf(transaction, finished.request())) {
                onResult(step, transaction, finished.inReplyTo(), result);
              }
            });
  }

  private static void onResult(
      SenderStep step, SenderTransaction transaction, MessageId inReplyTo, Domain.Assembly result) {
    var id = transaction.id();
    switch (result) {
      case Domain.Assembly.Assembled(var assembly) -> {
        step.put(transaction.withProgress(transaction.progress().assembled(assembly)));
        OwnFirst.onAssembled(step, transaction);
        step.move(id, TransactionEvent.ASSEMBLED, "assembled and signed");
        step.reply(delegate(transaction), inReplyTo, response(step, transaction, assembly));
      }
      case Domain.Assembly.Failed(var reason) -> {
        notAssembled(step, transaction, inReplyTo, AssembleError.Reason.FAILED, reason);
        OwnFirst.waitsNoMore(step, transaction);
        step.move(id, TransactionEvent.ASSEMBLE_FAILED, reason);
      }
      case Domain.Assembly.Insufficient(var reason) -> {
        notAssembled(step, transaction, inReplyTo, AssembleError.Reason.FAILED, reason);
        OwnFirst.onInsufficient(step, transaction, reason);
      }
      case Domain.Assembly.Taken(var reason) -> {
        notAssembled(step, transaction, inReplyTo, AssembleError.Reason.FAILED, reason);
        OwnFirst.onTaken(step, transaction, reason);
      }
      case Domain.Assembly.Parked(var reason) -> {
        notAssembled(step, transaction, inReplyTo, AssembleError.Reason.PARKED, reason);
        step.move(id, TransactionEvent.PARK, reason);
      }
      case Domain.Assembly.Reverted(var reason) -> {
        notAssembled(step, transaction, inReplyTo, AssembleError.Reason.REVERTED, reason);
        Ending.revert(step, id, reason);
      }
    }
  }

  private static void notAssembled(
      SenderStep step,
      SenderTransaction transaction,
      MessageId inReplyTo,
      AssembleError.Reason reason,
      String message) {
    var request = transaction.progress().assembleRequest().orElseThrow();
    step.reply(
        delegate(transaction), inReplyTo, error(step, request, transaction.id(), reason, message));
  }

  private static NodeName delegate(SenderTransaction transaction) {
    return transaction.progress().delegate().orElseThrow();
  }
}
