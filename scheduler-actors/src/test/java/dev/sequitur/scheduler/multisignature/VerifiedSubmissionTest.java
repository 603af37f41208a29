package dev.sequitur.scheduler.multisignature;

import static java.util.concurrent.CompletableFuture.completedFuture;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.persistence.store.BodyStore;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.multisignature.MultiSignature;
import dev.sequitur.schedule.multisignature.MultiSignatureAnswer.SigningKeys;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.schedule.queue.QueueEffect.Answer;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation.Perform;
import dev.sequitur.schedule.queue.QueueSetup;
import dev.sequitur.schedule.signing.AccountAmount;
import dev.sequitur.schedule.signing.AccountTransactionId;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.BodyLookup;
import dev.sequitur.schedule.signing.Creation;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.NodeAccount;
import dev.sequitur.schedule.signing.PublicKey;
import dev.sequitur.schedule.signing.SignatureCheck;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.SchedulerNode;
import dev.sequitur.scheduler.body.SignaturePair;
import dev.sequitur.scheduler.body.SubmittedTransaction;
import dev.sequitur.scheduler.body.SubmittedTransaction.Header;
import dev.sequitur.scheduler.body.SubmittedTransaction.Operation;
import dev.sequitur.scheduler.body.TransactionWriter;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** What is asked, and asked again, before a signed transaction is one command (MSIG-3). */
class VerifiedSubmissionTest {
  private static final QueueName QUEUE = new QueueName("default");
  private static final NodeAccount ACCOUNT = NodeAccount.of(new NodeName("node1"), QUEUE.value());
  private static final Bytes KEY = Bytes.hex("58" + "66".repeat(31));
  private static final EntityId PAYER = new EntityId(1_001);
  private static final Answer TAKEN =
      new Answer("c", Optional.empty(), Optional.empty(), Optional.empty());

  private final List<Long> stored = new ArrayList<>();
  private final List<Answer> answers = new ArrayList<>();
  private final List<Command> submitted = new ArrayList<>();
  private final List<Hash> lookedFor = new ArrayList<>();
  private int asked;
  private MultiSignatureSettings settings = MultiSignatureSettings.MVP;
  private List<SignaturePair> pairs = List.of();
  private boolean executed;

  private static Answer refused(Refusal.Code code) {
    return new Answer(
        "c", Optional.empty(), Optional.of(new Refusal(code, "Why.")), Optional.empty());
  }

  private static Creation creation() {
    var writer = new TransactionWriter(MultiSignatureSettings.MVP.profile(), ACCOUNT);
    var transfer =
        new Action.CryptoTransfer(
            List.of(new AccountAmount(PAYER, -5), new AccountAmount(new EntityId(1_002), 5)));
    return Creation.of(writer.scheduled(1, 100, "", transfer), Optional.empty(), Optional.empty());
  }

  /** Answers one after the other, and the last one for ever. */
  private static <T> T next(List<T> of, int count) {
    return of.get(Math.min(count, of.size() - 1));
  }

  private SchedulerNode node() {
    return (SchedulerNode)
        Proxy.newProxyInstance(
            SchedulerNode.class.getClassLoader(),
            new Class<?>[] {SchedulerNode.class},
            (proxy, method, given) ->
                switch (method.getName()) {
                  case "ask" ->
                      completedFuture(
                          new SigningKeys(
                              List.of(), List.of(), Bytes.EMPTY, next(stored, asked++)));
                  case "submit" -> {
                    submitted.add((Command) given[1]);
                    yield completedFuture(next(answers, submitted.size() - 1));
                  }
                  case "setup" ->
                      QueueSetup.of(new AccountId("operator"), new MultiSignature(settings));
                  default -> throw new AssertionError(method.getName());
                });
  }

  private final class Bodies implements BodyStore {
    @Override
    public CompletionStage<Void> add(String queue, long upTo, List<Hash> bodies) {
      throw new AssertionError("Nobody has executed " + bodies);
    }

    @Override
    public CompletionStage<Long> storedUpTo(String queue) {
      throw new AssertionError("The queue tells.");
    }

    @Override
    public CompletionStage<Boolean> contains(String queue, Hash body) {
      assertThat(queue).isEqualTo(QUEUE.value());
      lookedFor.add(body);
      return completedFuture(executed);
    }
  }

  private Answer submit(Operation operation) {
    var id = AccountTransactionId.submitted(ConsensusTime.ofSeconds(1_700_000_000), PAYER);
    var transaction =
        new SubmittedTransaction(
            ACCOUNT,
            ACCOUNT,
            Bytes.utf8("body"),
            Bytes.utf8("hash"),
            new Hash(0, 0, 0, 0),
            pairs,
            new Header(id, 120, 1_000, ""),
            operation);
    return new VerifiedSubmission(node(), new Bodies(), QUEUE, "c", transaction, false)
        .submit()
        .toCompletableFuture()
        .join();
  }

  private Answer create() {
    return submit(new Operation.ScheduleCreate(creation(), List.of()));
  }

  private List<BodyLookup> lookups() {
    return submitted.stream()
        .map(command -> ((Perform) command.operation()).operation())
        .map(operation -> ((MultiSignatureOperation.ScheduleCreate) operation).lookup())
        .toList();
  }

  @Test
  void itIsOneCommandInTheNameOfWhoPays() {
    stored.add(0L);
    answers.add(TAKEN);

    assertThat(create()).isEqualTo(TAKEN);
    assertThat(submitted)
        .singleElement()
        .satisfies(command -> assertThat(command.command()).isEqualTo("c"))
        .satisfies(command -> assertThat(command.signer()).isEqualTo(PAYER.account()));
  }

  @Test
  void theStoreIsNotAskedBeforeTheQueueHasHandedItAnything() {
    stored.add(0L);
    answers.add(TAKEN);
    create();

    assertThat(lookedFor).isEmpty();
    assertThat(lookups()).containsExactly(new BodyLookup(false, 0));
  }

  @Test
  void whatIsToBeScheduledIsLookedForAmongAllThatWasExecuted() {
    stored.add(5L);
    answers.add(TAKEN);
    executed = true;
    create();

    assertThat(lookedFor).containsExactly(creation().transaction().hash());
    assertThat(lookups()).containsExactly(new BodyLookup(true, 5));
  }

  @Test
  void forASignatureNothingIsLookedFor() {
    stored.add(5L);
    answers.add(TAKEN);
    submit(new Operation.ScheduleSign(new EntityId(7), List.of()));

    assertThat(lookedFor).isEmpty();
  }

  private static SignaturePair by(Bytes prefix) {
    return new SignaturePair(prefix, PublicKey.Algorithm.ED25519, Bytes.of(new byte[64]));
  }

  private int asksOf(Operation operation) {
    asked = 0;
    stored.add(0L);
    answers.add(TAKEN);
    assertThat(submit(operation)).isEqualTo(TAKEN);
    return asked;
  }

  /** As Hedera's clients sign: the queue has one thing less to do for each transaction. */
  @Test
  void whoseSignaturesNameTheirKeysTheQueueIsNotAsked() {
    settings = MultiSignatureSettings.CURRENT;
    pairs = List.of(by(KEY));

    for (var operation :
        List.of(
            new Operation.ScheduleCreate(creation(), List.of()),
            new Operation.ScheduleSign(new EntityId(7), List.of()),
            new Operation.ScheduleDelete(new EntityId(7)))) {
      assertThat(asksOf(operation)).as(operation.name()).isZero();
    }
    assertThat(submitted).hasSize(3);
    assertThat(((Perform) submitted.getFirst().operation()).operation())
        .isInstanceOfSatisfying(
            MultiSignatureOperation.ScheduleCreate.class,
            create ->
                assertThat(create.by().signatures().checks())
                    .containsExactly(new SignatureCheck(KEY, List.of())));
  }

  @Test
  void aBeginningOfAKeyMayBeAnyKeys() {
    settings = MultiSignatureSettings.CURRENT;
    pairs = List.of(by(KEY), by(Bytes.hex("58" + "66".repeat(30))));

    assertThat(asksOf(new Operation.ScheduleSign(new EntityId(7), List.of()))).isOne();
  }

  @Test
  void whereABodyRunsOnceOrIsSignedTheQueueIsAsked() {
    pairs = List.of(by(KEY));
    assertThat(asksOf(new Operation.ScheduleSign(new EntityId(7), List.of()))).isOne();

    settings = MultiSignatureSettings.CURRENT.withBodiesExecuteOnce(true);
    assertThat(asksOf(new Operation.ScheduleCreate(creation(), List.of()))).isOne();
  }

  /** What the store said then was old. */
  @Test
  void ifTheQueueHasHandedItMoreSinceAllIsAskedAgain() {
    stored.addAll(List.of(5L, 6L));
    answers.addAll(List.of(refused(Refusal.Code.BUSY), TAKEN));

    assertThat(create()).isEqualTo(TAKEN);
    assertThat(lookedFor).hasSize(2);
    assertThat(lookups()).containsExactly(new BodyLookup(false, 5), new BodyLookup(false, 6));
  }

  @Test
  void aQueueThatIsBusyForAnotherReasonIsNotAskedAgain() {
    stored.addAll(List.of(5L, 5L));
    answers.add(refused(Refusal.Code.BUSY));

    assertThat(create()).isEqualTo(refused(Refusal.Code.BUSY));
    assertThat(submitted).hasSize(1);
  }

  @Test
  void aRefusalForAnotherReasonIsNotAskedAgain() {
    stored.addAll(List.of(5L, 6L));
    answers.add(refused(Refusal.Code.BAD_STATE));

    assertThat(create()).isEqualTo(refused(Refusal.Code.BAD_STATE));
    assertThat(submitted).hasSize(1);
    assertThat(asked).isEqualTo(1);
  }

  @Test
  void allIsAskedAgainThreeTimesAtMost() {
    stored.addAll(List.of(1L, 2L, 3L, 4L, 5L, 6L, 7L));
    answers.add(refused(Refusal.Code.BUSY));

    assertThat(create()).isEqualTo(refused(Refusal.Code.BUSY));
    assertThat(submitted).hasSize(4);
  }
}
