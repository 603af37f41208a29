package dev.sequitur.scheduler.multisignature;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.sequitur.persistence.store.BodyStore;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.multisignature.MultiSignature;
import dev.sequitur.schedule.multisignature.MultiSignatureAnswer.SigningKeys;
import dev.sequitur.schedule.queue.QueueEffect.Answer;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.queue.Trial;
import dev.sequitur.schedule.signing.Profile;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.SchedulerNode;
import dev.sequitur.scheduler.body.SignatureVerifier;
import dev.sequitur.scheduler.body.SubmittedTransaction;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Submits one decoded transaction: asks the queue whose keys are in question, then the store of
 * executed bodies whether it has what is to be scheduled, verifies the signatures, and submits.
 *
 * <p>If the queue has handed more bodies to the store since it was asked, it does not believe what
 * the store said then ({@code BUSY}), and all is asked again, a few times.
 *
 * <p>Where bodies may run again and no signature is over a body that the queue has, it is not asked
 * whose keys those are that name themselves.
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

  /** Of signatures that name their keys no other keys are in question. */
  private static final SigningKeys NOTHING_ASKED =
      new SigningKeys(List.of(), List.of(), Bytes.EMPTY, 0);

  private static final VerifiedOperations VERIFIED =
      new VerifiedOperations(new SignatureVerifier());

  public CompletionStage<Answer> submit() {
    return decided(new Way<>(this::submitted, Function.identity()));
  }

  /** What would come of it if it were submitted now. */
  public CompletionStage<Trial> tryOut() {
    return decided(new Way<>(asked -> node.tryOut(queue, asked), Trial::answer));
  }

  /**
   * What is done with the command.
   *
   * @param answer of what comes of that
   */
  private record Way<T>(Function<Command, CompletionStage<T>> decide, Function<T, Answer> answer) {}

  private <T> CompletionStage<T> decided(Way<T> way) {
    return isSelfContained()
        ? decided(NOTHING_ASKED, 0, way)
        : keys().thenCompose(keys -> decided(keys, TIMES_ASKED_AGAIN, way));
  }

  private boolean isSelfContained() {
    return node.setup()
        .family(MultiSignature.class)
        .map(MultiSignature::settings)
        .filter(rules -> rules.profile() == Profile.CURRENT && !rules.bodiesExecuteOnce())
        .filter(rules -> VerifiedOperations.nameTheirKeys(transaction.signatures()))
        .isPresent();
  }

  private CompletionStage<SigningKeys> keys() {
    return node.ask(queue, VerifiedOperations.question(transaction));
  }

  private <T> CompletionStage<T> decided(SigningKeys keys, int timesLeft, Way<T> way) {
    return executedBefore(keys)
        .thenCompose(
            before -> {
              var operation = VERIFIED.verify(transaction, keys, before);
              var payer = transaction.header().id().account().account();
              return way.decide()
                  .apply(new Command(command, payer, new Operation.Perform(operation)));
            })
        .thenCompose(
            come ->
                timesLeft > 0 && isBusy(way.answer().apply(come))
                    ? unlessStale(come, keys, timesLeft, way)
                    : completedFuture(come));
  }

  private CompletionStage<Answer> submitted(Command asked) {
    return unseen
        ? node.done(queue, asked)
            .thenCompose(
                done ->
                    done.<CompletionStage<Answer>>map(answer -> completedFuture((Answer) answer))
                        .orElseGet(() -> node.submit(queue, asked.aboutNone())))
        : node.submit(queue, asked);
  }

  private <T> CompletionStage<T> unlessStale(T come, SigningKeys asked, int timesLeft, Way<T> way) {
    return keys()
        .thenCompose(
            now ->
                now.storedBodies() > asked.storedBodies()
                    ? decided(now, timesLeft - 1, way)
                    : completedFuture(come));
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
