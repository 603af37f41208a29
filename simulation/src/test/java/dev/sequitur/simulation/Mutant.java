package dev.sequitur.simulation;

import dev.sequitur.protocol.attestation.MerklePath;
import dev.sequitur.protocol.coordinator.CoordinatorEffect;
import dev.sequitur.protocol.coordinator.CoordinatorInput;
import dev.sequitur.protocol.coordinator.CoordinatorState;
import dev.sequitur.protocol.coordinator.CoordinatorTables.ContractMode;
import dev.sequitur.protocol.distribution.StateStore;
import dev.sequitur.protocol.distribution.StateStoreEvent;
import dev.sequitur.protocol.distribution.StateStoreState;
import dev.sequitur.protocol.endorser.EndorsementProof;
import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.founding.FoundingInput;
import dev.sequitur.protocol.founding.Withdrawals;
import dev.sequitur.protocol.funding.Funding;
import dev.sequitur.protocol.group.ChangeFlaw;
import dev.sequitur.protocol.group.CommitteeChange;
import dev.sequitur.protocol.group.CommitteeStanding;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.group.PrivacyGroup.EndorsementPolicy;
import dev.sequitur.protocol.group.Quorum;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.protocol.machine.Outgoing;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.AssembleRequest;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification;
import dev.sequitur.protocol.message.DispatchConfirmationResponse;
import dev.sequitur.protocol.message.EndorsementResponse;
import dev.sequitur.protocol.message.GroupGenesisAcknowledgement;
import dev.sequitur.protocol.message.GroupGenesisRejected;
import dev.sequitur.protocol.message.GroupMessages;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.RequestDispatchConfirmation;
import dev.sequitur.protocol.message.StateDistribution;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification;
import dev.sequitur.protocol.message.TransactionReverted;
import dev.sequitur.protocol.messaging.MessageBook;
import dev.sequitur.protocol.messaging.MessageBookEvent;
import dev.sequitur.protocol.messaging.MessageBookState;
import dev.sequitur.protocol.messaging.WrittenNumbers;
import dev.sequitur.protocol.port.GasMoney.Accounts;
import dev.sequitur.protocol.port.Signatures;
import dev.sequitur.protocol.sender.Handover;
import dev.sequitur.protocol.sender.SenderEffect;
import dev.sequitur.protocol.sender.SenderEvent;
import dev.sequitur.protocol.sender.SenderInput;
import dev.sequitur.protocol.settings.SequencerSettings;
import dev.sequitur.protocol.settings.SequencerSettings.HeartbeatSettings;
import dev.sequitur.protocol.settings.SequencerSettings.RetrySettings;
import dev.sequitur.protocol.submitter.SubmitterEffect;
import dev.sequitur.protocol.submitter.SubmitterEvent;
import dev.sequitur.protocol.submitter.SubmitterInput;
import dev.sequitur.protocol.submitter.SubmitterState;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.Proof;
import dev.sequitur.protocol.transaction.Signature;
import dev.sequitur.protocol.transaction.StateLocks;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Conclusion;
import dev.sequitur.schedule.attempt.Attempts;
import dev.sequitur.schedule.queue.QueueEffect;
import dev.sequitur.schedule.queue.QueueEvent;
import dev.sequitur.schedule.queue.QueueInput;
import dev.sequitur.schedule.queue.QueueState;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BinaryOperator;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** One rule broken. Each constant says which, and {@link MutationTest} that it is noticed. */
enum Mutant {
  SKIP_DISPATCH_CONFIRMATION("a coordinator dispatches without asking", SkipConfirmation::new),
  ACCEPT_STALE_DELEGATION("a sender gives leave to whoever asks", StaleDelegation::new),
  FORGET_LOCKS("a coordinator forgets its locks", ForgetLocks::new),
  FORGET_UNCONFIRMED_DISPATCHES(
      "a coordinator that wakes does not ask what its node has dispatched",
      () -> inputs(Mutant::withoutUnconfirmed)),
  IGNORE_HOLD_OFF(
      "a sender does not hold off at a switchover",
      () -> settings(each -> with(each, heartbeats(Duration.ofMillis(1))))),
  NEVER_RESEND("nothing is sent twice", NeverResend::new),
  LOSE_RETRY_COUNT(
      "a restart forgets failed tries", () -> events(SenderEvent.AttemptFailed.class::isInstance)),
  RESET_RETRY_COUNT("each try counts as the first", ResetRetries::new),
  FORGET_DISPATCHES(
      "a submitter does not write down what it is handed",
      () -> events(SubmitterEvent.DispatchesAccepted.class::isInstance)),
  FORGET_WHAT_IS_PACKED(
      "a submitter does not write down what a nonce carries",
      () -> events(SubmitterEvent.Packed.class::isInstance)),
  REVERSE_BATCHES("what goes together goes in another order", ReverseBatches::new),
  ONE_END_FOR_ALL(
      "one that reverts is the end of all that went together", () -> inputs(Mutant::withOneEnd)),
  FORGET_OUTBOX(
      "a state store does not write down to whom it owes a state",
      () -> events(StateStoreEvent.DistributionBegun.class::isInstance)),
  TELL_BEFORE_CONTENTS_ARE_KEPT(
      "a state store does not wait until contents are kept", NotKept::new),
  SUBMIT_BEFORE_OUTPUTS_ARE_STORED(
      "a submitter does not wait until outputs are stored", ImpatientSubmitter::new),
  REVERSE_DISPATCHES(
      "dependants are handed over before what they depend on", ReverseDispatches::new),
  FORGET_INTENTS(
      "a sender that restarts does not load its intents", () -> inputs(Mutant::withoutPending)),
  IGNORE_LATE_CONFIRMATION("a confirmation after a revert is ignored", FirstReceiptStays::new),
  IGNORE_CONFIRMATION(
      "a coordinator does not let go of what is confirmed",
      () -> inputs(Mutant::withoutConfirmations)),
  IGNORE_BLOCKS(
      "a sender does not look at what blocks fulfil", () -> inputs(Mutant::withoutFulfilments)),
  HAND_OVER_ONCE("a dispatch is handed over once, taken or not", HandOverOnce::new),
  HAND_INTENTS_ONCE(
      "an intent is handed to its sender once, taken or not",
      () -> inputs(input -> drop(input, Handover.Input.Tick.class))),
  KEEP_WHAT_IS_TAKEN(
      "an intent is handed to its sender again though it has it",
      () -> inputs(input -> drop(input, Handover.Input.Taken.class))),
  LEAVE_IN_DOUBT(
      "a sender is not told of what a store that failed may hold",
      () -> inputs(input -> drop(input, Handover.Input.InDoubt.class))),
  FORGET_NONCES("what is submitted does not have the nonce it was given", FirstNonce::new),
  LOOK_UP_NOTHING(
      "a sender does not find the receipt of what an intent depends on",
      () -> inputs(input -> drop(input, SenderInput.DependencyEnded.class))),
  ASK_THE_STORE_ONCE("the state store is given outputs once, stored or not", AskStoreOnce::new),
  IGNORE_REVERT(
      "a coordinator is neither told of reverts nor answered when it asks", Mutant::withoutReverts),
  KEEP_REVERTS_TO_ITSELF(
      "a submitter tells no sender of a revert",
      () -> messages(TransactionReverted.class::isInstance)),
  NEVER_BACK_OFF(
      "failures are tried again at once",
      () -> settings(each -> with(each, impatient(each.retries())))),
  TELL_A_STRANGER("a state is given to a node outside its list", TellStranger::new),
  DISTRIBUTE_NOTHING(
      "outputs are given to nobody", () -> messages(StateDistribution.class::isInstance)),
  ENDORSE_THE_FIRST_ONLY(
      "an endorser answers for the first of a batch only",
      () -> sent(Mutant::withFirstEndorsementOnly)),
  ONE_LEAVE_FOR_ALL(
      "leave for one counts for all that it was asked for with",
      () -> inputs(Mutant::withLeaveForAll)),
  ANSWER_IN_ANOTHER_ORDER(
      "an endorser names what it has signed in another order", () -> sent(Mutant::inAnotherOrder)),
  FORGET_WHO_WAITS("a coordinator forgets what waits for a batch", ForgetWaiting::new),
  NO_SUBMITTER_HEARTBEAT(
      "submitters send no heartbeats",
      () -> messages(SubmitterHeartbeatNotification.class::isInstance)),
  NO_COORDINATOR_HEARTBEAT(
      "coordinators send no heartbeats",
      () -> messages(CoordinatorHeartbeatNotification.class::isInstance)),

  // Of schedules

  RUN_UNDER_ANOTHER_KEY(
      "a schedule's call goes out under another key after a restart", AnotherKey::new),
  DONE_WHEN_TAKEN(
      "a scheduled call counts as done when the sequencer has it",
      () -> inputs(Mutant::doneWhenTaken)),
  FORGET_STARTS(
      "a queue does not write down what it starts",
      () -> events(QueueEvent.Started.class::isInstance)),
  START_AND_FORGET(
      "a queue that restarts does not hand over again what it has started",
      () -> inputs(input -> drop(input, QueueInput.Recovered.class))),
  CHARGE_AGAIN("what is handed over again is paid again", ChargeAgain::new),
  LOOK_ONCE(
      "the end of a scheduled call is looked for once",
      () -> inputs(input -> drop(input, Attempts.Input.Tick.class))),

  // Of messages between members

  TAKE_NO_FOR_YES(
      "a member that takes no part in a group counts as one that does",
      () -> inputs(Mutant::asAcknowledged)),
  WITHDRAW_FROM_NOBODY(
      "what is never made is withdrawn from nobody",
      () -> inputs(input -> drop(input, Withdrawals.Input.Ended.class))),
  FORGET_STANDING_GROUPS(
      "a node is not told that the contract of its group stands",
      () -> inputs(input -> drop(input, FoundingInput.Standing.class))),
  PAY_BEFORE_A_BLOCK_HAS_PAID(
      "whoever sees to the money for gas takes what the pool has for paid", PoolPays::new),
  PAY_WHATEVER_IS_THERE(
      "whoever sees to the money for gas does not look at what keys have",
      () -> inputs(Mutant::withoutBalances)),
  LOOK_AT_MONEY_ONCE(
      "whoever sees to the money for gas looks once, whether there is some or not",
      () -> inputs(input -> drop(input, Funding.Input.Tick.class))),
  KEEP_WHATEVER_COMES(
      "a message book keeps whatever comes as the next", () -> told(Mutant::asTheNext)),
  ANSWER_BEFORE_MESSAGES_ARE_KEPT(
      "a message book does not wait until messages are kept", BookNotKept::new),
  FORGET_WHO_HAS_MESSAGES(
      "a message book does not write down what is acknowledged",
      () -> events(MessageBookEvent.Acknowledged.class::isInstance)),
  COUNT_ON_WHAT_IS_KEPT(
      "a message book goes on from the newest number that it finds", NumbersGoOn::new),

  // Of what has ended

  FORGET_WHAT_IS_UNSPENT(
      "a node that makes room forgets contents that nobody has spent", ForgetMade::new),
  FORGET_WHAT_IS_OPEN("a node that makes room forgets what has no receipt", ForgetWhatIsOpen::new),
  FORGET_IDS_WITH_CONTENTS(
      "a node that has forgotten contents does not know how that ended", ForgetIds::new),

  // Of older copies of records

  GIVE_EPOCHS_AGAIN(
      "a sender goes by its records alone as it numbers its delegations",
      () -> inputs(Mutant::withoutIncarnation)),
  GIVE_NONCES_OF_THE_POOL_AGAIN(
      "a submitter gives nonces without a look at what the pool has",
      () -> inputs(Mutant::withoutPool)),
  GIVE_NONCES_BEFORE_BLOCKS(
      "a submitter gives nonces to what blocks that it has yet to read may have",
      NoBlocksFirst::new),

  // Of committees that change

  TAKE_UNSIGNED_CHANGES(
      "the ledger takes a change of a committee that too few have signed", UnsignedChanges::new),
  GO_BY_THE_COMMITTEE_BEFORE(
      "a node goes by the committee of before a change", CommitteeBefore::new),
  TELL_WHO_HAS_LEFT("who has left is given what is made after it", TellWhoHasLeft::new),
  GIVE_NOTHING_TO_WHO_CAME_BACK(
      "who came back is not given what was made without it", NothingForWhoCameBack::new),
  COUNT_WHO_HAS_LEFT(
      "the ledger counts the endorsements of each committee that there was", AllCommittees::new),

  TAKE_WRITES_OF_THE_LEFT_OUT(
      "the store does not refuse what a JVM writes that was left out", NoFence::new),

  // What only somebody who lies can make use of

  BELIEVE_EVERY_ACKNOWLEDGEMENT(
      "an acknowledgement is believed of everybody", () -> told(Mutant::acknowledged)),
  BELIEVE_WHO_HAS_SIGNED("an endorser takes any signature for its sender's", AnySender::new),
  KNOW_SIGNATURES_BY_THEMSELVES(
      "the ledger remembers which signatures are valid, and not of what", KnownSignatures::new),
  COUNT_SIGNATURES("the ledger counts signatures, not members", CountedSignatures::new),
  TAKE_ROOTS_OF_OTHER_CONTRACTS(
      "the ledger takes a root that was signed for another contract", OtherContracts::new),
  FOLLOW_A_PATH_ONCE("the ledger follows a path once, whatever it begins with", KnownPaths::new),
  TAKE_LEAVES_FOR_NODES("the ledger takes a leaf for an inner node", RaisedLeaves::new),
  FORGET_HOW_MANY("the ledger does not ask how many leaves were signed", AnySize::new);

  private final String words;
  private final Supplier<Tampering> tampering;

  Mutant(String words, Supplier<Tampering> tampering) {
    this.words = words;
    this.tampering = tampering;
  }

  String words() {
    return words;
  }

  /** Whether nobody who is honest can make use of it. */
  boolean needsALiar() {
    return compareTo(BELIEVE_EVERY_ACKNOWLEDGEMENT) >= 0;
  }

  /** Whether only a node of several JVMs is the worse for it. */
  boolean needsJvms() {
    return this == TAKE_WRITES_OF_THE_LEFT_OUT;
  }

  /** Whether only a node that is set back to an older copy is the worse for it. */
  boolean needsRestores() {
    return this == GIVE_EPOCHS_AGAIN
        || this == GIVE_NONCES_OF_THE_POOL_AGAIN
        || this == GIVE_NONCES_BEFORE_BLOCKS
        || this == COUNT_ON_WHAT_IS_KEPT;
  }

  /** Whether it needs a committee that changes. */
  boolean needsChanges() {
    return compareTo(TAKE_UNSIGNED_CHANGES) >= 0 && compareTo(COUNT_WHO_HAS_LEFT) <= 0;
  }

  /** A new one for each run: some remember. */
  Tampering tampering() {
    return tampering.get();
  }

  // What is told otherwise, or not at all

  private static Tampering inputs(UnaryOperator<Object> change) {
    return new Tampering() {
      @Override
      @SuppressWarnings("unchecked") // A changed input is of the same machine.
      public <I> Optional<I> input(Shell<I, ?, ?, ?> shell, I input) {
        return Optional.ofNullable((I) change.apply(input));
      }
    };
  }

  private static Object drop(Object input, Class<?> kind) {
    return kind.isInstance(input) ? null : input;
  }

  /** Told in vain, a coordinator finds out by asking its submitter again. */
  private static Tampering withoutReverts() {
    return new Tampering() {
      @Override
      public <I> Optional<I> input(Shell<I, ?, ?, ?> shell, I input) {
        boolean isRevert = input instanceof CoordinatorInput.DispatchReverted;
        boolean isAnswer = input instanceof CoordinatorInput.UnconfirmedDispatches;
        return isRevert || (isAnswer && !isLoading(shell.state()))
            ? Optional.empty()
            : Optional.of(input);
      }
    };
  }

  private static boolean isLoading(Object state) {
    return state instanceof CoordinatorState coordinator
        && coordinator.mode() == ContractMode.LOADING;
  }

  private static Object withoutUnconfirmed(Object input) {
    return input instanceof CoordinatorInput.UnconfirmedDispatches
        ? new CoordinatorInput.UnconfirmedDispatches(List.of())
        : input;
  }

  private static Object asAcknowledged(Object input) {
    return input instanceof FoundingInput.Answered answered
            && answered.answer() instanceof GroupGenesisRejected rejected
        ? new FoundingInput.Answered(
            answered.from(),
            new GroupGenesisAcknowledgement(rejected.requestId(), rejected.group()))
        : input;
  }

  private static Object withoutIncarnation(Object input) {
    return input instanceof SenderInput.Started(var height, var ignored)
        ? new SenderInput.Started(height, 0)
        : input;
  }

  private static Object withoutPool(Object input) {
    return input instanceof SubmitterInput.NonceKnown(var next, var ignored)
        ? new SubmitterInput.NonceKnown(next)
        : input;
  }

  private static Object withoutPending(Object input) {
    return input instanceof SenderInput.PendingLoaded
        ? new SenderInput.PendingLoaded(List.of(), Map.of(), Map.of(), Optional.empty())
        : input;
  }

  private static Object withoutConfirmations(Object input) {
    if (input instanceof CoordinatorInput.BlockIndexed block) {
      return new CoordinatorInput.BlockIndexed(
          block.height(), List.of(), block.concernsContract(), block.spent(), block.created());
    }
    return drop(input, CoordinatorInput.DispatchesSettled.class);
  }

  private static Object withOneEnd(Object input) {
    return input instanceof SubmitterInput.BlockIndexed block
        ? new SubmitterInput.BlockIndexed(
            block.height(), block.own().stream().map(Mutant::withOneEnd).toList())
        : input;
  }

  private static LedgerReceipt withOneEnd(LedgerReceipt receipt) {
    return receipt.results().stream()
        .filter(LedgerReceipt.Reverted.class::isInstance)
        .map(LedgerReceipt.Reverted.class::cast)
        .findFirst()
        .map(
            end ->
                new LedgerReceipt(
                    receipt.hash(),
                    receipt.signer(),
                    receipt.nonce(),
                    receipt.block(),
                    receipt.index(),
                    receipt.results().stream().map(each -> ended(each, end)).toList()))
        .orElse(receipt);
  }

  private static LedgerReceipt.Result ended(LedgerReceipt.Result each, LedgerReceipt.Reverted end) {
    return each instanceof LedgerReceipt.Fulfilled done
        ? new LedgerReceipt.Reverted(done.contract(), done.intent(), end.reason(), end.message())
        : each;
  }

  private static Object withLeaveForAll(Object input) {
    return input instanceof CoordinatorInput.FromNode(var received)
        ? new CoordinatorInput.FromNode(
            received.stream()
                .<Received<? extends Message.ForCoordinator>>map(Mutant::withLeaveForAll)
                .toList())
        : input;
  }

  private static Received<? extends Message.ForCoordinator> withLeaveForAll(
      Received<? extends Message.ForCoordinator> received) {
    return received.message() instanceof DispatchConfirmationResponse answer
        ? received.with(
            new DispatchConfirmationResponse(
                answer.requestId(),
                answer.contract(),
                Stream.concat(
                        answer.granted().stream(),
                        answer.denied().stream()
                            .map(
                                denied ->
                                    new DispatchConfirmationResponse.Granted(
                                        denied.transaction(), denied.delegationId())))
                    .toList(),
                List.of()))
        : received;
  }

  private static Object withoutFulfilments(Object input) {
    return input instanceof SenderInput.BlockIndexed block
        ? new SenderInput.BlockIndexed(block.height(), block.indexed(), Map.of())
        : input;
  }

  private static Object withoutBalances(Object input) {
    return input instanceof Funding.Input.Seen(var accounts)
        ? new Funding.Input.Seen(
            new Accounts(
                accounts.payerNonce(),
                accounts.payerBalance(),
                accounts.balances().keySet().stream()
                    .collect(Collectors.toMap(key -> key, key -> BigInteger.ZERO)),
                accounts.used()))
        : input;
  }

  private static Object doneWhenTaken(Object input) {
    return input instanceof QueueInput.HandedOver taken
        ? new QueueInput.Answered(taken.key(), new Conclusion.Succeeded(1))
        : input;
  }

  // What is said otherwise

  private static Tampering sent(UnaryOperator<Message> change) {
    return new Tampering() {
      @Override
      public <S, E, F> Decision<S, E, F> decided(
          Shell<?, S, E, F> shell, Decision<S, E, F> decision) {
        return with(
            decision,
            decision.messages().stream()
                .map(
                    each -> new Outgoing(each.to(), change.apply(each.message()), each.inReplyTo()))
                .toList());
      }
    };
  }

  private static Message withFirstEndorsementOnly(Message message) {
    return message instanceof EndorsementResponse answer && answer.endorsed().size() > 1
        ? answering(answer, answer.endorsed().subList(0, 1))
        : message;
  }

  private static Message inAnotherOrder(Message message) {
    return message instanceof EndorsementResponse answer && answer.endorsed().size() > 1
        ? answering(
            answer,
            IntStream.range(0, answer.endorsed().size())
                .mapToObj(i -> answer.endorsed().get(answer.endorsed().size() - 1 - i))
                .toList())
        : message;
  }

  private static EndorsementResponse answering(EndorsementResponse like, List<IntentKey> endorsed) {
    return new EndorsementResponse(
        like.idempotencyKey(),
        like.contract(),
        like.party(),
        like.attestationRequestName(),
        endorsed,
        like.endorsement(),
        like.refused());
  }

  // Who is believed what

  private static Tampering told(BinaryOperator<Object> change) {
    return new Tampering() {
      @Override
      @SuppressWarnings("unchecked") // A changed input is of the same machine.
      public <I> Optional<I> input(Shell<I, ?, ?, ?> shell, I input) {
        return Optional.of((I) change.apply(shell.state(), input));
      }
    };
  }

  private static <M extends Message> Received<M> from(NodeName node, Received<M> received) {
    return new Received<>(node, received.id(), received.message());
  }

  /** As if whoever has to acknowledge it had done so. */
  private static Object acknowledged(Object state, Object input) {
    if (state instanceof StateStoreState store
        && input instanceof StateStore.Input.Acknowledged given) {
      var owed = store.outbox().get(given.received().message().distributionId());
      return owed == null
          ? input
          : new StateStore.Input.Acknowledged(from(owed.to(), given.received()));
    } else if (state instanceof SubmitterState submitter
        && input instanceof SubmitterInput.Acknowledged given) {
      var owed = submitter.owed().get(given.received().message().notificationId());
      return owed == null
          ? input
          : new SubmitterInput.Acknowledged(from(owed.sender(), given.received()));
    }
    return input;
  }

  private static Object asTheNext(Object state, Object input) {
    if (state instanceof MessageBookState book && input instanceof MessageBook.Input.Told told) {
      var batch = told.received().message();
      long next = book.receivedFrom(told.received().from()) + 1;
      return new MessageBook.Input.Told(
          told.received()
              .with(new GroupMessages(batch.contract(), next - 1, next, batch.contents())));
    }
    return input;
  }

  // What does not happen

  private static Tampering events(Predicate<Object> lost) {
    return new Tampering() {
      @Override
      public <S, E, F> Decision<S, E, F> decided(
          Shell<?, S, E, F> shell, Decision<S, E, F> decision) {
        var kept = decision.events().stream().filter(lost.negate()).toList();
        return new Decision<>(decision.state(), kept, decision.messages(), decision.effects());
      }
    };
  }

  private static Tampering messages(Predicate<Object> lost) {
    return new Tampering() {
      @Override
      public <S, E, F> Decision<S, E, F> decided(
          Shell<?, S, E, F> shell, Decision<S, E, F> decision) {
        return with(
            decision,
            decision.messages().stream().filter(each -> !lost.test(each.message())).toList());
      }
    };
  }

  private static <S, E, F> Decision<S, E, F> with(
      Decision<S, E, F> decision, List<Outgoing> messages) {
    return new Decision<>(decision.state(), decision.events(), messages, decision.effects());
  }

  /** As if each life of a message book went on from where the one before it was. */
  private static final class NumbersGoOn implements Tampering {
    @Override
    @SuppressWarnings("unchecked") // The state that it has, but for this.
    public <S, E, F> Decision<S, E, F> decided(
        Shell<?, S, E, F> shell, Decision<S, E, F> decision) {
      return decision.state() instanceof MessageBookState state
          ? new Decision<>(
              (S) state.withNumbers(new WrittenNumbers(state.numbers().runs(), true)),
              decision.events(),
              decision.messages(),
              decision.effects())
          : decision;
    }
  }

  /** As if nothing that a submitter begins with could have been sent. */
  private static final class NoBlocksFirst implements Tampering {
    @Override
    @SuppressWarnings("unchecked") // The state that it has, but for this.
    public <S, E, F> Decision<S, E, F> decided(
        Shell<?, S, E, F> shell, Decision<S, E, F> decision) {
      return decision.state() instanceof SubmitterState state
          ? new Decision<>(
              (S) state.withBlocksFirst(Optional.of(0L)),
              decision.events(),
              decision.messages(),
              decision.effects())
          : decision;
    }
  }

  // Settings that switch a rule off

  private static Tampering settings(UnaryOperator<SequencerSettings> change) {
    return new Tampering() {
      @Override
      public SequencerSettings settings(SequencerSettings settings) {
        return change.apply(settings);
      }
    };
  }

  private static HeartbeatSettings heartbeats(Duration maxHoldOff) {
    var usual = HeartbeatSettings.DEFAULT;
    return new HeartbeatSettings(
        usual.coordinatorInterval(),
        usual.coordinatorFailureThreshold(),
        usual.submitterInterval(),
        usual.submitterFailureThreshold(),
        maxHoldOff,
        usual.presumedUnavailable(),
        usual.startupAgain());
  }

  private static RetrySettings impatient(RetrySettings usual) {
    var atOnce = new Backoff(Duration.ofMillis(1), Duration.ofMillis(1));
    return new RetrySettings(
        atOnce, atOnce, Integer.MAX_VALUE, usual.parkedFor(), atOnce, Integer.MAX_VALUE);
  }

  private static SequencerSettings with(SequencerSettings usual, HeartbeatSettings heartbeats) {
    return new SequencerSettings(heartbeats, usual.delivery(), usual.retries(), usual.limits());
  }

  private static SequencerSettings with(SequencerSettings usual, RetrySettings retries) {
    return new SequencerSettings(usual.heartbeats(), usual.delivery(), retries, usual.limits());
  }

  // What takes more than leaving something out

  /** For all that is asked for. */
  private static DispatchConfirmationResponse leave(RequestDispatchConfirmation asked) {
    var granted =
        asked.items().stream()
            .map(
                item ->
                    new DispatchConfirmationResponse.Granted(
                        item.transaction(), item.delegationId()))
            .toList();
    return new DispatchConfirmationResponse(
        asked.requestId(), asked.contract(), granted, List.of());
  }

  /** Answers the coordinator's question in the sender's name. */
  private static final class SkipConfirmation implements Tampering {
    @Override
    @SuppressWarnings("unchecked") // Only coordinators ask.
    public <S, E, F> Decision<S, E, F> decided(
        Shell<?, S, E, F> shell, Decision<S, E, F> decision) {
      var kept = new ArrayList<Outgoing>();
      for (var each : decision.messages()) {
        if (each.message() instanceof RequestDispatchConfirmation asked) {
          var leave = leave(asked);
          var received = new Received<>(each.to(), new MessageId(new UUID(1, 1)), leave);
          var coordinator = (Shell<CoordinatorInput, ?, ?, ?>) (Shell<?, ?, ?, ?>) shell;
          shell
              .node()
              .later(
                  Duration.ZERO,
                  () -> coordinator.tell(new CoordinatorInput.FromNode(List.of(received))));
        } else {
          kept.add(each);
        }
      }
      return with(decision, kept);
    }
  }

  /** Events are waited for all the same. */
  private static final class NotKept implements Tampering {
    @Override
    public CompletionStage<Void> alongside(Shell<?, ?, ?, ?> shell, CompletionStage<Void> stored) {
      return CompletableFuture.completedFuture(null);
    }
  }

  private static final class BookNotKept implements Tampering {
    @Override
    public CompletionStage<Void> alongside(Shell<?, ?, ?, ?> shell, CompletionStage<Void> stored) {
      return shell instanceof MessageBookShell ? CompletableFuture.completedFuture(null) : stored;
    }
  }

  /** Gives leave before the sender can look whether the delegation is the active one. */
  private static final class StaleDelegation implements Tampering {
    @Override
    public <I> Optional<I> input(Shell<I, ?, ?, ?> shell, I input) {
      if (input instanceof SenderInput.FromNode received
          && received.received().message() instanceof RequestDispatchConfirmation asked) {
        var reply =
            new Outgoing(
                received.received().from(), leave(asked), Optional.of(received.received().id()));
        shell.node().send(reply);
        return Optional.empty();
      }
      return Optional.of(input);
    }
  }

  /** Neither tells them nor goes by them. */
  private static final class ForgetLocks implements Tampering {
    @Override
    @SuppressWarnings("unchecked") // The state of a coordinator is exchanged for another one.
    public <S, E, F> Decision<S, E, F> decided(
        Shell<?, S, E, F> shell, Decision<S, E, F> decision) {
      if (!(decision.state() instanceof CoordinatorState state)) {
        return decision;
      }
      var messages =
          decision.messages().stream()
              .map(
                  each ->
                      each.message() instanceof AssembleRequest request
                          ? new Outgoing(each.to(), unlocked(request), each.inReplyTo())
                          : each)
              .toList();
      var changed = (S) CoordinatorStates.withoutLocks(state);
      return new Decision<>(changed, decision.events(), messages, decision.effects());
    }

    private static AssembleRequest unlocked(AssembleRequest request) {
      return new AssembleRequest(
          request.assembleRequestId(),
          request.contract(),
          request.blockHeight(),
          StateLocks.NONE,
          request.items());
    }
  }

  private static final class ForgetWaiting implements Tampering {
    @Override
    @SuppressWarnings("unchecked") // The state of a coordinator is exchanged for another one.
    public <S, E, F> Decision<S, E, F> decided(
        Shell<?, S, E, F> shell, Decision<S, E, F> decision) {
      return decision.state() instanceof CoordinatorState state
          ? new Decision<>(
              (S) CoordinatorStates.withNobodyWaiting(state),
              decision.events(),
              decision.messages(),
              decision.effects())
          : decision;
    }
  }

  /** A message that was sent in this life of a machine is not sent again. */
  private static final class NeverResend implements Tampering {
    private final Map<Shell<?, ?, ?, ?>, Set<Object>> sent = new HashMap<>();

    @Override
    public <S, E, F> Decision<S, E, F> decided(
        Shell<?, S, E, F> shell, Decision<S, E, F> decision) {
      var known =
          sent.computeIfAbsent(
              shell, any -> Collections.newSetFromMap(new IdentityHashMap<Object, Boolean>()));
      return with(
          decision,
          decision.messages().stream().filter(each -> known.add(each.message())).toList());
    }
  }

  private static final class HandOverOnce implements Tampering {
    private final Map<Shell<?, ?, ?, ?>, Set<RequestId>> handed = new HashMap<>();

    @Override
    @SuppressWarnings("unchecked") // An effect of a coordinator is exchanged for another one.
    public <S, E, F> Decision<S, E, F> decided(
        Shell<?, S, E, F> shell, Decision<S, E, F> decision) {
      var known = handed.computeIfAbsent(shell, any -> new HashSet<>());
      var effects = new ArrayList<F>();
      for (var effect : decision.effects()) {
        effects.add(
            effect instanceof CoordinatorEffect.HandToSubmitter hand
                ? (F)
                    new CoordinatorEffect.HandToSubmitter(
                        hand.dispatches().stream()
                            .filter(each -> known.add(each.dispatchId()))
                            .toList())
                : effect);
      }
      return new Decision<>(decision.state(), decision.events(), decision.messages(), effects);
    }
  }

  private static final class FirstNonce implements Tampering {
    @Override
    @SuppressWarnings("unchecked") // An effect of a submitter is exchanged for another one.
    public <S, E, F> Decision<S, E, F> decided(
        Shell<?, S, E, F> shell, Decision<S, E, F> decision) {
      var effects =
          decision.effects().stream()
              .map(
                  effect ->
                      effect instanceof SubmitterEffect.Submit submit
                          ? (F) new SubmitterEffect.Submit(first(submit.items()))
                          : effect)
              .toList();
      return new Decision<>(decision.state(), decision.events(), decision.messages(), effects);
    }

    private static List<SubmitterEffect.Item> first(List<SubmitterEffect.Item> items) {
      return items.stream()
          .map(each -> new SubmitterEffect.Item(0, each.fees(), each.gasLimit(), each.call()))
          .toList();
    }
  }

  private static final class ReverseBatches implements Tampering {
    @Override
    @SuppressWarnings("unchecked") // An effect of a submitter is exchanged for another one.
    public <S, E, F> Decision<S, E, F> decided(
        Shell<?, S, E, F> shell, Decision<S, E, F> decision) {
      var effects =
          decision.effects().stream()
              .map(
                  effect ->
                      effect instanceof SubmitterEffect.Submit submit
                          ? (F)
                              new SubmitterEffect.Submit(
                                  submit.items().stream().map(ReverseBatches::reversed).toList())
                          : effect)
              .toList();
      return new Decision<>(decision.state(), decision.events(), decision.messages(), effects);
    }

    private static SubmitterEffect.Item reversed(SubmitterEffect.Item item) {
      if (!(item.call() instanceof LedgerTransaction.Invoke invoke)) {
        return item;
      }
      var transitions = new ArrayList<>(invoke.transitions());
      Collections.reverse(transitions);
      return new SubmitterEffect.Item(
          item.nonce(), item.fees(), item.gasLimit(), new LedgerTransaction.Invoke(transitions));
    }
  }

  private static final class AskStoreOnce implements Tampering {
    private final Map<Shell<?, ?, ?, ?>, Set<RequestId>> given = new HashMap<>();

    @Override
    @SuppressWarnings("unchecked") // An effect of a submitter is exchanged for another one.
    public <S, E, F> Decision<S, E, F> decided(
        Shell<?, S, E, F> shell, Decision<S, E, F> decision) {
      var known = given.computeIfAbsent(shell, any -> new HashSet<>());
      var effects = new ArrayList<F>();
      for (var effect : decision.effects()) {
        effects.add(
            effect instanceof SubmitterEffect.Distribute distribute
                ? (F)
                    new SubmitterEffect.Distribute(
                        distribute.dispatches().stream()
                            .filter(each -> known.add(each.dispatchId()))
                            .toList())
                : effect);
      }
      return new Decision<>(decision.state(), decision.events(), decision.messages(), effects);
    }
  }

  private static final class ResetRetries implements Tampering {
    @Override
    @SuppressWarnings("unchecked") // An event of a sender is exchanged for another one.
    public <S, E, F> Decision<S, E, F> decided(
        Shell<?, S, E, F> shell, Decision<S, E, F> decision) {
      var events =
          decision.events().stream()
              .map(
                  each ->
                      each instanceof SenderEvent.AttemptFailed failed
                          ? (E)
                              new SenderEvent.AttemptFailed(
                                  failed.transaction(), 1, failed.notBefore(), failed.what())
                          : each)
              .toList();
      return new Decision<>(decision.state(), events, decision.messages(), decision.effects());
    }
  }

  private static final class ImpatientSubmitter implements Tampering {
    @Override
    @SuppressWarnings("unchecked") // Only submitters distribute.
    public <S, E, F> Decision<S, E, F> decided(
        Shell<?, S, E, F> shell, Decision<S, E, F> decision) {
      for (var effect : decision.effects()) {
        if (effect instanceof SubmitterEffect.Distribute distribute) {
          var submitter = (Shell<SubmitterInput, ?, ?, ?>) (Shell<?, ?, ?, ?>) shell;
          var ids = distribute.dispatches().stream().map(each -> each.prepared().intent()).toList();
          shell
              .node()
              .later(NodeLife.WRITE, () -> submitter.tell(new SubmitterInput.OutputsStored(ids)));
        }
      }
      return decision;
    }
  }

  private static final class ReverseDispatches implements Tampering {
    @Override
    @SuppressWarnings("unchecked") // An effect of a coordinator is exchanged for another one.
    public <S, E, F> Decision<S, E, F> decided(
        Shell<?, S, E, F> shell, Decision<S, E, F> decision) {
      var effects = new ArrayList<F>();
      for (var effect : decision.effects()) {
        if (effect instanceof CoordinatorEffect.HandToSubmitter hand) {
          var reversed = new ArrayList<>(hand.dispatches());
          Collections.reverse(reversed);
          effects.add((F) new CoordinatorEffect.HandToSubmitter(reversed));
        } else {
          effects.add(effect);
        }
      }
      return new Decision<>(decision.state(), decision.events(), decision.messages(), effects);
    }
  }

  private static final class FirstReceiptStays implements Tampering {
    @Override
    public <S, E, F> Decision<S, E, F> decided(
        Shell<?, S, E, F> shell, Decision<S, E, F> decision) {
      var earlier = shell.node().disk().receipts;
      var kept =
          decision.effects().stream()
              .map(FirstReceiptStays::ofKnown)
              .filter(
                  each ->
                      !(each instanceof SenderEffect.Complete complete)
                          || complete.receipts().stream()
                              .noneMatch(receipt -> earlier.containsKey(receipt.transaction())))
              .toList();
      return new Decision<>(decision.state(), decision.events(), decision.messages(), kept);
    }

    @SuppressWarnings("unchecked")
    private static <F> F ofKnown(F effect) {
      return effect instanceof SenderEffect.Confirm confirm
          ? (F) new SenderEffect.Complete(confirm.ofKnown())
          : effect;
    }
  }

  /** The key of a node's first life is left as it is. */
  private static final class AnotherKey implements Tampering {
    private final Map<NodeName, List<Shell<?, ?, ?, ?>>> lives = new HashMap<>();

    @Override
    @SuppressWarnings("unchecked") // An effect of attempts is exchanged for another one.
    public <S, E, F> Decision<S, E, F> decided(
        Shell<?, S, E, F> shell, Decision<S, E, F> decision) {
      if (!(shell instanceof AttemptsShell)) {
        return decision;
      }
      var known = lives.computeIfAbsent(shell.node().name(), any -> new ArrayList<>());
      if (!known.contains(shell)) {
        known.add(shell);
      }
      var life = known.size() == 1 ? "" : "/" + known.size();
      var effects = new ArrayList<F>();
      for (var effect : decision.effects()) {
        effects.add(
            effect instanceof Attempts.Effect.Submit(var key, var name, var call)
                ? (F) new Attempts.Effect.Submit(key, name + life, call)
                : effect);
      }
      return new Decision<>(decision.state(), decision.events(), decision.messages(), effects);
    }
  }

  private static final class ChargeAgain implements Tampering {
    @Override
    @SuppressWarnings("unchecked") // What a queue decided is exchanged for something else.
    public <S, E, F> Decision<S, E, F> decided(
        Shell<?, S, E, F> shell, Decision<S, E, F> decision) {
      boolean again =
          decision.events().isEmpty()
              && decision.effects().stream().anyMatch(QueueEffect.HandOver.class::isInstance);
      if (!again || !(decision.state() instanceof QueueState state)) {
        return decision;
      }
      var paid =
          new QueueEvent.Posted(
              Scheduling.OWNER, AccountId.FEES, new Amount(1), QueueEvent.Posted.Why.TOLD);
      return new Decision<>(
          (S) Scheduling.RULES.evolve(state, paid),
          List.of((E) paid),
          decision.messages(),
          decision.effects());
    }
  }

  private static final class PoolPays implements Tampering {
    @Override
    @SuppressWarnings("unchecked") // A changed input is of the same machine.
    public <I> Optional<I> input(Shell<I, ?, ?, ?> shell, I input) {
      if (input instanceof Funding.Input.Seen(var accounts)) {
        long next = shell.node().ledger().pendingNonce(Fundings.account(shell.node().home()));
        return Optional.of(
            (I)
                new Funding.Input.Seen(
                    new Accounts(
                        next, accounts.payerBalance(), accounts.balances(), accounts.used())));
      }
      return Optional.of(input);
    }
  }

  private static final class UnsignedChanges implements Tampering {
    @Override
    public Optional<ChangeFlaw> flaw(
        CommitteeStanding committees,
        CommitteeChange change,
        Set<Member> signers,
        BlockHeight block) {
      return Tampering.super
          .flaw(committees, change, signers, block)
          .filter(flaw -> flaw != ChangeFlaw.TOO_FEW_SIGNED);
    }
  }

  private static final class CommitteeBefore implements Tampering {
    @Override
    public PrivacyGroup read(PrivacyGroup before, PrivacyGroup after) {
      return before;
    }
  }

  private static final class TellWhoHasLeft implements Tampering {
    @Override
    public <S, E, F> Decision<S, E, F> decided(
        Shell<?, S, E, F> shell, Decision<S, E, F> decision) {
      var messages = new ArrayList<>(decision.messages());
      for (var each : decision.messages()) {
        if (each.message() instanceof StateDistribution) {
          left(shell).forEach(node -> messages.add(Outgoing.of(node, each.message())));
        }
      }
      return with(decision, messages);
    }

    private static Stream<NodeName> left(Shell<?, ?, ?, ?> shell) {
      var group = shell.node().group(shell.contract()).orElseThrow();
      return group.committees().all().stream()
          .flatMap(quorum -> quorum.committee().nodes().stream())
          .distinct()
          .filter(node -> !group.committee().hasMemberOn(node));
    }
  }

  private static final class NothingForWhoCameBack implements Tampering {
    @Override
    public <I> Optional<I> input(Shell<I, ?, ?, ?> shell, I input) {
      return Optional.of(input)
          .filter(
              it ->
                  !(it instanceof StateStore.Input.Asked(var received)
                      && wasOutside(shell, received.from())));
    }

    private static boolean wasOutside(Shell<?, ?, ?, ?> shell, NodeName node) {
      var group = shell.node().group(shell.contract()).orElseThrow();
      return group.committees().all().stream()
          .anyMatch(quorum -> !quorum.committee().hasMemberOn(node));
    }
  }

  private static final class AllCommittees implements Tampering {
    private final Set<Quorum> all = new LinkedHashSet<>();

    @Override
    public Stream<Quorum> counting(CommitteeStanding committees, BlockHeight block) {
      all.add(committees.newest());
      return List.copyOf(all).stream();
    }
  }

  private static final class TellStranger implements Tampering {
    @Override
    public <S, E, F> Decision<S, E, F> decided(
        Shell<?, S, E, F> shell, Decision<S, E, F> decision) {
      var messages = new ArrayList<>(decision.messages());
      for (var each : decision.messages()) {
        if (each.message() instanceof StateDistribution) {
          stranger(shell).ifPresent(node -> messages.add(Outgoing.of(node, each.message())));
        }
      }
      return with(decision, messages);
    }

    private static Optional<NodeName> stranger(Shell<?, ?, ?, ?> shell) {
      var simulation = shell.node().simulation();
      var committee = simulation.group(shell.contract()).orElseThrow().committee();
      return simulation.nodes().stream()
          .map(SimulatedNode::name)
          .filter(node -> !committee.hasMemberOn(node))
          .findFirst();
    }
  }

  private static final class KnownSignatures implements Tampering {
    private final Set<Signature> valid = new HashSet<>();

    @Override
    public boolean isEndorsed(EndorsementProof proof) {
      var signatures = proof.prepared().proof().signatures();
      if (Tampering.super.isEndorsed(proof)) {
        valid.addAll(signatures);
      }
      return valid.containsAll(signatures);
    }
  }

  private static final class AnySender implements Tampering {
    @Override
    public Signatures ofSenders(Signatures signatures) {
      return new Signatures() {
        @Override
        public boolean verify(Verifier verifier, Hash digest, Bytes signature) {
          return true;
        }

        @Override
        public LedgerAddress address(Verifier verifier) {
          return signatures.address(verifier);
        }
      };
    }
  }

  private static final class CountedSignatures implements Tampering {
    @Override
    public boolean isEndorsed(EndorsementProof proof) {
      return !proof.endorsers(SimulatedKeys.SIGNATURES).isEmpty()
          && proof.prepared().proof().signatures().size() >= proof.policy().quorum().threshold();
    }
  }

  private static final class OtherContracts implements Tampering {
    private final Set<ContractAddress> contracts = new LinkedHashSet<>();

    @Override
    public boolean isEndorsed(EndorsementProof proof) {
      contracts.add(proof.prepared().contract());
      return contracts.stream().anyMatch(each -> Tampering.super.isEndorsed(of(each, proof)));
    }

    private static EndorsementProof of(ContractAddress contract, EndorsementProof proof) {
      var policy = proof.policy();
      var prepared = proof.prepared();
      return new EndorsementProof(
          new EndorsementPolicy(policy.chainId(), contract, policy.quorum()),
          new PreparedTransaction(
              prepared.intent(),
              contract,
              prepared.inputs(),
              prepared.reads(),
              prepared.outputs(),
              prepared.proof()));
    }
  }

  private static final class ForgetMade implements Tampering {
    @Override
    public List<StateId> forgotten(LedgerReceipt.Fulfilled done) {
      return done.created();
    }
  }

  private static final class ForgetWhatIsOpen implements Tampering {
    @Override
    public boolean forgetsWhatIsOpen() {
      return true;
    }
  }

  private static final class ForgetIds implements Tampering {
    @Override
    public boolean keepsIds() {
      return false;
    }
  }

  private static final class NoFence implements Tampering {
    @Override
    public boolean isFenced() {
      return false;
    }
  }

  private static final class KnownPaths implements Tampering {
    private final Set<Proof> followed = new HashSet<>();

    @Override
    public boolean isEndorsed(EndorsementProof proof) {
      var own = proof.prepared().proof();
      if (Tampering.super.isEndorsed(proof)) {
        followed.add(own);
      }
      return followed.contains(own);
    }
  }

  /** By whose path and signatures what was valid is known, one sibling short. */
  private static final class RaisedLeaves implements Tampering {
    private final Set<List<Object>> above = new HashSet<>();

    @Override
    public boolean isEndorsed(EndorsementProof proof) {
      var own = proof.prepared().proof();
      var siblings = own.path().siblings();
      boolean valid = Tampering.super.isEndorsed(proof);
      if (valid && !siblings.isEmpty()) {
        above.add(List.of(siblings.subList(1, siblings.size()), own.signatures()));
      }
      return valid || above.contains(List.of(siblings, own.signatures()));
    }
  }

  private static final class AnySize implements Tampering {
    @Override
    public boolean isEndorsed(EndorsementProof proof) {
      var path = proof.prepared().proof().path();
      return IntStream.rangeClosed(path.index() + 1, path.size())
          .anyMatch(size -> isEndorsed(proof, path, size));
    }

    private boolean isEndorsed(EndorsementProof proof, MerklePath path, int size) {
      try {
        var prepared = proof.prepared();
        var own = new MerklePath(path.index(), size, path.siblings());
        return Tampering.super.isEndorsed(
            new EndorsementProof(
                proof.policy(),
                new PreparedTransaction(
                    prepared.intent(),
                    prepared.contract(),
                    prepared.inputs(),
                    prepared.reads(),
                    prepared.outputs(),
                    new Proof(own, prepared.proof().signatures()))));
      } catch (IllegalArgumentException noSuchPath) {
        return false;
      }
    }
  }
}
