package dev.sequitur.scheduler.runtime;

import static dev.sequitur.scheduler.runtime.TestScheduler.OPERATOR;
import static dev.sequitur.scheduler.runtime.TestScheduler.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.port.PrivateTransactions.RefusedIntent;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.RetryPolicy;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.multisignature.MultiSignature;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation.BindKey;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation.OpenAccount;
import dev.sequitur.schedule.multisignature.MultiSignatureQuery;
import dev.sequitur.schedule.multisignature.MultiSignatureResult;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.schedule.port.ScheduledCalls.Ended;
import dev.sequitur.schedule.queue.QueueEffect.Answer;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.queue.QueueSetup;
import dev.sequitur.schedule.signing.Account;
import dev.sequitur.schedule.signing.AccountTransactionId;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.Creation;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.NodeAccount;
import dev.sequitur.schedule.signing.Profile;
import dev.sequitur.schedule.signing.ResponseCode;
import dev.sequitur.schedule.signing.ScheduledTransaction;
import dev.sequitur.schedule.signing.TransactionReceipt;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.SchedulerSettings;
import dev.sequitur.scheduler.body.RefusedTransactionException;
import dev.sequitur.scheduler.body.Signers;
import dev.sequitur.scheduler.body.Signers.Signer;
import dev.sequitur.scheduler.body.SubmittedTransaction.Header;
import dev.sequitur.scheduler.body.SubmittedTransaction.Operation.ScheduleCreate;
import dev.sequitur.scheduler.body.TransactionReader;
import dev.sequitur.scheduler.body.TransactionWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Private transactions that people have signed, from their bytes to the sequencer and back. */
@Execution(ExecutionMode.CONCURRENT)
class SignedExecutionsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final QueueName QUEUE = QueueName.DEFAULT;
  private static final NodeAccount HERE = NodeAccount.of(new NodeName("node1"), QUEUE.value());
  private static final Identity FROM = Identity.parse("alice@node1");
  private static final RetryPolicy THRICE =
      new RetryPolicy(3, new Backoff(Duration.ofMillis(200), Duration.ofMillis(200)));

  @TempDir private Path directory;
  private final ScriptedCalls calls = new ScriptedCalls();
  private final Signer signer = Signers.secp256k1(7);
  private final TransactionWriter writer = new TransactionWriter(Profile.MVP, HERE);
  private TestScheduler running;
  private EntityId alice;

  @AfterEach
  void stop() {
    if (running != null) {
      running.close();
    }
  }

  private void start() {
    stop();
    var queues = QueueSetup.of(OPERATOR, new MultiSignature(MultiSignatureSettings.MVP));
    running = TestScheduler.start(directory, queues, SchedulerSettings.DEFAULT, calls);
  }

  private void startWithAlice() {
    start();
    var open = new OpenAccount(new Account(signer.key(), false, ""));
    alice = receipt(administer("open", new Operation.Perform(open))).account().orElseThrow();
    administer("fund", new Operation.Fund(alice.account(), new Amount(100_000)));
    administer("bind", new Operation.Perform(new BindKey(FROM, signer.key())));
  }

  private Answer administer(String command, Operation operation) {
    var answer = get(running.node().submit(QUEUE, new Command(command, OPERATOR, operation)));
    assertThat(answer.refusal()).isEmpty();
    return answer;
  }

  private static TransactionReceipt receipt(Answer answer) {
    return ((MultiSignatureResult) answer.result().orElseThrow()).receipt();
  }

  private ScheduledTransaction body() {
    var call =
        new Target.PrivateCall(
            new ContractAddress("0x00000000000000000000000000000000000000aa"),
            "token",
            "transfer",
            FROM,
            Bytes.utf8("{}"));
    return writer.scheduled(1, 1_000, "", new Action.PrivateTransaction(call, THRICE));
  }

  /** Built and signed anew each time, with the one signature that it needs. */
  private Answer create(String command) {
    var body = body();
    var creation = Creation.of(body, Optional.empty(), Optional.empty());
    var create = new ScheduleCreate(creation, List.of(signer.sign(body.bytes())));
    var start = ConsensusTime.of(Instant.now().minusMillis(1));
    var header = new Header(AccountTransactionId.submitted(start, alice), 120, 1_000, "");
    var bytes = writer.body(header, create);
    try {
      var transaction =
          TransactionReader.of(Profile.MVP, HERE)
              .read(TransactionWriter.signed(bytes, List.of(signer.sign(bytes))));
      return get(running.node().submit(QUEUE, command, transaction));
    } catch (RefusedTransactionException e) {
      throw new AssertionError(e);
    }
  }

  private Outcome outcome(TransactionReceipt created) {
    var schedule = created.schedule().orElseThrow().schedule();
    await()
        .atMost(PATIENCE)
        .until(() -> !get(running.node().explain(QUEUE, schedule)).history().isEmpty());
    var history = get(running.node().explain(QUEUE, schedule)).history();
    assertThat(history).hasSize(1);
    return history.get(0).outcome();
  }

  private List<ResponseCode> records(TransactionReceipt created) {
    var id = created.scheduledTransaction().orElseThrow();
    return get(running.node().ask(QUEUE, new MultiSignatureQuery.GetRecords(id))).records().stream()
        .map(record -> record.receipt().status())
        .toList();
  }

  private long fees() {
    return get(running.node().available(QUEUE, AccountId.FEES)).units();
  }

  @Test
  void whatTheSequencerDoesNotTakeIsTriedAgainUnderAnotherKeyAndPaidOnce() {
    calls.failing = Optional.of(new RefusedIntent("SQ020100", "Not now."));
    // The first of the second attempt is refused, too, and the next one is under way at the stop.
    calls.answered = SchedulerSettings.DEFAULT.refusals() + 1;
    startWithAlice();
    var created = receipt(create("create"));
    assertThat(created.status()).isEqualTo(ResponseCode.SUCCESS);
    long paid = fees();
    await().atMost(PATIENCE).until(() -> calls.submissions.get() > calls.answered);
    stop();
    calls.failing = Optional.empty();
    start();
    await().atMost(PATIENCE).until(() -> !calls.accepted.isEmpty());

    calls.accepted.values().forEach(each -> calls.ended.put(each, new Ended(true, "")));

    assertThat(outcome(created)).isEqualTo(Outcome.RUN);
    assertThat(calls.accepted.keySet())
        .as("one transaction, of a later attempt")
        .singleElement()
        .asString()
        .matches(".*/[23]");
    assertThat(records(created)).containsExactly(ResponseCode.OK, ResponseCode.SUCCESS);
    assertThat(fees()).isEqualTo(paid);
    assertThat(get(running.node().audit(QUEUE)).isConserved()).isTrue();
  }

  @Test
  void afterItsLastAttemptItHasFailedOnce() {
    calls.failing = Optional.of(new RefusedIntent("SQ020100", "Never."));
    startWithAlice();
    var created = receipt(create("create"));

    assertThat(outcome(created)).isEqualTo(Outcome.FAILED);

    assertThat(calls.submissions.get()).isEqualTo(3 * SchedulerSettings.DEFAULT.refusals());
    assertThat(records(created))
        .containsExactly(ResponseCode.OK, ResponseCode.CONTRACT_REVERT_EXECUTED);
  }

  @Test
  void aCreationThatIsBuiltAndSignedAnewUnderItsIdIsTheSame() {
    startWithAlice();
    var created = create("create");
    assertThat(created.refusal()).isEmpty();
    start();

    assertThat(create("create")).isEqualTo(created);
  }
}
