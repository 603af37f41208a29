package dev.sequitur.node.hapi;

import akka.Done;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation;
import dev.sequitur.schedule.multisignature.MultiSignatureQuery;
import dev.sequitur.schedule.queue.QueueEffect.Answer;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.signing.Account;
import dev.sequitur.scheduler.SchedulerNode;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Opens the operator's account where a queue has none, as its administrator. */
record OperatorAccount(SchedulerNode scheduler, HapiSettings settings) {

  /** Of several JVMs that begin at once, one opens it; the others find it there. */
  CompletionStage<Done> open() {
    return settings
        .operator()
        .<CompletionStage<Done>>map(this::open)
        .orElseGet(() -> CompletableFuture.completedFuture(Done.getInstance()));
  }

  private CompletionStage<Done> open(HapiSettings.Operator operator) {
    return scheduler
        .ask(settings.queue(), new MultiSignatureQuery.GetAccount(operator.account()))
        .thenCompose(
            found ->
                found.account().isPresent()
                    ? CompletableFuture.completedFuture(Done.getInstance())
                    : submit(operator));
  }

  private CompletionStage<Done> submit(HapiSettings.Operator operator) {
    var account = new Account(operator.key(), false, "");
    var opening =
        new MultiSignatureOperation.OpenReserved(operator.account(), account, operator.balance());
    var command =
        new Command(
            SchedulerNode.ONCE + UUID.randomUUID(),
            scheduler.setup().administrator(),
            new Operation.Perform(opening));
    return scheduler.submit(settings.queue(), command).thenApply(OperatorAccount::opened);
  }

  private static Done opened(Answer answer) {
    answer
        .refusal()
        .filter(refusal -> refusal.code() != Refusal.Code.DUPLICATE)
        .ifPresent(
            refusal -> {
              throw new IllegalStateException(
                  "The account of hapi.operator cannot be opened: " + refusal.sentence());
            });
    return Done.getInstance();
  }
}
