package dev.sequitur.node.hapi;

import akka.Done;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation;
import dev.sequitur.schedule.multisignature.MultiSignatureQuery;
import dev.sequitur.schedule.queue.QueueEffect.Answer;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.signing.Account;
import dev.sequitur.schedule.signing.AccountKey;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.scheduler.SchedulerNode;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Opens the operator's account, and the node account, to which whoever likes may send money as to
 * any other, where a queue has none: as its administrator. The operator's key is that of both.
 */
record FrontAccounts(SchedulerNode scheduler, HapiSettings settings) {

  /** Of several JVMs that begin at once, one opens each; the others find it there. */
  CompletionStage<Done> open() {
    return Answers.ifThere(settings.operator(), this::open).thenApply(done -> Done.getInstance());
  }

  private CompletionStage<Done> open(HapiSettings.Operator operator) {
    return open(operator.account(), operator.key(), operator.balance())
        .thenCompose(done -> open(settings.account(), operator.key(), Amount.ZERO));
  }

  private CompletionStage<Done> open(EntityId id, AccountKey key, Amount balance) {
    var opening =
        new MultiSignatureOperation.OpenReserved(id, new Account(key, false, ""), balance);
    return scheduler
        .ask(settings.queue(), new MultiSignatureQuery.GetAccount(id))
        .thenCompose(
            found ->
                found.account().isPresent()
                    ? CompletableFuture.completedFuture(Done.getInstance())
                    : submit(opening));
  }

  private CompletionStage<Done> submit(MultiSignatureOperation.OpenReserved opening) {
    var command =
        new Command(
            SchedulerNode.ONCE + UUID.randomUUID(),
            scheduler.setup().administrator(),
            new Operation.Perform(opening));
    return scheduler
        .submit(settings.queue(), command)
        .thenApply(answer -> opened(opening.id(), answer));
  }

  private static Done opened(EntityId id, Answer answer) {
    answer
        .refusal()
        .filter(refusal -> refusal.code() != Refusal.Code.DUPLICATE)
        .ifPresent(
            refusal -> {
              throw new IllegalStateException(
                  "The account %s of hapi cannot be opened: %s".formatted(id, refusal.sentence()));
            });
    return Done.getInstance();
  }
}
