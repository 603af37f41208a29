package dev.sequitur.sequencer.runtime;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Props;
import akka.actor.typed.javadsl.AskPattern;
import dev.sequitur.cluster.AskedAgain;
import dev.sequitur.cluster.placement.RegionCoordinators;
import dev.sequitur.cluster.placement.ShardPlaces;
import dev.sequitur.crypto.FreshIntents;
import dev.sequitur.crypto.IntentSalt;
import dev.sequitur.protocol.distribution.ComparisonProgress;
import dev.sequitur.protocol.distribution.Erased;
import dev.sequitur.protocol.distribution.Lacking;
import dev.sequitur.protocol.distribution.StateStoreState;
import dev.sequitur.protocol.errand.ChangingErrands;
import dev.sequitur.protocol.funding.Funding;
import dev.sequitur.protocol.funding.GasReport;
import dev.sequitur.protocol.group.CommitteeChange;
import dev.sequitur.protocol.group.GroupMessage;
import dev.sequitur.protocol.group.GroupRequest;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.guard.NamePattern;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupMessageId;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.indexing.WantedShards;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.ResolveVerifierError;
import dev.sequitur.protocol.message.ResolveVerifierRequest;
import dev.sequitur.protocol.message.ResolveVerifierResponse;
import dev.sequitur.protocol.messaging.MessageBook;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.port.ChangeStore.AgreedChange;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.port.IntentRules;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.port.PrivateTransactions;
import dev.sequitur.protocol.port.Transport;
import dev.sequitur.protocol.room.RoomPolicy;
import dev.sequitur.protocol.transaction.FreshIntent;
import dev.sequitur.sequencer.Jvms;
import dev.sequitur.sequencer.NodeHealth;
import dev.sequitur.sequencer.PublicCalls;
import dev.sequitur.sequencer.SequencerNode;
import dev.sequitur.sequencer.actor.ChangeKeeper;
import dev.sequitur.sequencer.actor.CoordinatorActor;
import dev.sequitur.sequencer.actor.Founder;
import dev.sequitur.sequencer.actor.GasKeeper;
import dev.sequitur.sequencer.actor.IntentHandover;
import dev.sequitur.sequencer.actor.LedgerComparer;
import dev.sequitur.sequencer.actor.MessageBookActor;
import dev.sequitur.sequencer.actor.NodeServices;
import dev.sequitur.sequencer.actor.SenderActor;
import dev.sequitur.sequencer.actor.StateStoreActor;
import dev.sequitur.sequencer.actor.SubmitterActor;
import dev.sequitur.sequencer.setup.CommitteeNews;
import dev.sequitur.sequencer.setup.NodeKeyNames;
import dev.sequitur.sequencer.setup.SequencerMetrics;
import dev.sequitur.sequencer.view.CoordinatorView;
import dev.sequitur.sequencer.view.GasView;
import dev.sequitur.sequencer.view.RingView;
import dev.sequitur.sequencer.view.SequencerStatus;
import dev.sequitur.sequencer.view.SequencerStatus.CoordinatorReport;
import dev.sequitur.sequencer.view.SequencerStatus.SenderReport;
import dev.sequitur.sequencer.view.TransactionStatus;
import dev.sequitur.trace.TransactionTrace;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/** A node whose actors run. Made by {@link SequencerStart}; stopped with its actor system. */
public final class RunningSequencer implements SequencerNode {
  private static final Duration ASK = Duration.ofSeconds(10);

  private final ActorSystem<?> system;
  private final NodeServices services;
  private final ActorRef<LedgerComparer.Command> comparer;
  private final ActorRef<Founder.Command> founder;
  private final TraceGathering traces;
  private final ActorRef<IntentHandover.Command> handover;
  private final BatchSubmission submission;
  private final GroupMaking making;
  private final ChangingErrands changing;
  private final Views views;
  private final FreshIntents fresh;
  private final NodeHealth health;
  private final Jvms jvms;
  private final PublicCalls publicCalls;

  RunningSequencer(
      ActorSystem<?> system, NodeServices services, ActorRef<LedgerComparer.Command> comparer) {
    this.comparer = comparer;
    this.system = system;
    this.services = services;
    this.health =
        new RunningHealth(
            system, services, RegionCoordinators.of(system.classicSystem(), System::nanoTime));
    this.jvms = new RunningJvms(system, services);
    this.publicCalls = new RunningPublicCalls(services);
    var keys = services.setup().ports().keys();
    this.fresh =
        new FreshIntents(
            services.setup().rules().sequencer().limits().intentSeries(),
            (contract, series, from) ->
                IntentSalt.of(keys, NodeKeyNames.salts(), contract, series, from));
    var answers =
        system.systemActorOf(AnswersElsewhere.create(), "answers-elsewhere", Props.empty());
    this.founder =
        system.systemActorOf(
            Founder.create(services, answer -> answers.tell(new AnswersElsewhere.Publish(answer))),
            "founder",
            Props.empty());
    this.traces =
        new TraceGathering(
            services,
            () -> Membership.jvms(system),
            envelope -> answers.tell(new AnswersElsewhere.Publish(envelope)));
    answers.tell(
        new AnswersElsewhere.Begin(
            envelope -> {
              switch (envelope.payload()) {
                case ResolveVerifierResponse ignored -> passedOn(envelope);
                case ResolveVerifierError ignored -> passedOn(envelope);
                case Message.OfGroup ignored -> passedOn(envelope);
                case ResolveVerifierRequest question -> throw answeredByAny(question);
                case Message.OfTrace message -> traces.receiveHere(envelope, message);
                case Message.OfChange message -> throw answeredByAny(message);
                case Message.ForMachine message -> throw answeredByAny(message);
              }
            }));
    this.handover =
        system.systemActorOf(IntentHandover.create(services), "intent-handover", Props.empty());
    this.making = new GroupMaking(system, founder, Founder.rules(services));
    this.submission = new BatchSubmission(services, handover, making);
    this.changing = ChangeKeeper.errands(services);
    this.views = new Views(services);
  }

  /** Where messages of other nodes come in. */
  Inbound inbound() {
    return new Inbound(
        services,
        Founder.joining(services),
        answer -> founder.tell(new Founder.Answer(answer, false)),
        traces,
        changing,
        isHere(ShardPlaces.of(system.classicSystem())));
  }

  /** As shards belong; until this JVM knows that, nothing is counted as passed on. */
  static Predicate<ContractAddress> isHere(ShardPlaces shards) {
    return contract -> {
      var jvms = shards.now();
      return jvms.isEmpty()
          || jvms.get(WantedShards.shard(contract, jvms.size())).equals(shards.self());
    };
  }

  /** What was accepted and has no end goes there. */
  ActorRef<IntentHandover.Command> handover() {
    return handover;
  }

  /** What makes groups. */
  GroupMaking making() {
    return making;
  }

  private void passedOn(Envelope answer) {
    founder.tell(new Founder.Answer(answer, true));
  }

  private static IllegalStateException answeredByAny(Message message) {
    return new IllegalStateException("The JVMs of a node do not pass on " + message.getClass());
  }

  @Override
  public NodeName name() {
    return services.self();
  }

  @Override
  public NodeStore store() {
    return services.store();
  }

  @Override
  public RoomPolicy room() {
    return services.setup().rules().room();
  }

  @Override
  public BaseLedger ledger() {
    return services.ledger();
  }

  @Override
  public Keys keys() {
    return services.keys();
  }

  @Override
  public Map<String, Domain> domains() {
    return services.setup().domains();
  }

  @Override
  public Set<NodeName> peers() {
    return services.setup().ports().transport().peers();
  }

  @Override
  public Map<NodeName, Transport.Link> links() {
    return services.setup().ports().transport().links();
  }

  @Override
  public NodeHealth health() {
    return health;
  }

  @Override
  public Jvms jvms() {
    return jvms;
  }

  @Override
  public PublicCalls publicCalls() {
    return publicCalls;
  }

  @Override
  public FreshIntent fresh(ContractAddress contract, Identity from) {
    return fresh.next(contract, from);
  }

  @Override
  public int groupCount() {
    return services.groupCount().now();
  }

  @Override
  public CompletionStage<Boolean> knows(ContractAddress contract) {
    return services.knows(contract);
  }

  @Override
  public CompletionStage<Void> awaitGroupsOf(Collection<NamePattern> identities) {
    return Answers.all(
            identities.stream()
                .map(each -> services.groups().seekOf(each, services.store()))
                .toList())
        .thenAccept(sought -> {});
  }

  @Override
  public Optional<List<String>> localMembers(ContractAddress contract) {
    return services.groups().local(contract);
  }

  @Override
  public CompletionStage<Optional<PrivacyGroup>> load(ContractAddress contract) {
    return services.load(contract);
  }

  @Override
  public Optional<PrivacyGroup> group(ContractAddress contract) {
    return services.groups().find(contract);
  }

  @Override
  public CompletionStage<StoredGroup> createGroup(GroupRequest request) {
    return making.create(request);
  }

  @Override
  public CompletionStage<AgreedChange> agree(
      ContractAddress contract, CommitteeChange change, String by) {
    return changing.agree(contract, change, by);
  }

  @Override
  public CommitteeNews committees() {
    return services.standing().committees();
  }

  @Override
  public CompletionStage<Optional<AgreedChange>> withdraw(ContractAddress contract) {
    return changing.withdraw(contract);
  }

  @Override
  public CompletionStage<Verifier> resolveVerifier(Identity identity) {
    return making.resolve(identity);
  }

  @Override
  public CompletionStage<List<TransactionId>> submit(List<Intent> batch) {
    return submission.submit(batch);
  }

  /** For the node's own schedules, whose keys nobody else may use. */
  public PrivateTransactions forSchedules() {
    return submission::submitScheduled;
  }

  @Override
  public CompletionStage<Bytes> call(
      ContractAddress contract, Identity from, String function, Bytes inputs) {
    return services
        .load(contract)
        .thenCompose(
            group -> {
              IntentRules.checkMember(
                  group.orElseThrow(() -> IntentRules.unknownGroup(contract)), from);
              return callOf(contract, from, function, inputs);
            });
  }

  private CompletionStage<Bytes> callOf(
      ContractAddress contract, Identity from, String function, Bytes inputs) {
    return AskedAgain.<StateStoreActor.Command, Bytes>askWithStatus(
            services.entities().stateStore(contract),
            replyTo -> new StateStoreActor.Call(from, function, inputs, replyTo))
        .exceptionallyCompose(
            failure -> CompletableFuture.failedFuture(BatchSubmission.refusedCall(failure)));
  }

  @Override
  public CompletionStage<MessageBook.Outcome> sendMessage(
      ContractAddress contract, Optional<GroupMessageId> answers, String topic, Bytes data) {
    return services.ofGroup(
        contract,
        () -> {
          GroupMessage.Content.check(topic, data);
          CompletionStage<MessageBookActor.Written> written =
              services
                  .entities()
                  .messageBook(contract)
                  .ask(replyTo -> new MessageBookActor.Write(answers, topic, data, replyTo), ASK);
          return written.thenApply(MessageBookActor.Written::outcome);
        });
  }

  @Override
  public CompletionStage<StateStoreState.Standing> standing(
      ContractAddress contract, List<StateId> states) {
    CompletionStage<StateStoreActor.Stood> all =
        AskedAgain.ask(
            services.entities().stateStore(contract),
            replyTo -> new StateStoreActor.Stand(states, replyTo));
    return all.thenApply(StateStoreActor.Stood::standing);
  }

  @Override
  public CompletionStage<Boolean> resume(TransactionId transaction) {
    return store()
        .intent(transaction)
        .thenCompose(
            intent ->
                intent
                    .flatMap(Intent::privately)
                    .map(
                        known ->
                            services
                                .entities()
                                .sender(known.contract())
                                .<Boolean>ask(
                                    replyTo -> new SenderActor.Resume(transaction, replyTo), ASK))
                    .orElse(CompletableFuture.completedFuture(false)));
  }

  @Override
  public BlockHeight blockHeight() {
    return services.height();
  }

  @Override
  public CompletionStage<GasView> gas(ContractAddress contract) {
    return services.ofGroup(contract, () -> gasOf(contract));
  }

  private CompletionStage<GasView> gasOf(ContractAddress contract) {
    var verifier = services.keys().verifier(NodeKeyNames.submitter(contract));
    var key = services.signatures().address(verifier);
    return account(key)
        .thenCombine(
            AskedAgain.<SubmitterActor.Command, SubmitterActor.Paid>ask(
                services.entities().submitter(contract), SubmitterActor.GetPaid::new),
            (account, paid) -> new GasView(contract, key, account.key(), paid.paid()));
  }

  private CompletionStage<GasKeeper.Account> account(LedgerAddress key) {
    return services
        .gasKeeper()
        .map(
            keeper ->
                AskPattern.<GasKeeper.Command, GasKeeper.Account>ask(
                    keeper,
                    replyTo -> new GasKeeper.GetAccount(key, replyTo),
                    ASK,
                    system.scheduler()))
        .orElseGet(
            () ->
                CompletableFuture.completedFuture(
                    new GasKeeper.Account(
                        new Funding.OfKey(
                            Optional.empty(), BigInteger.ZERO, false, GasReport.NONE))));
  }

  @Override
  public CompletionStage<CoordinatorView> coordinator(ContractAddress contract) {
    return services.ofGroup(
        contract,
        () ->
            services
                .load(contract)
                .thenCombine(
                    senderReport(contract),
                    (group, report) -> views.coordinator(contract, report)));
  }

  @Override
  public CompletionStage<RingView> ring(ContractAddress contract) {
    return services
        .load(contract)
        .thenApply(
            group -> {
              if (group.isEmpty()) {
                throw IntentRules.unknownGroup(contract);
              }
              return views.ring(contract);
            });
  }

  @Override
  public CompletionStage<SequencerStatus> status(ContractAddress contract) {
    return services.ofGroup(
        contract,
        () ->
            lacking(contract)
                .thenCompose(
                    lacking ->
                        senderReport(contract)
                            .thenCombine(
                                coordinatorReport(contract),
                                (sender, coordinator) ->
                                    views.status(contract, lacking, sender, coordinator))));
  }

  @Override
  public CompletionStage<Optional<Lacking>> lacking(ContractAddress contract) {
    return AskedAgain.<StateStoreActor.Command, StateStoreActor.Lacked>ask(
            services.entities().stateStore(contract), StateStoreActor.Lack::new)
        .thenApply(StateStoreActor.Lacked::lacking);
  }

  @Override
  public CompletionStage<Optional<String>> stopped(ContractAddress contract) {
    return AskedAgain.<StateStoreActor.Command, StateStoreActor.Stopped>ask(
            services.entities().stateStore(contract), StateStoreActor.GetStopped::new)
        .thenApply(StateStoreActor.Stopped::why);
  }

  @Override
  public CompletionStage<Erased.Answer> erase(ContractAddress contract, List<StateId> states) {
    return AskedAgain.<StateStoreActor.Command, StateStoreActor.Taken>ask(
            services.entities().stateStore(contract),
            replyTo -> new StateStoreActor.Erase(states, replyTo))
        .thenApply(StateStoreActor.Taken::answer);
  }

  @Override
  public CompletionStage<Erased.Page> erasures(
      ContractAddress contract, Optional<Erased.Place> after, int limit) {
    return AskedAgain.<StateStoreActor.Command, StateStoreActor.Erasures>ask(
            services.entities().stateStore(contract),
            replyTo -> new StateStoreActor.GetErasures(after, limit, replyTo))
        .thenApply(StateStoreActor.Erasures::page);
  }

  @Override
  public CompletionStage<ComparisonProgress> compareWithLedger(
      ContractAddress contract, boolean rebuild) {
    return AskPattern.<LedgerComparer.Command, LedgerComparer.Progress>ask(
            comparer,
            replyTo -> new LedgerComparer.Compare(contract, rebuild, replyTo),
            ASK,
            system.scheduler())
        .thenApply(told -> told.progress().orElseThrow());
  }

  @Override
  public CompletionStage<Optional<ComparisonProgress>> comparison(ContractAddress contract) {
    return AskPattern.<LedgerComparer.Command, LedgerComparer.Progress>ask(
            comparer,
            replyTo -> new LedgerComparer.GetProgress(contract, replyTo),
            ASK,
            system.scheduler())
        .thenApply(LedgerComparer.Progress::progress);
  }

  private CompletionStage<CoordinatorReport> coordinatorReport(ContractAddress contract) {
    return AskedAgain.ask(
        services.entities().coordinator(contract), CoordinatorActor.GetReport::new);
  }

  private CompletionStage<SenderReport> senderReport(ContractAddress contract) {
    return AskedAgain.ask(services.entities().sender(contract), SenderActor.GetReport::new);
  }

  @Override
  public CompletionStage<Optional<TransactionStatus>> transactionStatus(TransactionId transaction) {
    return making
        .waitsFor(transaction)
        .thenCompose(
            waitsFor ->
                waitsFor.isPresent()
                    ? CompletableFuture.completedFuture(
                        waitsFor.map(
                            sentence -> TransactionStatus.ofNewGroup(transaction, sentence)))
                    : statusOfSender(transaction));
  }

  private CompletionStage<Optional<TransactionStatus>> statusOfSender(TransactionId transaction) {
    return store()
        .intent(transaction)
        .thenCompose(
            intent ->
                intent
                    .flatMap(Intent::privately)
                    .map(it -> statusOfSender(it.contract(), transaction))
                    .orElse(CompletableFuture.completedFuture(Optional.empty())));
  }

  private CompletionStage<Optional<TransactionStatus>> statusOfSender(
      ContractAddress contract, TransactionId transaction) {
    return services
        .knows(contract)
        .thenCompose(
            known ->
                known
                    ? AskedAgain.<SenderActor.Command, SenderActor.Found>ask(
                            services.entities().sender(contract),
                            replyTo -> new SenderActor.GetTransaction(transaction, replyTo))
                        .thenApply(SenderActor.Found::status)
                    : CompletableFuture.completedFuture(Optional.empty()));
  }

  @Override
  public CompletionStage<TransactionTrace> trace(TransactionId transaction) {
    return traces.gather(transaction);
  }

  @Override
  public SequencerMetrics.Counts counts() {
    return services.metrics().counts();
  }
}
