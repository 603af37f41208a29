package dev.sequitur.node.rpc;

import static java.util.concurrent.CompletableFuture.completedFuture;
import static java.util.concurrent.CompletableFuture.failedFuture;

import dev.sequitur.crypto.FreshIntents;
import dev.sequitur.persistence.store.InMemoryNodeStore;
import dev.sequitur.protocol.distribution.Asking;
import dev.sequitur.protocol.distribution.ComparisonProgress;
import dev.sequitur.protocol.distribution.Erased;
import dev.sequitur.protocol.distribution.Lacking;
import dev.sequitur.protocol.distribution.StateStoreState;
import dev.sequitur.protocol.funding.Funding;
import dev.sequitur.protocol.funding.GasReport;
import dev.sequitur.protocol.group.CommitteeChange;
import dev.sequitur.protocol.group.GroupMessage;
import dev.sequitur.protocol.group.GroupRequest;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.guard.NamePattern;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.BlockRange;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.GroupMessageId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.message.TracedMessage;
import dev.sequitur.protocol.message.TracedMessage.Sight;
import dev.sequitur.protocol.messaging.MessageBook;
import dev.sequitur.protocol.port.ChangeStore;
import dev.sequitur.protocol.port.ChangeStore.AgreedChange;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.port.IntentRules;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.port.MessageStore.Following;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.Acceptance;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.port.Transport;
import dev.sequitur.protocol.room.RoomPolicy;
import dev.sequitur.protocol.selection.CoordinatorSelection;
import dev.sequitur.protocol.selection.SelectionPolicy;
import dev.sequitur.protocol.settings.SequencerSettings.LimitSettings;
import dev.sequitur.protocol.submitter.GasPaid;
import dev.sequitur.protocol.submitter.Submitter;
import dev.sequitur.protocol.submitter.SubmitterState;
import dev.sequitur.protocol.transaction.FreshIntent;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.protocol.transaction.SubmitMode;
import dev.sequitur.sequencer.Jvms;
import dev.sequitur.sequencer.NodeHealth;
import dev.sequitur.sequencer.PublicCalls;
import dev.sequitur.sequencer.SequencerNode;
import dev.sequitur.sequencer.setup.CommitteeNews;
import dev.sequitur.sequencer.setup.SequencerMetrics;
import dev.sequitur.sequencer.view.CoordinatorView;
import dev.sequitur.sequencer.view.GasView;
import dev.sequitur.sequencer.view.JvmView;
import dev.sequitur.sequencer.view.RingView;
import dev.sequitur.sequencer.view.SequencerStatus;
import dev.sequitur.sequencer.view.SequencerStatus.Coordinated;
import dev.sequitur.sequencer.view.SequencerStatus.CoordinatorStatus;
import dev.sequitur.sequencer.view.SequencerStatus.Counted;
import dev.sequitur.sequencer.view.SequencerStatus.HeartbeatSeen;
import dev.sequitur.sequencer.view.SequencerStatus.Lock;
import dev.sequitur.sequencer.view.SequencerStatus.Oldest;
import dev.sequitur.sequencer.view.SequencerStatus.SenderStatus;
import dev.sequitur.sequencer.view.TransactionStatus;
import dev.sequitur.sequencer.view.Whereabouts;
import dev.sequitur.trace.TransactionTrace;
import dev.sequitur.trace.TransactionTrace.Line;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** A node with a little of everything in it, which refuses amounts that are not positive. */
final class FakeSequencerNode implements SequencerNode, NodeHealth, Jvms, PublicCalls {
  /** Those that it knows. */
  final List<PrivacyGroup> groups = new CopyOnWriteArrayList<>(List.of(Sample.group()));

  /** How often it was asked for the members of one. */
  final AtomicInteger groupsAsked = new AtomicInteger();

  /** Whose groups somebody has said that it will ask for; no others are in memory. */
  private final Set<NamePattern> awaited = ConcurrentHashMap.newKeySet();

  /** How often it was asked for a key. */
  final AtomicInteger keysAsked = new AtomicInteger();

  volatile Optional<String> unread = Optional.empty();
  private final InMemoryNodeStore store =
      new InMemoryNodeStore() {
        /** Of the groups that tests have added. */
        @Override
        public CompletionStage<List<String>> localMembers(Optional<String> after, int limit) {
          return completedFuture(
              FakeSequencerNode.this.groups.stream()
                  .flatMap(group -> FakeSequencerNode.local(group).stream())
                  .distinct()
                  .sorted()
                  .filter(name -> after.isEmpty() || name.compareTo(after.get()) > 0)
                  .limit(limit)
                  .toList());
        }
      };
  private final CommitteeNews committees = new CommitteeNews();
  private final FakeLedger ledger = new FakeLedger();

  /** What {@link #resolveVerifier} does instead of answering, if a test wants it so. */
  private final FreshIntents fresh = new FreshIntents(LimitSettings.DEFAULT.intentSeries());

  volatile Supplier<CompletionStage<Verifier>> verifierOutcome =
      () -> completedFuture(Sample.VERIFIER);

  /** When it is known how a transaction stands. */
  volatile Supplier<CompletionStage<Void>> statusOutcome = () -> completedFuture(null);

  /** What {@link #call} does instead of answering, if a test wants it so. */
  volatile Supplier<CompletionStage<Bytes>> callOutcome =
      () -> completedFuture(Bytes.utf8("{\"balance\":\"90\",\"coins\":2}"));

  volatile boolean member = true;
  volatile Optional<String> publicsWaitFor = Optional.empty();
  volatile Optional<Lacking> lacking = Optional.empty();
  volatile Optional<String> stopped = Optional.empty();
  volatile Optional<String> parted = Optional.empty();
  private volatile Optional<ComparisonProgress> comparison = Optional.empty();
  volatile Optional<String> notRecovered = Optional.empty();
  volatile Supplier<CompletionStage<Optional<String>>> undealt =
      () -> CompletableFuture.completedFuture(Optional.empty());
  volatile GasReport gas = GasReport.NONE;
  volatile List<String> remarksOfKeys = List.of();
  volatile BlockHeight height = FakeLedger.FINAL;
  volatile Map<NodeName, Transport.Link> links = Map.of();

  FakeSequencerNode() {
    store.putGroup(Sample.confirmedGroup());
    store.putGroup(Sample.unconfirmedGroup());
    store.putGroup(Sample.awaitedGroup());
    store.agree(Sample.agreedChange());
    store.accept(
        List.of(
            Sample.intent(Sample.CONFIRMED, "invoice-7", SubmitMode.AUTO),
            Sample.intent(Sample.REVERTED, null, SubmitMode.AUTO),
            Sample.intent(Sample.PENDING, null, SubmitMode.AUTO),
            Sample.intent(Sample.EXTERNAL, null, SubmitMode.EXTERNAL)));
    store.complete(List.of(Sample.confirmed(Sample.CONFIRMED), Sample.reverted(Sample.REVERTED)));
    store.putStates(List.of(Sample.output()));
    store.putPrepared(
        new NodeStore.Prepared(Sample.prepared(), List.of(Sample.output()), Sample.NOW));
  }

  @Override
  public NodeName name() {
    return Sample.NODE;
  }

  @Override
  public InMemoryNodeStore store() {
    return store;
  }

  @Override
  public RoomPolicy room() {
    return RoomPolicy.of(Duration.ofDays(90), Duration.ofDays(365));
  }

  @Override
  public FakeLedger ledger() {
    return ledger;
  }

  @Override
  public Keys keys() {
    return new Keys() {
      @Override
      public Verifier verifier(String name) {
        keysAsked.incrementAndGet();
        return Sample.VERIFIER;
      }

      @Override
      public List<String> remarks() {
        return remarksOfKeys;
      }

      @Override
      public CompletionStage<Bytes> signed(String name, Verifier key, Bytes message) {
        return name.equals("away")
            ? CompletableFuture.failedFuture(new IllegalStateException("It is silent."))
            : Keys.super.signed(name, key, message);
      }

      @Override
      public Bytes sign(String name, Hash digest) {
        if (name.equals("revoked")) {
          throw new RevokedKeyException(name);
        }
        var signature = new byte[65];
        signature[64] = 27;
        return Bytes.of(signature);
      }
    };
  }

  @Override
  public Map<String, Domain> domains() {
    return Map.of(
        "token",
        new FakeDomain("token"),
        "record",
        new FakeDomain("record"),
        "noto",
        new FakeDomain("noto"));
  }

  @Override
  public Set<NodeName> peers() {
    return Set.of(new NodeName("node2"), new NodeName("node3"));
  }

  @Override
  public Map<NodeName, Transport.Link> links() {
    return links;
  }

  @Override
  public boolean isMember() {
    return member;
  }

  /** Of which entity it was asked where it is. */
  volatile String lastSought = "";

  /** Agrees to whatever it is. */
  @Override
  public CommitteeNews committees() {
    return committees;
  }

  @Override
  public CompletionStage<AgreedChange> agree(
      ContractAddress contract, CommitteeChange change, String by) {
    return store
        .agree(AgreedChange.of(contract, change, Sample.NOW, by, ChangeStore.Phase.SIGNING))
        .thenApply(Optional::orElseThrow);
  }

  @Override
  public CompletionStage<Optional<AgreedChange>> withdraw(ContractAddress contract) {
    return store.agreed(contract);
  }

  @Override
  public NodeHealth health() {
    return this;
  }

  @Override
  public Jvms jvms() {
    return this;
  }

  @Override
  public PublicCalls publicCalls() {
    return this;
  }

  @Override
  public CompletionStage<List<JvmView>> all() {
    return completedFuture(Sample.JVMS);
  }

  @Override
  public CompletionStage<Whereabouts> where(ContractAddress contract) {
    return group(contract).isEmpty()
        ? CompletableFuture.failedFuture(IntentRules.unknownGroup(contract))
        : where("sender", contract.value());
  }

  @Override
  public CompletionStage<Whereabouts> where(String kind, String entity) {
    lastSought = entity;
    var jvm = Sample.JVMS.get(0);
    return completedFuture(
        new Whereabouts(
            List.of(new Whereabouts.Awake(kind, jvm.jvm(), jvm.told().orElseThrow().joined())),
            List.of()));
  }

  @Override
  public GasReport gas() {
    return gas;
  }

  @Override
  public CompletionStage<GasView> gas(ContractAddress contract) {
    return CompletableFuture.completedFuture(
        new GasView(
            contract,
            new LedgerAddress("0x" + "7".repeat(40)),
            new Funding.OfKey(
                Optional.of(BigInteger.TWO.pow(64)),
                BigInteger.valueOf(100_000),
                false,
                new GasReport(
                    GasReport.Status.RUNS_OUT,
                    Optional.of(new LedgerAddress("0x" + "8".repeat(40))),
                    BigInteger.valueOf(12_000),
                    1,
                    0,
                    0,
                    "The money for gas runs out: the funding account has 12000 left. Send money to"
                        + " the funding account 0x8888888888888888888888888888888888888888.")),
            new GasPaid(BigInteger.valueOf(250_000), BigInteger.valueOf(50_000))));
  }

  @Override
  public Optional<String> ledgerUnread() {
    return unread;
  }

  @Override
  public CompletionStage<ComparisonProgress> compareWithLedger(
      ContractAddress contract, boolean rebuild) {
    comparison =
        Optional.of(
            new ComparisonProgress(
                contract,
                rebuild ? ComparisonProgress.Status.REBUILT : ComparisonProgress.Status.DIFFERENT,
                rebuild,
                new BlockHeight(1),
                new BlockHeight(8),
                Optional.of(new BlockHeight(7)),
                1,
                2,
                0,
                0,
                Optional.empty(),
                lacking));
    return completedFuture(comparison.get());
  }

  @Override
  public CompletionStage<Optional<ComparisonProgress>> comparison(ContractAddress contract) {
    return completedFuture(comparison);
  }

  @Override
  public CompletionStage<Optional<Lacking>> lacking(ContractAddress contract) {
    return completedFuture(lacking);
  }

  @Override
  public CompletionStage<Erased.Answer> erase(ContractAddress contract, List<StateId> states) {
    return completedFuture(
        states.contains(Sample.output().id())
            ? new Erased.Answer(
                Optional.of("State %s is unspent.".formatted(states.getFirst().value())),
                Optional.empty())
            : new Erased.Answer(Optional.empty(), Optional.of(ERASURE)));
  }

  private static final Erased.Demand ERASURE =
      new Erased.Demand(
          new RequestId("erasure"),
          Sample.NOW,
          List.of(new StateId(Hash.sha256(new byte[] {1}))),
          List.of(new NodeName("node2")),
          List.of(new NodeName("node3")),
          List.of());

  @Override
  public CompletionStage<Erased.Page> erasures(
      ContractAddress contract, Optional<Erased.Place> after, int limit) {
    return completedFuture(new Erased.Page(List.of(ERASURE), Optional.empty()));
  }

  @Override
  public CompletionStage<Optional<String>> stopped(ContractAddress contract) {
    return completedFuture(stopped);
  }

  @Override
  public List<String> remarks() {
    return List.of();
  }

  @Override
  public Optional<String> ledgerParted() {
    return parted;
  }

  @Override
  public CompletionStage<Optional<String>> undealt() {
    return undealt.get();
  }

  @Override
  public Optional<String> notRecovered() {
    return notRecovered;
  }

  @Override
  public int groupCount() {
    return groups.size();
  }

  @Override
  public CompletionStage<Boolean> knows(ContractAddress contract) {
    return completedFuture(group(contract).isPresent());
  }

  @Override
  public CompletionStage<Void> awaitGroupsOf(Collection<NamePattern> identities) {
    awaited.addAll(identities);
    return completedFuture(null);
  }

  @Override
  public Optional<List<String>> localMembers(ContractAddress contract) {
    groupsAsked.incrementAndGet();
    return group(contract)
        .map(FakeSequencerNode::local)
        .filter(
            names ->
                names.stream()
                    .map(name -> new Identity(name, Sample.NODE).toString())
                    .anyMatch(name -> awaited.stream().anyMatch(each -> each.matches(name))));
  }

  private static List<String> local(PrivacyGroup group) {
    return group.committee().identities().stream()
        .filter(member -> member.node().equals(Sample.NODE))
        .map(Identity::name)
        .toList();
  }

  @Override
  public CompletionStage<Optional<PrivacyGroup>> load(ContractAddress contract) {
    return completedFuture(group(contract));
  }

  @Override
  public Optional<PrivacyGroup> group(ContractAddress contract) {
    return groups.stream().filter(group -> group.contract().equals(contract)).findFirst();
  }

  @Override
  public FreshIntent fresh(ContractAddress contract, Identity from) {
    return fresh.next(contract, from);
  }

  @Override
  public CompletionStage<List<TransactionId>> submit(List<Intent> batch) {
    if (batch.stream().anyMatch(intent -> intent.publicly().isPresent())) {
      return failedFuture(IntentRules.noContracts());
    }
    for (var intent : batch) {
      var inputs = intent.privately().map(it -> it.inputs().toUtf8()).orElse("");
      if (inputs.contains("\"amount\":\"0\"") || inputs.contains("\"amount\":\"-")) {
        return failedFuture(
            new RefusedIntent("SQ030001", "The amount must be positive. Send at least 1."));
      }
    }
    try {
      for (var intent : batch) {
        for (var asked : intent.privately().stream().toList()) {
          var group = group(asked.contract());
          IntentRules.check(group.orElseThrow(), asked.domain(), asked.from(), name());
        }
      }
    } catch (RefusedIntent e) {
      return failedFuture(e);
    }
    return store
        .accept(batch)
        .thenCompose(
            acceptance ->
                switch (acceptance) {
                  case Acceptance.Accepted accepted -> completedFuture(accepted.ids());
                  case Acceptance.IdempotencyConflict conflict ->
                      failedFuture(IntentRules.conflict(batch, conflict));
                });
  }

  @Override
  public CompletionStage<StoredGroup> createGroup(GroupRequest request) {
    if (request.configuration().toUtf8().contains("impossible")) {
      return failedFuture(new RefusedIntent("SQ030003", "The configuration cannot be used."));
    }
    var group =
        StoredGroup.of(new GroupId(Sample.hash(request.name())), Sample.NOW)
            .withGenesisTransaction(Optional.of(new TransactionId(UUID.randomUUID())))
            .withRequest(request.request());
    return store.putGroup(group).thenApply(done -> group);
  }

  @Override
  public CompletionStage<Verifier> resolveVerifier(Identity identity) {
    return verifierOutcome.get();
  }

  @Override
  public CompletionStage<Bytes> call(
      ContractAddress contract, Identity from, String function, Bytes inputs) {
    return callOutcome.get();
  }

  /** Keeps it, as if every other node had it. */
  @Override
  public CompletionStage<MessageBook.Outcome> sendMessage(
      ContractAddress contract, Optional<GroupMessageId> answers, String topic, Bytes data) {
    if (topic.equals("slow")) {
      return completedFuture(new MessageBook.Outcome.TooMany(new NodeName("node2")));
    }
    return store
        .newestMessages(contract)
        .thenCompose(
            newest -> {
              var content = new GroupMessage.Content(Sample.NOW, answers, topic, data);
              long number = newest.getOrDefault(name(), 0L) + 1;
              var message = new GroupMessage(contract, name(), number, content);
              return store
                  .putMessages(Sample.NOW, List.of(new Following(number - 1, message)))
                  .thenApply(kept -> new MessageBook.Outcome.Sent(message.id()));
            });
  }

  /** Whatever it has is confirmed. */
  @Override
  public CompletionStage<StateStoreState.Standing> standing(
      ContractAddress contract, List<StateId> states) {
    return completedFuture(new StateStoreState.Standing(Set.copyOf(states), Set.of()));
  }

  @Override
  public CompletionStage<Boolean> resume(TransactionId transaction) {
    return completedFuture(transaction.equals(Sample.PENDING));
  }

  @Override
  public BlockHeight blockHeight() {
    return height;
  }

  /** What has a receipt is changed no more. */
  @Override
  public CompletionStage<Optional<Submitter.ChangeRefusal>> replace(
      PublicTransaction by, Optional<Fees> fees) {
    return store
        .receipt(by.id())
        .thenCompose(
            found ->
                found.isPresent()
                    ? CompletableFuture.completedFuture(Optional.of(Submitter.ChangeRefusal.ENDING))
                    : store.change(by).thenApply(done -> Optional.empty()));
  }

  @Override
  public CompletionStage<Optional<Submitter.ChangeRefusal>> cancel(
      Identity from, TransactionId id) {
    return store.receipt(id).thenApply(found -> found.map(any -> Submitter.ChangeRefusal.ENDING));
  }

  /** The key's next nonce has what is pending of it. */
  @Override
  public CompletionStage<List<SubmitterState.Underway>> underway(Identity from) {
    return store
        .publicPending(from, 0, 1)
        .thenApply(
            pending ->
                pending.stream()
                    .map(
                        intent ->
                            new SubmitterState.Underway(
                                intent.transaction().id(),
                                Optional.of(5L),
                                List.of(Sample.submitted()),
                                publicsWaitFor))
                    .toList());
  }

  @Override
  public CompletionStage<CoordinatorView> coordinator(ContractAddress contract) {
    return completedFuture(
        new CoordinatorView(
            contract,
            blockHeight(),
            new BlockRange(0),
            100,
            Sample.BOB.node(),
            List.of(
                new CoordinatorView.Ranked(
                    1,
                    Sample.BOB,
                    "81985529216486895",
                    true,
                    "Nearest to the range's point.",
                    Optional.empty()),
                new CoordinatorView.Ranked(
                    2,
                    Sample.ALICE,
                    "1147797409030816545",
                    false,
                    "It did not answer a delegation.",
                    Optional.of(Sample.NOW.plusSeconds(30))))));
  }

  @Override
  public CompletionStage<RingView> ring(ContractAddress contract) {
    var selection = new CoordinatorSelection(Sample.group(), new SelectionPolicy(100, 2));
    return completedFuture(
        new RingView(contract, blockHeight(), 100, selection.ring(new BlockRange(0), 2)));
  }

  @Override
  public CompletionStage<SequencerStatus> status(ContractAddress contract) {
    return completedFuture(
        new SequencerStatus(
            name(),
            contract,
            blockHeight(),
            Optional.of(
                new Lacking(
                    3,
                    new BlockHeight(14),
                    List.of(
                        new Lacking.Asked(
                            new NodeName("node2"), Optional.of(Asking.Answer.NONE))))),
            new SenderStatus(
                List.of(status()),
                List.of(new Counted(status().state(), 1)),
                List.of(
                    new Oldest(
                        Sample.PENDING,
                        Sample.NOW.minusSeconds(90),
                        Duration.ofSeconds(90),
                        status().state(),
                        status().waitsFor(),
                        List.of(Sample.BOB.node()))),
                "Dispatched transactions of an earlier range hold back.",
                Optional.of(Sample.NOW.plusSeconds(5))),
            new CoordinatorStatus(
                "ACTIVE",
                List.of(
                    new Coordinated(
                        Sample.PENDING,
                        Sample.NODE,
                        "ATTESTATION",
                        List.of(Sample.EXTERNAL),
                        List.of(Sample.BOB))),
                List.of(new Counted("ATTESTATION", 1)),
                List.of(new Lock(Sample.state("in"), Sample.PENDING)),
                1),
            List.of(new HeartbeatSeen(Sample.BOB.node(), "coordinator", Sample.NOW, 1))));
  }

  private static TransactionStatus status() {
    return new TransactionStatus(
        Sample.PENDING,
        "Delegated",
        Optional.of(Sample.BOB.node()),
        Optional.empty(),
        "The coordinator gathers endorsements.",
        1,
        List.of(new TransactionStatus.Event(Sample.NOW, "Delegated to node2.")));
  }

  @Override
  public CompletionStage<Optional<TransactionStatus>> transactionStatus(TransactionId id) {
    return statusOutcome
        .get()
        .thenApply(now -> Optional.of(status()).filter(known -> known.transaction().equals(id)));
  }

  @Override
  public CompletionStage<TransactionTrace> trace(TransactionId transaction) {
    if (!transaction.equals(Sample.PENDING)) {
      return completedFuture(new TransactionTrace(List.of(), List.of(), 0));
    }
    var command = new MessageId(new UUID(1, 1));
    var both = List.of(Sample.NODE, Sample.BOB.node());
    return completedFuture(
        new TransactionTrace(
            List.of(
                new Line(message(1, command, Optional.empty(), "DelegationCommand"), both),
                new Line(
                    message(
                        2,
                        new MessageId(new UUID(1, 2)),
                        Optional.of(command),
                        "DelegationAccepted"),
                    both),
                new Line(
                    message(
                        3,
                        new MessageId(new UUID(1, 3)),
                        Optional.empty(),
                        "CoordinatorHeartbeatNotification"),
                    both)),
            List.of(new NodeName("node3")),
            0));
  }

  private static TracedMessage message(
      long number, MessageId id, Optional<MessageId> correlation, String type) {
    boolean reply = correlation.isPresent();
    return new TracedMessage(
        Sight.SENT,
        number,
        Sample.NOW,
        id,
        correlation,
        reply ? Sample.BOB.node() : Sample.NODE,
        reply ? "coordinator" : "sender",
        reply ? Sample.NODE : Sample.BOB.node(),
        reply ? "sender" : "coordinator",
        Optional.of(Sample.CONTRACT),
        type,
        List.of(Sample.PENDING),
        reply ? "" : "block 8");
  }

  @Override
  public SequencerMetrics.Counts counts() {
    return SequencerMetrics.Counts.NONE;
  }

  /** A future that never completes, for calls that take too long. */
  static <T> CompletionStage<T> never() {
    return new CompletableFuture<>();
  }
}
