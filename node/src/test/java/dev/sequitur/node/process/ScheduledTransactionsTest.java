package dev.sequitur.node.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sequitur.ledger.LedgerSettings;
import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.node.process.Starter.NetworkPlan;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.IdempotencyKey;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.PrivateTransactions.RefusedIntent;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.SubmitMode;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.OccurrenceKey;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.gaspriority.GasPriorityTerms;
import dev.sequitur.schedule.queue.QueueEffect.Answer;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.scheduler.QueueName;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Schedules that run private transactions, on a whole node that is stopped in between. */
@Execution(ExecutionMode.CONCURRENT)
class ScheduledTransactionsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final AccountId OPERATOR = new AccountId("operator");
  private static final AccountId ALICE = new AccountId("alice");
  private static final String MEMBER = "alice@node1";
  private static final QueueName QUEUE = QueueName.DEFAULT;
  private static final int CALLS = 12;

  @TempDir private Path directory;
  private RunningNetwork network;
  private RunningNode node;
  private String group;
  private ContractAddress contract;

  @AfterEach
  void stop() {
    network.close();
  }

  private void start() {
    var configuration =
        NodeConfiguration.embedded(new NodeName("node1"), directory.resolve("node1"));
    var blocks = LedgerSettings.DEFAULT.withBlockTime(Duration.ofMillis(100));
    network =
        new ProcessStarter()
            .startNetwork(
                new NetworkPlan(directory.resolve("ledger"), blocks, List.of(configuration)),
                started -> {});
    node = network.nodes().get(0);
  }

  private void createGroup() {
    var rpc = new JsonRpcCaller(node.url());
    group =
        rpc.result(
                "pgroup_createGroup",
                "[{'domain':'token','name':'rent','members':['alice@node1','bob@node1'],"
                    + "'properties':{},'configuration':{}}]")
            .get("id")
            .asText();
    contract =
        new ContractAddress(
            rpc.awaitResult("pgroup_getGroupById", "['token','" + group + "']", "contractAddress")
                .asText());
    accepted("fund", OPERATOR, new Operation.Fund(ALICE, new Amount(1_000_000)));
  }

  private static <T> T get(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private Answer accepted(String id, AccountId signer, Operation operation) {
    var answer = get(node.scheduler().submit(QUEUE, new Command(id, signer, operation)));
    assertThat(answer.refusal()).isEmpty();
    return answer;
  }

  private Operation mint(Instant at, String from) {
    var call =
        new Target.PrivateCall(
            contract,
            "token",
            "mint",
            Identity.parse(from),
            Bytes.utf8("{\"to\":\"alice@node1\",\"amount\":\"1\"}"));
    var terms = new GasPriorityTerms(at.toEpochMilli(), 200, 1);
    return new Operation.Propose(Proposal.of(ALICE, terms, call));
  }

  private String balance() {
    return new JsonRpcCaller(node.url())
        .result(
            "pgroup_call",
            "[{'domain':'token','group':'"
                + group
                + "','from':'alice@node1','function':'balanceOf','input':{'owner':'alice@node1'}}]")
        .get("balance")
        .asText();
  }

  @Test
  void eachCallRunsExactlyOnceAlthoughTheNodeIsStoppedWhileTheyAreDue() {
    start();
    createGroup();
    List<ScheduleId> schedules = new ArrayList<>();
    for (int i = 0; i < CALLS; i++) {
      // Ahead of when it is decided, however slow the machine is.
      var operation = mint(Instant.now().plusSeconds(5).plusMillis(250L * i), MEMBER);
      schedules.add(accepted("mint" + i, ALICE, operation).schedule().orElseThrow());
    }
    await().atMost(PATIENCE).until(() -> intents() >= 2);
    network.close();
    start();

    for (var schedule : schedules) {
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(get(node.scheduler().explain(QUEUE, schedule)).history())
                      .singleElement()
                      .satisfies(
                          recorded -> assertThat(recorded.outcome()).isEqualTo(Outcome.RUN)));
    }
    assertThat(intents()).isEqualTo(CALLS);
    // The outcome is the sender's; the states of the node may be a block behind.
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(balance()).isEqualTo(Integer.toString(CALLS)));
    assertThat(get(node.scheduler().audit(QUEUE)).isConserved()).isTrue();
  }

  private int intents() {
    return get(node.sequencer().store().intents(Optional.empty(), 1_000)).size();
  }

  @Test
  void whoseKeyIsElsewhereOrInNoGroupIsRefusedAtOnceAndSoAreTheKeysOfSchedulesFromOutside() {
    start();
    createGroup();
    var later = Instant.now().plusSeconds(60);
    for (var stranger : List.of("alice@node2", "carol@node1")) {
      var answer =
          get(node.scheduler().submit(QUEUE, new Command(stranger, ALICE, mint(later, stranger))));
      assertThat(answer.refusal().orElseThrow().code()).isEqualTo(Refusal.Code.NOT_ALLOWED);
    }
    var transaction =
        new PrivateTransaction(
            new TransactionId(UUID.randomUUID()),
            contract,
            "token",
            "mint",
            Identity.parse(MEMBER),
            Bytes.utf8("{\"to\":\"alice@node1\",\"amount\":\"1\"}"),
            SubmitMode.AUTO,
            List.of(),
            new Hash(1, 2, 3, 4));
    var key = OccurrenceKey.PREFIX + "default/mine";
    var intent =
        new Intent(
            0,
            Instant.now(),
            Optional.of(new IdempotencyKey(IdempotencyKey.Owner.of(transaction.from()), key)),
            new Hash(5, 6, 7, 8),
            transaction);

    assertThat(node.sequencer().submit(List.of(intent)))
        .failsWithin(PATIENCE)
        .withThrowableOfType(ExecutionException.class)
        .havingCause()
        .isInstanceOfSatisfying(
            RefusedIntent.class, refused -> assertThat(refused.code()).isEqualTo("SQ020014"));
  }
}
