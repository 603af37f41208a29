package dev.sequitur.node.hapi;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.server.OtherDoor;
import dev.sequitur.protocol.guard.MethodGroup;
import dev.sequitur.protocol.guard.Named;
import dev.sequitur.protocol.guard.Principal;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.multisignature.MultiSignature;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation;
import dev.sequitur.schedule.multisignature.MultiSignatureQuery;
import dev.sequitur.schedule.multisignature.MultiSignatureResult;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.schedule.queue.QueueEffect.Answer;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.NodeAccount;
import dev.sequitur.schedule.signing.Profile;
import dev.sequitur.schedule.signing.ResponseCode;
import dev.sequitur.schedule.signing.TransactionReceipt;
import dev.sequitur.scheduler.SchedulerNode;
import dev.sequitur.scheduler.body.RefusedTransactionException;
import dev.sequitur.scheduler.body.SignatureVerifier;
import dev.sequitur.scheduler.body.SubmittedTransaction;
import dev.sequitur.scheduler.body.TransactionReader;
import dev.sequitur.scheduler.multisignature.VerifiedOperations;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Submits transactions, and answers as that network does: what is wrong with a transaction whoever
 * decides it (its time, its payer, its fee) is told at once; all else is told by its receipt. A
 * queue keeps nothing of what it refuses, so the receipt of a refusal is a command of its own.
 * Thread-safe.
 */
final class HapiSubmissions {
  private static final VerifiedOperations VERIFIED =
      new VerifiedOperations(new SignatureVerifier());

  private final SchedulerNode scheduler;
  private final HapiSettings settings;
  private final OtherDoor door;
  private final Supplier<UUID> ids;
  private final TransactionReader reader;

  HapiSubmissions(
      SchedulerNode scheduler, HapiSettings settings, OtherDoor door, Supplier<UUID> ids) {
    this.scheduler = scheduler;
    this.settings = settings;
    this.door = door;
    this.ids = ids;
    this.reader =
        TransactionReader.of(Profile.CURRENT, new NodeAccount(0, settings.account().number()))
            .atMost(rules(scheduler).limits().maxTransactionBytes());
  }

  /** What an operator has set. */
  static MultiSignatureSettings rules(SchedulerNode scheduler) {
    return scheduler
        .setup()
        .family(MultiSignature.class)
        .map(MultiSignature::settings)
        .orElse(MultiSignatureSettings.CURRENT);
  }

  /**
   * @param transaction the bytes of a Transaction
   * @return OK once there is a receipt, of whatever status; otherwise why there will be none. Fails
   *     with {@link RpcFailure} if it was not granted to the caller
   */
  CompletionStage<ResponseCode> submit(Bytes transaction, Principal caller) {
    SubmittedTransaction read;
    try {
      read = reader.read(transaction);
    } catch (RefusedTransactionException e) {
      return completedFuture(e.code());
    }
    var ours = read.to(scheduler.nodeAccount(settings.queue()));
    try {
      var entry = door.begin("hapi_" + ours.operation().name(), caller, settings.queue().value());
      return granted(ours, caller)
          .handle((code, failure) -> written(entry, ours, code, failure))
          .thenCompose(Function.identity());
    } catch (RpcFailure e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /**
   * Takes what is paid for a question, once: the same question is answered again for it, as long as
   * its record is kept, and no other one. Its payer has signed it, so that whoever may read may
   * send it.
   *
   * @param payment the bytes of a Transaction, if any came
   * @param question what is paid for
   * @return OK once it is paid
   */
  CompletionStage<ResponseCode> pay(Optional<Bytes> payment, Hash question, Principal caller) {
    if (payment.isEmpty()) {
      return completedFuture(ResponseCode.INSUFFICIENT_TX_FEE);
    }
    Optional<SubmittedTransaction> paying;
    try {
      paying = reader.read(payment.get()).paying(question, settings.account());
    } catch (RefusedTransactionException e) {
      return completedFuture(e.code());
    }
    return paying
        .map(transaction -> paid(transaction, caller))
        .orElseGet(() -> completedFuture(ResponseCode.INSUFFICIENT_TX_FEE));
  }

  private CompletionStage<ResponseCode> paid(SubmittedTransaction read, Principal caller) {
    var ours = read.to(scheduler.nodeAccount(settings.queue()));
    try {
      var entry = door.begin("hapi_" + ours.operation().name(), caller, settings.queue().value());
      return scheduler
          .submit(settings.queue(), command(), ours, false)
          .thenCompose(
              answer ->
                  answer.refusal().isEmpty()
                      ? completedFuture(ResponseCode.OK)
                      : precheck(ours, receipt(answer).status()))
          .handle((code, failure) -> written(entry, ours, code, failure))
          .thenCompose(Function.identity());
    } catch (RpcFailure e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Whoever asked is told once that is written down, if it is. */
  private static CompletionStage<ResponseCode> written(
      Optional<OtherDoor.Entry> entry,
      SubmittedTransaction transaction,
      ResponseCode code,
      Throwable failure) {
    CompletionStage<ResponseCode> answer =
        failure == null ? completedFuture(code) : CompletableFuture.failedFuture(failure);
    if (entry.isEmpty()) {
      return answer;
    }
    var outcome =
        switch (failure == null ? null : Answers.cause(failure)) {
          case null -> code == ResponseCode.OK ? "ok" : code.name();
          case RpcFailure refused -> refused.code();
          case Throwable ignored -> ErrorCode.INTERNAL.code();
        };
    return entry
        .get()
        .ended(outcome, List.of(transaction.header().id().toString()))
        .thenCompose(done -> answer);
  }

  private CompletionStage<ResponseCode> granted(SubmittedTransaction ours, Principal caller) {
    var about = new ArrayList<Named>();
    about.add(new Named(Named.Kind.QUEUES, settings.queue().value()));
    if (ours.operation() instanceof SubmittedTransaction.Operation.ScheduleCreate create) {
      create
          .creation()
          .group()
          .ifPresent(group -> about.add(new Named(Named.Kind.GROUPS, group.value())));
    }
    var refused = door.refusal(caller, MethodGroup.SUBMIT, about);
    return refused.isPresent()
        ? CompletableFuture.failedFuture(refused.get())
        : isUnseen(ours, caller).thenCompose(unseen -> decided(ours, unseen));
  }

  /** Of another's privacy group there is no schedule (CLR-4). */
  private CompletionStage<Boolean> isUnseen(SubmittedTransaction ours, Principal caller) {
    var about = ours.operation().about();
    return about.isEmpty() || !caller.isAsked()
        ? completedFuture(false)
        : scheduler
            .ask(
                settings.queue(), new MultiSignatureQuery.ScheduleGetInfo(EntityId.of(about.get())))
            .thenApply(
                found ->
                    found
                        .info()
                        .filter(info -> !door.sees(caller, info.terms().group()))
                        .isPresent());
  }

  private CompletionStage<ResponseCode> decided(SubmittedTransaction ours, boolean unseen) {
    return scheduler
        .submit(settings.queue(), command(), ours, unseen)
        .thenCompose(
            answer ->
                answer.refusal().isEmpty()
                    ? completedFuture(ResponseCode.OK)
                    : refused(ours, receipt(answer)));
  }

  private String command() {
    return SchedulerNode.ONCE + ids.get();
  }

  /** Of what the family has not looked at: the queue is busy, or this node never does such. */
  private static TransactionReceipt receipt(Answer refused) {
    if (refused.result().orElse(null) instanceof MultiSignatureResult result) {
      return result.receipt();
    }
    boolean busy =
        refused
            .refusal()
            .map(why -> why.code() == Refusal.Code.BUSY)
            .orElseThrow(() -> new IllegalStateException("Not refused: " + refused));
    return TransactionReceipt.of(busy ? ResponseCode.BUSY : ResponseCode.NOT_SUPPORTED);
  }

  private CompletionStage<ResponseCode> refused(
      SubmittedTransaction transaction, TransactionReceipt receipt) {
    if (receipt.status() == ResponseCode.BUSY) {
      return completedFuture(ResponseCode.BUSY);
    }
    return scheduler
        .ask(settings.queue(), VerifiedOperations.question(transaction))
        .thenCompose(
            keys -> {
              var by = VERIFIED.verify(transaction, keys, false).by();
              var operation =
                  new MultiSignatureOperation.RecordRefusal(
                      by, receipt, transaction.operation().name());
              var payer = by.id().account().account();
              return scheduler.submit(
                  settings.queue(),
                  new Command(command(), payer, new Operation.Perform(operation)));
            })
        .thenCompose(
            answer ->
                answer.refusal().isEmpty()
                    ? completedFuture(ResponseCode.OK)
                    : precheck(transaction, receipt(answer).status()));
  }

  private CompletionStage<ResponseCode> precheck(
      SubmittedTransaction transaction, ResponseCode code) {
    return switch (code) {
      // What clients are told of a payer's signature before anything else is looked at.
      case INVALID_PAYER_SIGNATURE -> completedFuture(ResponseCode.INVALID_SIGNATURE);
      case DUPLICATE_TRANSACTION ->
          isSame(transaction)
              .thenApply(same -> same ? ResponseCode.OK : ResponseCode.DUPLICATE_TRANSACTION);
      default -> completedFuture(code);
    };
  }

  /**
   * Whoever sends the same again, here or to another front, has lost the answer, and asks for the
   * receipt next.
   */
  private CompletionStage<Boolean> isSame(SubmittedTransaction transaction) {
    return scheduler
        .ask(settings.queue(), new MultiSignatureQuery.GetRecords(transaction.header().id()))
        .thenApply(
            kept ->
                kept.records().stream()
                    .anyMatch(record -> record.content().equals(transaction.content())));
  }
}
