package dev.sequitur.sequencer.runtime;

import akka.Done;
import akka.actor.CoordinatedShutdown;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.DispatcherSelector;
import akka.actor.typed.Props;
import akka.actor.typed.javadsl.AskPattern;
import akka.cluster.sharding.typed.ClusterShardingSettings;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import akka.cluster.typed.ClusterSingleton;
import akka.cluster.typed.SingletonActor;
import akka.pattern.Patterns;
import dev.sequitur.cluster.TrustedPaths;
import dev.sequitur.cluster.placement.RegionCoordinators;
import dev.sequitur.crypto.FreshIntents;
import dev.sequitur.crypto.IntentSalt;
import dev.sequitur.protocol.distribution.ComparisonProgress;
import dev.sequitur.protocol.distribution.Lacking;
import dev.sequitur.protocol.distribution.StateStoreState;
import dev.sequitur.protocol.funding.Funding;
import dev.sequitur.protocol.funding.GasReport;
import dev.sequitur.protocol.group.GroupMessage;
import dev.sequitur.protocol.group.GroupRequest;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupMessageId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.ResolveVerifierError;
import dev.sequitur.protocol.message.ResolveVerifierRequest;
import dev.sequitur.protocol.message.ResolveVerifierResponse;
import dev.sequitur.protocol.messaging.MessageBook;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.port.IntentRules;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.IndexedTo;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.port.PrivateTransactions;
import dev.sequitur.protocol.port.Transport;
import dev.sequitur.protocol.sender.Handover;
import dev.sequitur.protocol.submitter.Submitter;
import dev.sequitur.protocol.submitter.SubmitterState;
import dev.sequitur.protocol.transaction.FreshIntent;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.sequencer.SequencerNode;
import dev.sequitur.sequencer.actor.BlockFeed;
import dev.sequitur.sequencer.actor.BlockFeedCommand;
import dev.sequitur.sequencer.actor.CoordinatorActor;
import dev.sequitur.sequencer.actor.Entities;
import dev.sequitur.sequencer.actor.Founder;
import dev.sequitur.sequencer.actor.GasKeeper;
import dev.sequitur.sequencer.actor.IntentHandover;
import dev.sequitur.sequencer.actor.LedgerComparer;
import dev.sequitur.sequencer.actor.LedgerFork;
import dev.sequitur.sequencer.actor.LedgerIndexer;
import dev.sequitur.sequencer.actor.MessageBookActor;
import dev.sequitur.sequencer.actor.NodeServices;
import dev.sequitur.sequencer.actor.NodeStanding;
import dev.sequitur.sequencer.actor.SenderActor;
import dev.sequitur.sequencer.actor.StateStoreActor;
import dev.sequitur.sequencer.actor.SubmitterActor;
import dev.sequitur.sequencer.setup.NodeKeyNames;
import dev.sequitur.sequencer.setup.NodeSetup;
import dev.sequitur.sequencer.setup.SequencerMetrics;
import dev.sequitur.sequencer.view.CoordinatorView;
import dev.sequitur.sequencer.view.GasView;
import dev.sequitur.sequencer.view.JvmView;
import dev.sequitur.sequencer.view.RingView;
import dev.sequitur.sequencer.view.SequencerStatus;
import dev.sequitur.sequencer.view.SequencerStatus.CoordinatorReport;
import dev.sequitur.sequencer.view.SequencerStatus.SenderReport;
import dev.sequitur.sequencer.view.TransactionStatus;
import dev.sequitur.sequencer.view.Whereabouts;
import dev.sequitur.trace.TransactionTrace;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A node whose actors run. Made by {@link #start}; stopped with its actor system. */
public final class RunningSequencer implements SequencerNode {
  private static final Logger LOG = LoggerFactory.getLogger(RunningSequencer.class);
  private static final String INDEXER = "ledger-indexer";
  private static final String COMPARER = "ledger-comparer";
  private static final String GAS_KEEPER = "gas-keeper";

  private static final Duration ASK = Duration.ofSeconds(10);
  private static final int START_READS = 8;
  private static final int KNOWN_PAGE = 5_000;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
  private static final double START_PAUSE_RANDOMNESS = 0.2;

  private final ActorSystem<?> system;
  private final NodeServices services;
  private final ActorRef<LedgerComparer.Command> comparer;
  private final ActorRef<Founder.Command> founder;
  private final TraceGathering traces;
  private final ActorRef<IntentHandover.Command> handover;
  private final BatchSubmission submission;
  private final Groups groups;
  private final Views views;
  private final FreshIntents fresh;
  private final RegionCoordinators coordinators;
  private final JvmSelf jvm;
  private final ActorRef<JvmGathering.Command> jvms;

  /**
   * Starts the actors of a node and takes up what was unfinished.
   *
   * @param system configured by a profile of cluster-config; a cluster of its own, not yet joined
   * @return completes when the node takes part in the protocol
   */
  public static CompletionStage<RunningSequencer> start(ActorSystem<?> system, NodeSetup setup) {
    return start(system, setup, Optional.empty());
  }

  /**
   * As {@link #start(ActorSystem, NodeSetup)}.
   *
   * @param gone the block that was read last and is gone, if the ledger is to be read again from
   *     where it has parted from what was read (CNF-10). Fails with a sentence for the operator if
   *     it is and another JVM of the node runs
   */
  public static CompletionStage<RunningSequencer> start(
      ActorSystem<?> system, NodeSetup setup, Optional<Hash> gone) {
    CarriedTraces.carry(system, setup.spans());
    var store = setup.ports().store();
    var writers = setup.ports().writers();
    var entered = new CompletableFuture<Done>();
    var fellows =
        system.systemActorOf(
            FellowJvms.create(store, writers, entered), "fellow-jvms", Props.empty());
    return AskPattern.<FellowJvms.Command, Done>ask(
            fellows, FellowJvms.AwaitListening::new, ASK, system.scheduler())
        .thenCompose(listening -> patiently(system, writers::others))
        .thenCompose(others -> Membership.join(system, !others.isEmpty()))
        .thenCompose(joined -> entered)
        .thenCompose(
            joined -> gone.map(block -> reindex(system, setup, block)).orElseGet(() -> completed()))
        .thenCompose(joined -> patiently(system, store::indexedTo))
        // After it: of what begins in later blocks the feed hears.
        .thenCompose(
            indexedTo ->
                know(system, setup, Optional.empty())
                    .thenApply(known -> begin(system, setup, indexedTo)))
        .thenCompose(node -> node.takeUpUnfinished(fellows));
  }

  /** Of all groups what tells them apart; a group itself is read when it is used. */
  private static CompletionStage<Void> know(
      ActorSystem<?> system, NodeSetup setup, Optional<ContractAddress> after) {
    return patiently(system, () -> setup.ports().store().knownGroups(after, KNOWN_PAGE))
        .thenCompose(
            page -> {
              page.forEach(setup.ports().groups()::know);
              return page.size() < KNOWN_PAGE
                  ? completed()
                  : know(system, setup, Optional.of(page.getLast().contract()));
            });
  }

  private static CompletionStage<Void> completed() {
    return CompletableFuture.completedStage(null);
  }

  /** A ledger that cannot be asked keeps no node from starting: it halts there as before. */
  private static CompletionStage<Void> reindex(ActorSystem<?> system, NodeSetup setup, Hash gone) {
    var fork = new LedgerFork(setup.ports().ledger(), setup.ports().store());
    return patiently(system, () -> fork.find(gone))
        .exceptionally(
            failure -> {
              LOG.warn(
                  "Where the base ledger has parted from what this node has read cannot be found, so it"
                      + " is not read again. Start the node once more with --reindex: {}",
                  Answers.cause(failure).getMessage());
              return Optional.empty();
            })
        .thenCompose(
            from -> from.map(block -> begin(system, fork, block)).orElseGet(() -> completed()));
  }

  /** Whoever was told of blocks that are gone must have ended. */
  private static CompletionStage<Void> begin(
      ActorSystem<?> system, LedgerFork fork, IndexedTo from) {
    return Membership.jvms(system) > 1
        ? CompletableFuture.failedFuture(
            new IllegalStateException(
                "Other JVMs of this node run: stop them all, start this one with --reindex, and"
                    + " then the others without."))
        : fork.begin(from);
  }

  /** A database may be slow just when many JVMs start. */
  private static <T> CompletionStage<T> patiently(
      ActorSystem<?> system, Callable<CompletionStage<T>> read) {
    return Patterns.retry(
        read, START_READS, FIRST_PAUSE, LONGEST_PAUSE, START_PAUSE_RANDOMNESS, system);
  }

  private static RunningSequencer begin(
      ActorSystem<?> system, NodeSetup setup, Optional<IndexedTo> indexedTo) {
    var standing =
        new NodeStanding(setup, indexedTo.map(IndexedTo::height).orElse(BlockHeight.ZERO));
    int shards = system.settings().config().getInt("sequitur.sharding.remembered.number-of-shards");
    var feed =
        system.systemActorOf(
            BlockFeed.create(setup, standing, shards), "block-feed", Props.empty());
    var computing = system.dispatchers().lookup(DispatcherSelector.defaultDispatcher());
    var services =
        new NodeServices(
            setup,
            standing,
            new NodeServices.Actors(feed, gasKeeper(system, setup, standing, computing)),
            new Entities(ClusterSharding.get(system)),
            computing);
    TrustedPaths.requireSingleton(system.settings().config(), COMPARER);
    var comparer =
        ClusterSingleton.get(system)
            .init(SingletonActor.of(LedgerComparer.create(services), COMPARER));
    var node = new RunningSequencer(system, services, comparer);
    EntityKinds.init(system, services);
    TrustedPaths.requireSingleton(system.settings().config(), INDEXER);
    var indexer =
        ClusterSingleton.get(system)
            .init(SingletonActor.of(LedgerIndexer.create(services, comparer), INDEXER));
    feed.tell(new BlockFeedCommand.Begin(indexer));
    services
        .setup()
        .ports()
        .transport()
        .receive(
            new Inbound(
                services,
                Founder.joining(services),
                answer -> node.founder.tell(new Founder.Answer(answer, false)),
                node.traces));
    CoordinatedShutdown.get(system)
        .addTask(
            CoordinatedShutdown.PhaseServiceStop(),
            "close-transport",
            () -> {
              services.setup().ports().transport().close();
              return CompletableFuture.completedFuture(Done.getInstance());
            });
    return node;
  }

  /** Where gas costs money. */
  private static Optional<ActorRef<GasKeeper.Command>> gasKeeper(
      ActorSystem<?> system, NodeSetup setup, NodeStanding standing, Executor computing) {
    TrustedPaths.requireSingleton(system.settings().config(), GAS_KEEPER);
    return setup.rules().gas().ceiling().max() > 0
        ? setup
            .ports()
            .ledger()
            .gasMoney()
            .map(
                money ->
                    SingletonActor.of(
                        GasKeeper.create(setup, standing, money, computing), GAS_KEEPER))
            .map(ClusterSingleton.get(system)::init)
        : Optional.empty();
  }

  private RunningSequencer(
      ActorSystem<?> system, NodeServices services, ActorRef<LedgerComparer.Command> comparer) {
    this.comparer = comparer;
    this.system = system;
    this.services = services;
    this.coordinators = RegionCoordinators.of(system.classicSystem(), System::nanoTime);
    this.jvm =
        new JvmSelf(
            system.classicSystem(),
            services.setup().registry(),
            services.now(),
            List.of(INDEXER, COMPARER, GAS_KEEPER));
    this.jvms = system.systemActorOf(JvmGathering.create(jvm), "jvm-gathering", Props.empty());
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
                case Message.ForMachine message -> throw answeredByAny(message);
              }
            }));
    var handover =
        system.systemActorOf(IntentHandover.create(services), "intent-handover", Props.empty());
    this.handover = handover;
    this.groups = new Groups(system, founder, Founder.rules(services));
    this.submission = new BatchSubmission(services, handover, groups);
    this.views = new Views(services);
  }

  private void passedOn(Envelope answer) {
    founder.tell(new Founder.Answer(answer, true));
  }

  private static IllegalStateException answeredByAny(Message message) {
    return new IllegalStateException("The JVMs of a node do not pass on " + message.getClass());
  }

  /** Senders with unfinished intents, and groups whose contract is not confirmed. */
  private CompletionStage<RunningSequencer> takeUpUnfinished(ActorRef<FellowJvms.Command> fellows) {
    fellows.tell(new FellowJvms.Inform(handover, this::takeUpGroups));
    return patiently(system, store()::sendersWithPublicPending)
        .thenCompose(
            senders -> {
              handover.tell(new IntentHandover.Told(new Handover.Input.PublicsAccepted(senders)));
              return patiently(system, store()::contractsWithPending);
            })
        .thenCompose(
            contracts -> {
              var known =
                  contracts.stream().filter(services.groups()::isKnown).collect(Collectors.toSet());
              handover.tell(new IntentHandover.Told(new Handover.Input.InDoubt(known)));
              return takeUpGroups();
            })
        .thenApply(done -> this);
  }

  /** Those that are stored first: what asks for one of them then only waits for it. */
  private CompletionStage<Void> takeUpGroups() {
    return patiently(system, groups::takeUp);
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
  public boolean isMember() {
    return Membership.isMember(system);
  }

  @Override
  public FreshIntent fresh(ContractAddress contract, Identity from) {
    return fresh.next(contract, from);
  }

  @Override
  public int groupCount() {
    return services.groups().size();
  }

  @Override
  public boolean knows(ContractAddress contract) {
    return services.groups().isKnown(contract);
  }

  @Override
  public Optional<List<String>> localMembers(ContractAddress contract) {
    return services.groups().local(contract);
  }

  @Override
  public Set<String> localMembers() {
    return services.groups().local();
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
    return groups.create(request);
  }

  @Override
  public CompletionStage<Verifier> resolveVerifier(Identity identity) {
    return groups.resolve(identity);
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
    if (!services.groups().isKnown(contract)) {
      return CompletableFuture.failedFuture(IntentRules.unknownGroup(contract));
    }
    GroupMessage.Content.check(topic, data);
    CompletionStage<MessageBookActor.Written> written =
        services
            .entities()
            .messageBook(contract)
            .ask(replyTo -> new MessageBookActor.Write(answers, topic, data, replyTo), ASK);
    return written.thenApply(MessageBookActor.Written::outcome);
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
  public List<String> remarks() {
    return Stream.of(
            services.standing().reindexing().stream(),
            services.standing().lacking().sentences().stream(),
            services.stuck().stream())
        .flatMap(remarks -> remarks)
        .toList();
  }

  @Override
  public Optional<String> ledgerParted() {
    return services.standing().reading().parted();
  }

  @Override
  public Optional<String> ledgerUnread() {
    return services.standing().reading().unread();
  }

  @Override
  public Optional<String> notRecovered() {
    return services.recoveries().trouble();
  }

  @Override
  public CompletionStage<List<JvmView>> jvms() {
    int shards = ClusterShardingSettings.create(system).numberOfShards();
    return gathered(Optional.empty())
        .thenApply(gathered -> JvmViews.of(gathered, jvm.name(), shards));
  }

  @Override
  public CompletionStage<Whereabouts> where(ContractAddress contract) {
    return !services.groups().isKnown(contract)
        ? CompletableFuture.failedFuture(IntentRules.unknownGroup(contract))
        : where(EntityKinds.OF_A_CONTRACT, contract.value());
  }

  @Override
  public CompletionStage<Whereabouts> where(String kind, String entity) {
    return where(Set.of(kind), entity);
  }

  private CompletionStage<Whereabouts> where(Set<String> kinds, String entity) {
    return gathered(Optional.of(entity)).thenApply(gathered -> JvmViews.where(gathered, kinds));
  }

  private CompletionStage<JvmGathering.Gathered> gathered(Optional<String> sought) {
    return AskPattern.<JvmGathering.Command, JvmGathering.Gathered>ask(
            jvms, replyTo -> new JvmGathering.Gather(sought, replyTo), ASK, system.scheduler())
        .thenApply(
            gathered -> {
              if (gathered.tooMany()) {
                throw new RefusedIntent(
                    "SQ020026",
                    "Too many ask about the node's JVMs at once: ask again in some seconds.");
              }
              return gathered;
            });
  }

  @Override
  public CompletionStage<Optional<String>> undealt() {
    return coordinators.trouble();
  }

  @Override
  public GasReport gas() {
    return services.standing().gas();
  }

  @Override
  public CompletionStage<GasView> gas(ContractAddress contract) {
    if (!services.groups().isKnown(contract)) {
      return CompletableFuture.failedFuture(IntentRules.unknownGroup(contract));
    }
    var verifier = services.keys().verifier(NodeKeyNames.submitter(contract));
    var key = services.signatures().address(verifier);
    return account(key)
        .thenCombine(
            AskedAgain.<SubmitterActor.Command, SubmitterActor.Paid>ask(
                services.entities().submitter(contract), SubmitterActor.GetPaid::new),
            (account, paid) -> new GasView(contract, key, account.key(), paid.paid()));
  }

  @Override
  public CompletionStage<List<SubmitterState.Underway>> publicsUnderway(Identity from) {
    return AskedAgain.<SubmitterActor.Command, SubmitterActor.Publics>ask(
            services.entities().publicSubmitter(from), SubmitterActor.GetPublics::new)
        .thenApply(SubmitterActor.Publics::underway);
  }

  /** The submitter first: what it has is what is carried out. */
  @Override
  public CompletionStage<Optional<Submitter.ChangeRefusal>> replace(
      PublicTransaction by, Optional<Fees> fees) {
    return services
        .entities()
        .publicSubmitter(by.from())
        .<SubmitterActor.PublicChange>ask(
            replyTo -> new SubmitterActor.ReplacePublic(by.bare(), fees, replyTo), ASK)
        .thenCompose(
            change ->
                change.refusal().isPresent()
                    ? CompletableFuture.completedFuture(change.refusal())
                    : store().change(by).thenApply(stored -> change.refusal()));
  }

  @Override
  public CompletionStage<Optional<Submitter.ChangeRefusal>> cancel(
      Identity from, TransactionId id) {
    return services
        .entities()
        .publicSubmitter(from)
        .<SubmitterActor.PublicChange>ask(
            replyTo -> new SubmitterActor.CancelPublic(id, replyTo), ASK)
        .thenApply(SubmitterActor.PublicChange::refusal);
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
    if (!services.groups().isKnown(contract)) {
      return CompletableFuture.failedFuture(IntentRules.unknownGroup(contract));
    }
    return services
        .load(contract)
        .thenCombine(
            senderReport(contract), (group, report) -> views.coordinator(contract, report));
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
    if (!services.groups().isKnown(contract)) {
      return CompletableFuture.failedFuture(IntentRules.unknownGroup(contract));
    }
    return lacking(contract)
        .thenCompose(
            lacking ->
                senderReport(contract)
                    .thenCombine(
                        coordinatorReport(contract),
                        (sender, coordinator) ->
                            views.status(contract, lacking, sender, coordinator)));
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
    return groups
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
                    .filter(known -> services.groups().isKnown(known.contract()))
                    .map(
                        known ->
                            AskedAgain.<SenderActor.Command, SenderActor.Found>ask(
                                    services.entities().sender(known.contract()),
                                    replyTo -> new SenderActor.GetTransaction(transaction, replyTo))
                                .thenApply(SenderActor.Found::status))
                    .orElse(CompletableFuture.completedFuture(Optional.empty())));
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
