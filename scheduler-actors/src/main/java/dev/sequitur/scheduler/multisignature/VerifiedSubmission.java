package dev.sequitur.scheduler.multisignature;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.sequitur.persistence.store.BodyStore;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.multisignature.MultiSignatureAnswer.SigningKeys;
import dev.sequitur.schedule.queue.QueueEffect.Answer;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.SchedulerNode;
import dev.sequitur.scheduler.body.SignatureVerifier;
import dev.sequitur.scheduler.body.SubmittedTransaction;
import java.util.concurrent.CompletionStage;

/**
 * Submits one decoded transaction: asks the queue whose keys are in question, then the store of
 * executed bodies whether it has what is to be scheduled, verifies the signatures, and submits.
 *
 * <p>If the queue has handed more bodies to the store since it was asked, it does not believe what
 * the store said then ({@code BUSY}), and all is asked again, a few times.
 *
 * @param command as in {@link SchedulerNode#submit}
 * @param unseen as there
 */
public record VerifiedSubmission(
    SchedulerNode node,
    BodyStore bodies,
    QueueName queue,
    String command,
    SubmittedTransaction transaction,
    boolean unseen) {
  private static final int TIMES_ASKED_AGAIN = 3;
  private static final VerifiedOperations VERIFIED =
      new VerifiedOperations(new SignatureVerifier());

  public CompletionStage<Answer> submit() {
    return keys().thenCompose(keys -> submit(keys, TIMES_ASKED_AGAIN));
  }

  private CompletionStage<SigningKeys> keys() {
    return node.ask(queue, VerifiedOperations.question(transaction));
  }

  private CompletionStage<Answer> submit(SigningKeys keys, int timesLeft) {
    return executedBefore(keys)
        .thenCompose(
            before -> {
              var operation = VERIFIED.verify(transaction, keys, before);
              var payer = transaction.header().id().account().account();
              return decided(new Command(command, payer, new Operation.Perform(operation)));
            })
        .thenCompose(
            answer ->
                timesLeft > 0 && isBusy(answer)
                    ? unlessStale(answer, keys, timesLeft)
                    : completedFuture(answer));
  }

  private CompletionStage<Answer> decided(Command asked) {
    return unseen
        ? node.done(queue, asked)
            .thenCompose(
                done ->
                    done.<CompletionStage<Answer>>map(answer -> completedFuture((Answer) answer))
                        .orElseGet(() -> node.submit(queue, asked.aboutNone())))
        : node.submit(queue, asked);
  }

  private CompletionStage<Answer> unlessStale(Answer answer, SigningKeys asked, int timesLeft) {
    return keys()
        .thenCompose(
            now ->
                now.storedBodies() > asked.storedBodies()
                    ? submit(now, timesLeft - 1)
                    : completedFuture(answer));
  }

  private CompletionStage<Boolean> executedBefore(SigningKeys keys) {
    return keys.storedBodies() > 0
            && transaction.operation()
                instanceof SubmittedTransaction.Operation.ScheduleCreate create
        ? bodies.contains(queue.value(), create.creation().transaction().hash())
        : completedFuture(false);
  }

  private static boolean isBusy(Answer answer) {
    return answer.refusal().map(why -> why.code() == Refusal.Code.BUSY).orElse(false);
  }
}
