package dev.sequitur.schedule.call;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static dev.sequitur.protocol.fixture.Contract.GROUP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.errand.NodeOfA;
import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.LedgerTransaction.PublicCall;
import dev.sequitur.protocol.port.GroupStore.KnownGroup;
import dev.sequitur.protocol.port.IdempotencyKey;
import dev.sequitur.protocol.port.IdempotencyKey.Owner;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.PrivateTransactions;
import dev.sequitur.protocol.port.PrivateTransactions.RefusedIntent;
import dev.sequitur.protocol.transaction.FreshIntent;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.protocol.transaction.SubmitMode;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.OccurrenceKey;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.attempt.Attempts.Effect;
import dev.sequitur.schedule.attempt.Attempts.Input;
import dev.sequitur.schedule.port.ScheduledCalls;
import dev.sequitur.schedule.queue.QueueInput;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A queue's private calls on their way to the sequencer of node A, and what is told of them. */
class CallsOfSchedulesTest {
  private static final LedgerAddress SUBMITTER = new LedgerAddress("0x" + "12".repeat(20));

  private static final String KEY = OccurrenceKey.PREFIX + "default/1";
  private static final TransactionId FRESH = new TransactionId(new UUID(0, 77));
  private static final TransactionId KNOWN = Contract.transaction(A, 1).id();
  private static final Target.PrivateCall CALL = call(Contract.party(A), ADDRESS, "{}");

  private final NodeOfA node = new NodeOfA();
  private final List<Intent> submitted = new ArrayList<>();
  private boolean runsContracts;
  private Optional<RefusedIntent> refusal = Optional.empty();

  private static Target.PrivateCall call(Identity from, ContractAddress on, String inputs) {
    return new Target.PrivateCall(on, "test", "do", from, Bytes.utf8(inputs));
  }

  private ScheduledTransactions calls() {
    return new ScheduledTransactions(
        new ScheduledTransactions.Node(
            A,
            runsContracts,
            contract ->
                Optional.of(GROUP)
                    .filter(group -> group.contract().equals(contract))
                    .map(group -> KnownGroup.of(group, SUBMITTER, A).local()),
            () -> NodeOfA.NOW,
            (contract, from) -> new FreshIntent(FRESH, Contract.hash("salt")),
            () -> FRESH),
        node.intents(),
        submission());
  }

  private PrivateTransactions submission() {
    return batch -> {
      submitted.addAll(batch);
      return refusal
          .<CompletionStage<List<TransactionId>>>map(CompletableFuture::failedFuture)
          .orElseGet(
              () ->
                  CompletableFuture.completedFuture(
                      batch.stream().map(each -> each.transaction().id()).toList()));
    };
  }

  @Nested
  class HandedOver {
    @Test
    void aCallBecomesATransactionUnderItsKey() {
      assertThat(calls().submit(KEY, CALL)).isCompletedWithValue(FRESH);

      var intent = submitted.getFirst();
      assertThat(intent.idempotencyKey()).contains(new IdempotencyKey(Owner.SCHEDULES, KEY));
      assertThat(intent.created()).isEqualTo(NodeOfA.NOW);
      var transaction = intent.privately().orElseThrow();
      assertThat(transaction.contract()).isEqualTo(ADDRESS);
      assertThat(transaction.domain()).isEqualTo("test");
      assertThat(transaction.function()).isEqualTo("do");
      assertThat(transaction.from()).isEqualTo(Contract.party(A));
      assertThat(transaction.inputs()).isEqualTo(CALL.inputs());
      assertThat(transaction.submitMode()).isEqualTo(SubmitMode.AUTO);
      assertThat(transaction.salt()).isEqualTo(Contract.hash("salt"));
    }

    @Test
    void anotherCallHasAnotherBody() {
      calls().submit(KEY, CALL);
      calls().submit(KEY, call(Contract.party(A), ADDRESS, "{\"a\":1}"));
      calls().submit(KEY, CALL);

      var bodies = submitted.stream().map(Intent::bodyHash).toList();
      assertThat(bodies.get(1)).isNotEqualTo(bodies.get(0));
      assertThat(bodies.get(2)).isEqualTo(bodies.get(0));
    }

    @Test
    void theSameKeyIsTheSameTransactionThoughTheSequencerWouldRefuseItNow() {
      node.accepted(Contract.transaction(A, 1), Owner.SCHEDULES);
      refusal = Optional.of(new RefusedIntent("SQ010101", "No."));

      assertThat(calls().submit("key of " + KNOWN, CALL)).isCompletedWithValue(KNOWN);
      assertThat(submitted).isEmpty();
    }

    @Test
    void whoseKeyIsOnAnotherNodeOrWhoIsNoMemberIsRefused() {
      var onB = calls().refuses(call(Contract.party(B), ADDRESS, "{}")).orElseThrow();
      var stranger = calls().refuses(call(new Identity("carol", A), ADDRESS, "{}")).orElseThrow();

      assertThat(onB.code()).isEqualTo(Refusal.Code.NOT_ALLOWED);
      assertThat(onB.sentence()).contains("on another node").contains("identity of a");
      assertThat(stranger.code()).isEqualTo(Refusal.Code.NOT_ALLOWED);
      assertThat(stranger.sentence()).contains("carol@a is no member");
      assertThat(calls().refuses(CALL)).isEmpty();
    }

    @Test
    void aGroupThatIsNotKnownMayStillCome() {
      var elsewhere = new ContractAddress("0x" + "cd".repeat(20));
      assertThat(calls().refuses(call(new Identity("carol", A), elsewhere, "{}"))).isEmpty();
    }

    @Test
    void aScheduledCallBecomesAPublicTransactionWithAllThatItSays() {
      var call = scheduled(Optional.of(ADDRESS), "data", 50_000);

      assertThat(calls().submit("key", call)).isCompletedWithValue(FRESH);
      var made = submitted.getFirst().publicly().orElseThrow();
      assertThat(made)
          .isEqualTo(
              new PublicTransaction(
                  FRESH,
                  Contract.party(A),
                  call.to(),
                  call.data(),
                  call.value(),
                  50_000,
                  PublicTransaction.Source.NONE));
      assertThat(PublicCall.of(made).data()).isEqualTo(call.data());
    }

    @Test
    void scheduledCallsThatSayDifferentThingsHaveDifferentBodies() {
      calls().submit("1", scheduled(Optional.of(ADDRESS), "data", 50_000));
      calls().submit("2", scheduled(Optional.empty(), "data", 50_000));
      calls().submit("3", scheduled(Optional.of(ADDRESS), "more", 50_000));
      calls().submit("4", scheduled(Optional.of(ADDRESS), "data", 50_001));
      calls().submit("5", scheduled(Optional.of(ADDRESS), "data", 50_000));

      var bodies = submitted.stream().map(Intent::bodyHash).toList();
      assertThat(Set.copyOf(bodies)).hasSize(4);
      assertThat(bodies.getLast()).isEqualTo(bodies.getFirst());
    }

    @Test
    void whereNoContractsRunNoCallIsScheduled() {
      var call = scheduled(Optional.of(ADDRESS), "data", 50_000);

      runsContracts = true;
      assertThat(calls().refuses(call)).isEmpty();
      runsContracts = false;
      assertThat(calls().refuses(call).map(Refusal::code)).contains(Refusal.Code.NOT_ALLOWED);
    }

    private Target.PublicCall scheduled(Optional<ContractAddress> to, String data, long gas) {
      return new Target.PublicCall(
          Contract.party(A),
          to,
          Bytes.utf8(data),
          BigInteger.TEN,
          gas,
          PublicTransaction.Source.NONE);
    }

    @Test
    void howItEndedIsReadFromItsReceipt() {
      assertThat(calls().ended(KNOWN)).isCompletedWithValue(Optional.empty());

      node.receipts.put(KNOWN, Receipt.reverted(KNOWN, ADDRESS, "test", "No money.", NodeOfA.NOW));
      assertThat(calls().ended(KNOWN))
          .isCompletedWithValue(Optional.of(new ScheduledCalls.Ended(false, "No money.")));

      node.receipts.put(
          KNOWN,
          new Receipt(
              KNOWN,
              ADDRESS,
              "test",
              true,
              Optional.of(
                  new Receipt.OnLedger(
                      new TransactionHash(Contract.hash("h")),
                      node.height(),
                      0,
                      List.of(),
                      List.of(),
                      List.of())),
              Optional.empty(),
              NodeOfA.NOW));
      assertThat(calls().ended(KNOWN))
          .isCompletedWithValue(Optional.of(new ScheduledCalls.Ended(true, "")));
    }
  }

  /** What the attempts hear of it. */
  @Nested
  class Told {
    private final OccurrenceKey occurrence =
        new OccurrenceKey(
            new ScheduleId(FamilyKind.GAS_PRIORITY, Contract.hash("schedule")), 1, 0, 1);
    private final List<Object> told = new ArrayList<>();
    private Optional<Throwable> failure = Optional.empty();
    private final AttemptErrands errands = new AttemptErrands(sequencer(), edge());

    private ScheduledCalls sequencer() {
      return new ScheduledCalls() {
        @Override
        public Optional<Refusal> refuses(Target.Call call) {
          return Optional.empty();
        }

        @Override
        public CompletionStage<TransactionId> submit(String key, Target.Call call) {
          assertThat(key).isEqualTo(KEY);
          return answer(FRESH);
        }

        @Override
        public CompletionStage<Optional<Ended>> ended(TransactionId transaction) {
          return answer(Optional.of(new Ended(true, "")));
        }
      };
    }

    private <T> CompletionStage<T> answer(T what) {
      return failure
          .<CompletionStage<T>>map(CompletableFuture::failedFuture)
          .orElseGet(() -> CompletableFuture.completedFuture(what));
    }

    private AttemptErrands.Edge edge() {
      return new AttemptErrands.Edge() {
        @Override
        public void answer(Input input) {
          told.add(input);
        }

        @Override
        public void tellQueue(QueueInput input) {
          told.add(input);
        }

        @Override
        public void wakeIn(Duration time) {
          told.add(time);
        }
      };
    }

    private void submit() {
      errands.run(List.of(new Effect.Submit(occurrence, KEY, CALL)));
    }

    @Test
    void asWhichTransactionTheSequencerHasIt() {
      submit();
      assertThat(told).containsExactly(new Input.Submitted(occurrence, FRESH));
    }

    @Test
    void thatItIsRefusedHoweverDeepTheRefusalLies() {
      var refused = new RefusedIntent("SQ010101", "No.");
      failure = Optional.of(refused);
      submit();
      failure = Optional.of(new CompletionException(refused));
      submit();
      assertThat(told)
          .containsExactly(
              new Input.Refused(occurrence, "No."), new Input.Refused(occurrence, "No."));
    }

    @Test
    void thatItIsNotKnownWhetherItWasAccepted() {
      failure = Optional.of(new CompletionException(new IllegalStateException("away")));
      submit();
      assertThat(told).containsExactly(new Input.Failed(occurrence));
    }

    @Test
    void howItEndedOrThatThisIsNotKnown() {
      errands.run(List.of(new Effect.Look(occurrence, FRESH)));
      failure = Optional.of(new IllegalStateException("away"));
      errands.run(List.of(new Effect.Look(occurrence, FRESH)));
      assertThat(told)
          .containsExactly(
              new Input.Seen(occurrence, Optional.of(new ScheduledCalls.Ended(true, ""))),
              new Input.Failed(occurrence));
    }

    @Test
    void timesAndWhatTheQueueIsToldInTheirOrder() {
      var handedOver = new QueueInput.HandedOver(occurrence, FRESH);
      errands.run(List.of(new Effect.Tell(handedOver), new Effect.WakeIn(Duration.ofSeconds(3))));
      assertThat(told).containsExactly(handedOver, Duration.ofSeconds(3));
    }
  }
}
