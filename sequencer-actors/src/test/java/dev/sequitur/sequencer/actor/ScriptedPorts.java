package dev.sequitur.sequencer.actor;

import dev.sequitur.crypto.Secp256k1Signatures;
import dev.sequitur.domain.Domains;
import dev.sequitur.fixture.Arbitrary;
import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.CanonicalSigning;
import dev.sequitur.protocol.ledger.ContractGenesis;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.SignedLedgerTransaction;
import dev.sequitur.protocol.ledger.Signer;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.port.ChangeStore.AgreedChange;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.port.GroupStore.ChangedGroup;
import dev.sequitur.protocol.port.GroupStore.KnownGroup;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.IndexedTo;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeWriters;
import dev.sequitur.protocol.port.PublicContracts;
import dev.sequitur.protocol.port.ReadSoFar;
import dev.sequitur.protocol.port.Transport;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Proof;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.protocol.transaction.SubmitMode;
import dev.sequitur.sequencer.setup.GroupRegistry;
import dev.sequitur.sequencer.setup.NodeSetup;
import dev.sequitur.trace.TraceRing;
import dev.sequitur.trace.TraceRing.TraceLimits;
import dev.sequitur.trace.TransactionSpans;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** What surrounds one actor, as its test wants it. Thread-safe. */
public final class ScriptedPorts {
  /** Between two looks at the ledger. */
  static final long POLL_MILLIS = 10;

  private static final Secp256k1Signatures SIGNATURES = new Secp256k1Signatures();

  /** Seeds: each has ids of its own, so that entities of two tests in one system share no name. */
  private static final AtomicLong SEEDS = new AtomicLong(1_000_000);

  private final Arbitrary arbitrary = new Arbitrary(SEEDS.incrementAndGet());
  private final List<Block> blocks = new CopyOnWriteArrayList<>();
  private volatile BooleanSupplier blocksFail = () -> false;
  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.ofEpochSecond(1_700_000_000));
  private volatile Duration idlePause = Duration.ZERO;
  private final AtomicLong headQueries = new AtomicLong();
  private final AtomicLong nextNonce = new AtomicLong();
  private final AtomicReference<BlockHeight> indexedTo = new AtomicReference<>();
  private final AtomicReference<IndexedTo> acknowledged =
      new AtomicReference<>(new IndexedTo(BlockHeight.ZERO, new Hash(0, 0, 0, 0)));
  private final Map<BlockHeight, Block> shownOnce = new ConcurrentHashMap<>();
  private volatile long pruned;
  private final AtomicLong firstBlockReads = new AtomicLong();
  private final Set<ContractAddress> made = new HashSet<>();
  private boolean showsMaking;
  private volatile Optional<ReadSoFar> readSoFar = Optional.empty();
  private volatile BlockHeight firstBlock = new BlockHeight(1);
  private final List<Runnable> heldWrites = new CopyOnWriteArrayList<>();
  private final CompletableFuture<List<Intent>> pending = new CompletableFuture<>();
  private final List<Intent> publics = new CopyOnWriteArrayList<>();
  private final List<Receipt> receipts = new CopyOnWriteArrayList<>();
  private final List<Receipt> late = new CopyOnWriteArrayList<>();
  private final CompletableFuture<List<NodeStore.NumberedReceipt>> lateStored =
      new CompletableFuture<>();
  private final Map<Object, NodeStore.Prepared> prepared = new ConcurrentHashMap<>();
  private final List<PrivateState> contents = new CopyOnWriteArrayList<>();
  private final AtomicLong contentLooks = new AtomicLong();
  private final List<KnownGroup> known = new CopyOnWriteArrayList<>();

  /** The block by which all of these have begun or changed. */
  private volatile BlockHeight changed = new BlockHeight(1);

  private final List<Object> lookedFor = new CopyOnWriteArrayList<>();
  private volatile CompletionStage<Void> knownReadable = CompletableFuture.completedFuture(null);
  private volatile CompletionStage<Optional<AgreedChange>> agreed =
      CompletableFuture.completedFuture(Optional.empty());
  private volatile CompletionStage<Void> readable = CompletableFuture.completedFuture(null);
  private volatile CompletionStage<Void> keeping = CompletableFuture.completedFuture(null);
  private final List<Envelope> sent = new CopyOnWriteArrayList<>();
  private final List<CompletionStage<List<NodeStore.StoredGroup>>> groupAnswers =
      new CopyOnWriteArrayList<>();
  private final AtomicLong groupLooks = new AtomicLong();
  private final List<NodeStore.StoredGroup> groups = new CopyOnWriteArrayList<>();
  private final List<BlockHeight> knownBy = new CopyOnWriteArrayList<>();
  private final List<SignedLedgerTransaction> submitted = new CopyOnWriteArrayList<>();
  private final Set<String> signing = ConcurrentHashMap.newKeySet();
  private final Set<String> revoked = ConcurrentHashMap.newKeySet();
  private volatile boolean holdsWrites;
  private volatile boolean holdsReceipts;
  private volatile boolean unreachable;
  private volatile boolean storeAway;
  private final AtomicLong progressQueries = new AtomicLong();
  private volatile Optional<PublicContracts> contracts = Optional.empty();
  private volatile CompletionStage<List<SubmitOutcome>> taken = new CompletableFuture<>();
  private final Map<TransactionHash, LedgerReceipt.Result> results = new ConcurrentHashMap<>();
  private volatile CompletionStage<Set<ContractAddress>> withPending =
      CompletableFuture.completedFuture(Set.of());

  /** A group of alice@node1 alone. */
  public PrivacyGroup newGroup() {
    return newGroup("alice@node1");
  }

  PrivacyGroup newGroup(String... members) {
    return new PrivacyGroup(
        arbitrary.next(GroupId.class),
        BaseLedger.LOCAL_CHAIN,
        arbitrary.next(ContractAddress.class),
        "record",
        "test",
        new Committee(
            Arrays.stream(members)
                .map(name -> new Member(Identity.parse(name), arbitrary.next(Verifier.class)))
                .toList()),
        1,
        Bytes.utf8("{}"));
  }

  /** An intent of the group that nobody has seen yet. */
  Intent newIntent(PrivacyGroup group, SubmitMode mode) {
    var transaction =
        new PrivateTransaction(
            arbitrary.next(TransactionId.class),
            group.contract(),
            group.domain(),
            "increment",
            Identity.parse("alice@node1"),
            Bytes.utf8("{}"),
            mode,
            List.of(),
            arbitrary.next(Hash.class));
    return new Intent(1, now.get(), Optional.empty(), arbitrary.next(Hash.class), transaction);
  }

  /** An intent of a public transaction, which the node store has from now on. */
  Intent newPublic(Identity from) {
    var any = arbitrary.next(PublicTransaction.class);
    var transaction =
        new PublicTransaction(
            any.id(), from, any.to(), any.data(), any.value(), any.gas(), any.source());
    var intent =
        new Intent(
            publics.size() + 1L,
            now.get(),
            Optional.empty(),
            arbitrary.next(Hash.class),
            transaction);
    publics.add(intent);
    return intent;
  }

  /** A block upon the others in which an intent of the group is fulfilled. */
  Block append(PrivacyGroup group) {
    return append(group, arbitrary.next(IntentKey.class));
  }

  Block append(PrivacyGroup group, IntentKey fulfilled) {
    return append(group, fulfilled, List.of(), List.of());
  }

  Block append(
      PrivacyGroup group, IntentKey fulfilled, List<StateId> spent, List<StateId> created) {
    return append(
        group, new LedgerReceipt.Fulfilled(group.contract(), fulfilled, spent, List.of(), created));
  }

  Block append(PrivacyGroup group, LedgerReceipt.Result result) {
    var parent = blocks.isEmpty() ? new Hash(0, 0, 0, 0) : blocks.get(blocks.size() - 1).hash();
    var height = new BlockHeight(blocks.size() + 1L);
    var receipt =
        new LedgerReceipt(
            arbitrary.next(TransactionHash.class),
            arbitrary.next(LedgerAddress.class),
            0,
            height,
            0,
            List.of(result));
    var receipts = new ArrayList<>(List.of(receipt));
    if (showsMaking && made.add(group.contract())) {
      receipts.add(making(group, height));
    }
    var block = new Block(height, arbitrary.next(Hash.class), parent, now.get(), receipts);
    blocks.add(block);
    return block;
  }

  private LedgerReceipt making(PrivacyGroup group, BlockHeight height) {
    return new LedgerReceipt(
        arbitrary.next(TransactionHash.class),
        arbitrary.next(LedgerAddress.class),
        0,
        height,
        1,
        List.of(
            new LedgerReceipt.Deployed(
                group.contract(),
                group.domain(),
                new ContractGenesis(
                    group.id(),
                    group.name(),
                    group.committee(),
                    group.endorsementThreshold(),
                    group.configuration()))));
  }

  /** From now on the first block of each group has made its contract, too. */
  void showMaking() {
    showsMaking = true;
  }

  /** Where the ledger can first tell of a group. */
  void firstBlock(long height) {
    firstBlock = new BlockHeight(height);
  }

  void replaceNewest(PrivacyGroup group) {
    blocks.remove(blocks.size() - 1);
    append(group);
  }

  /** An endpoint on another fork: from now on this is its newest block. */
  void replaceNewest(Block other) {
    blocks.set(blocks.size() - 1, other);
  }

  static LedgerReceipt.Fulfilled fulfilled(Block block) {
    return (LedgerReceipt.Fulfilled) block.receipts().get(0).results().get(0);
  }

  public void advance(Duration time) {
    now.updateAndGet(instant -> instant.plus(time));
  }

  /** Between two looks for a block for which nobody waits. */
  void idlePause(Duration pause) {
    idlePause = pause;
  }

  long headQueries() {
    return headQueries.get();
  }

  void unreachable(boolean whether) {
    unreachable = whether;
  }

  /** Asked with each reading of blocks whether it fails. */
  void failBlocksWhen(BooleanSupplier fails) {
    blocksFail = fails;
  }

  /** Whether the node store fails whoever asks it how far blocks were read. */
  void storeAway(boolean whether) {
    storeAway = whether;
  }

  /** How often somebody has asked how far blocks were read. */
  long progressQueries() {
    return progressQueries.get();
  }

  private CompletionStage<Optional<IndexedTo>> progress() {
    progressQueries.incrementAndGet();
    return storeAway
        ? CompletableFuture.failedFuture(new IllegalStateException("The database is away."))
        : CompletableFuture.completedFuture(Optional.of(acknowledged.get()));
  }

  /** Who asks how far blocks were read and acknowledged is told this, with the block it is now. */
  void acknowledged(BlockHeight height) {
    acknowledged.set(new IndexedTo(height, blocks.get((int) height.value() - 1).hash()));
  }

  /** Who reads that height next is shown this, as by an endpoint on another fork. */
  void showOnce(Block other) {
    shownOnce.put(other.height(), other);
  }

  /** Blocks up to this one can be had no more. */
  void prune(long upTo) {
    pruned = upTo;
  }

  /** What the node store has of how far blocks were read, in place of the height alone. */
  void readSoFar(ReadSoFar read) {
    readSoFar = Optional.of(read);
  }

  /** How often the first block was read. */
  long firstBlockReads() {
    return firstBlockReads.get();
  }

  Optional<BlockHeight> indexedTo() {
    return Optional.ofNullable(indexedTo.get());
  }

  public void holdWrites() {
    holdsWrites = true;
  }

  /** From now on receipts are on their way to the disk for ever. */
  void holdReceipts() {
    holdsReceipts = true;
  }

  int heldWrites() {
    return heldWrites.size();
  }

  public void releaseWrites() {
    holdsWrites = false;
    heldWrites.forEach(Runnable::run);
  }

  /** Completes by the test: the intents that a sender finds at its start. */
  CompletableFuture<List<Intent>> pending() {
    return pending;
  }

  /** What senders have stored. */
  List<Receipt> receipts() {
    return List.copyOf(receipts);
  }

  /** What senders gave to the node store because they did not know it. */
  List<Receipt> late() {
    return List.copyOf(late);
  }

  /** Completes by the test: what was late is durable. */
  CompletableFuture<List<NodeStore.NumberedReceipt>> lateStored() {
    return lateStored;
  }

  /** What the node store answers to who asks which contracts have unfinished intents. */
  void withPending(CompletionStage<Set<ContractAddress>> answer) {
    withPending = answer;
  }

  /**
   * Of what the node store answers to the next who asks for a group; after the last, what was put.
   */
  public void answerGroups(CompletionStage<List<NodeStore.StoredGroup>> answer) {
    groupAnswers.add(answer);
  }

  /** How often somebody has asked for groups. */
  public long groupLooks() {
    return groupLooks.get();
  }

  private CompletionStage<List<NodeStore.StoredGroup>> groups() {
    return groups(groupLooks.getAndIncrement());
  }

  private CompletionStage<List<NodeStore.StoredGroup>> groups(long look) {
    return look < groupAnswers.size()
        ? groupAnswers.get((int) look)
        : CompletableFuture.completedFuture(List.copyOf(groups));
  }

  private CompletionStage<Optional<NodeStore.StoredGroup>> group(
      Predicate<NodeStore.StoredGroup> wanted) {
    return groups().thenApply(all -> all.stream().filter(wanted).findFirst());
  }

  /** Among those of which one was asked for last. */
  private CompletionStage<Optional<NodeStore.StoredGroup>> putGiven(NodeStore.StoredGroup group) {
    return groups(Math.max(0, groupLooks.get() - 1))
        .thenCompose(
            all ->
                all.stream()
                    .filter(it -> it.id().equals(group.id()))
                    .findFirst()
                    .<CompletionStage<Optional<NodeStore.StoredGroup>>>map(
                        known -> CompletableFuture.completedFuture(Optional.of(known)))
                    .orElseGet(() -> putGiven(group, all)));
  }

  private CompletionStage<Optional<NodeStore.StoredGroup>> putGiven(
      NodeStore.StoredGroup group, List<NodeStore.StoredGroup> all) {
    boolean isFull =
        group.awaitedOf().isPresent()
            && all.stream().filter(it -> it.awaitedOf().equals(group.awaitedOf())).count()
                >= NodeStore.MOST_AWAITED;
    return isFull
        ? CompletableFuture.completedFuture(Optional.empty())
        : putGroup(group).thenApply(done -> Optional.of(group));
  }

  private static Predicate<PrivacyGroup> at(Object contract) {
    return group -> group.contract().equals(contract);
  }

  /** The groups that were put into the node store. */
  public List<NodeStore.StoredGroup> putGroups() {
    return List.copyOf(groups);
  }

  /** The blocks by which they began or changed, as they were put. */
  List<BlockHeight> knownBy() {
    return List.copyOf(knownBy);
  }

  private CompletionStage<Void> putGroup(NodeStore.StoredGroup group) {
    return write(() -> groups.add(group));
  }

  /** From now on the base ledger runs contracts of any kind. */
  public void runContracts(PublicContracts any) {
    contracts = Optional.of(any);
  }

  /** What the base ledger answers to submissions from now on; before that, nothing. */
  public void answerSubmissions(CompletionStage<List<SubmitOutcome>> answer) {
    taken = answer;
  }

  /** The base ledger has a transaction in a block from now on; before that, none. */
  public void carriedOut(TransactionHash hash, LedgerReceipt.Result result) {
    results.put(hash, result);
  }

  /** A block has what each key has signed, be it shown or not. */
  public void nextNonce(long nonce) {
    nextNonce.set(nonce);
  }

  /** What was submitted to the base ledger. */
  public List<SignedLedgerTransaction> submitted() {
    return List.copyOf(submitted);
  }

  /** Nothing is signed with the key of that name any more. */
  public void revoke(String name) {
    revoked.add(name);
  }

  /** The names of the keys that something was signed with. */
  Set<String> signing() {
    return Set.copyOf(signing);
  }

  void prepare(Intent intent) {
    var id = intent.transaction().id();
    var nothing =
        new PreparedTransaction(
            intent.privately().orElseThrow().key(),
            intent.privately().orElseThrow().contract(),
            List.of(),
            List.of(),
            List.of(),
            Proof.NONE);
    prepared.put(id, new NodeStore.Prepared(nothing, List.of(), now.get()));
  }

  /** When contents of states are durable; at once, if it is not said. */
  void keep(CompletionStage<Void> durable) {
    keeping = durable;
  }

  /** When contents of states can be read; at once, if it is not said. */
  void read(CompletionStage<Void> when) {
    readable = when;
  }

  /** How often somebody has asked for contents of states. */
  long contentLooks() {
    return contentLooks.get();
  }

  /** What the node store has of contents. */
  void store(PrivateState content) {
    contents.add(content);
  }

  /** The contents that state stores have put into the node store. */
  List<PrivateState> stored() {
    return List.copyOf(contents);
  }

  /** What was sent to nodes. */
  public List<Envelope> envelopes() {
    return List.copyOf(sent);
  }

  /** What was sent to nodes, without to whom. */
  public List<Message> sent() {
    return sent.stream().map(Envelope::payload).toList();
  }

  public NodeSetup setup(int confirmations) {
    var defaults = NodeSetup.Rules.DEFAULT;
    var keys = new StubKeys();
    return new NodeSetup(
        new NodeName("node1"),
        new NodeSetup.Ports(
            new Nobody(),
            new Ledger(),
            new GroupRegistry(new NodeName("node1"), defaults.selection(), keys, SIGNATURES),
            store(),
            NodeWriters.ALONE,
            keys,
            SIGNATURES,
            Optional.empty(),
            Optional.empty()),
        Domains.load().byName(),
        defaults
            .with()
            .confirmations(confirmations)
            .pollInterval(Duration.ofMillis(POLL_MILLIS))
            .tick(Duration.ofMillis(10))
            .build(),
        new TraceRing(TraceLimits.DEFAULT, now::get),
        TransactionSpans.OFF,
        new PrometheusRegistry(),
        now::get);
  }

  /** What a domain of a group answers to a call, by the method's name. */
  interface DomainScript {
    Object answer(String method, Object[] arguments);
  }

  /** As {@link #setup} without confirmations, and the group's domain answers so. */
  NodeSetup setupOf(PrivacyGroup group, DomainScript script) {
    var domain =
        (Domain)
            Proxy.newProxyInstance(
                Domain.class.getClassLoader(),
                new Class<?>[] {Domain.class},
                (proxy, method, arguments) ->
                    method.getName().equals("name")
                        ? group.domain()
                        : script.answer(method.getName(), arguments));
    return setup(0).withDomains(Map.of(group.domain(), domain));
  }

  private NodeStore store() {
    return (NodeStore)
        Proxy.newProxyInstance(
            NodeStore.class.getClassLoader(),
            new Class<?>[] {NodeStore.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "indexedTo" -> progress();
                  case "readSoFar" ->
                      progress()
                          .thenApply(read -> readSoFar.or(() -> read.map(ScriptedPorts::readUpTo)));
                  case "putIndexedTo" -> putIndexedTo((IndexedTo) arguments[0]);
                  case "pending" -> pending;
                  case "publicPending" -> publicPending((Long) arguments[1]);
                  case "complete" -> {
                    receipts.addAll(receipts(arguments[0]));
                    yield holdsReceipts
                        ? new CompletableFuture<>()
                        : CompletableFuture.completedFuture(List.of());
                  }
                  case "confirm" -> {
                    var known = (Set<?>) arguments[1];
                    ((Map<?, ?>) arguments[0])
                        .forEach(
                            (intent, receipt) ->
                                (known.contains(intent) ? receipts : late).add((Receipt) receipt));
                    yield lateStored;
                  }
                  case "intent" ->
                      pending.thenApply(
                          intents ->
                              intents.stream()
                                  .filter(i -> i.transaction().id().equals(arguments[0]))
                                  .findFirst());
                  case "prepared" ->
                      CompletableFuture.completedFuture(
                          Optional.ofNullable(prepared.get(arguments[0])));
                  case "receipt" ->
                      CompletableFuture.completedFuture(
                          receipts.stream()
                              .filter(receipt -> receipt.transaction().equals(arguments[0]))
                              .findFirst()
                              .map(receipt -> new NodeStore.NumberedReceipt(1, receipt)));
                  case "putStates" -> {
                    if (!keeping.toCompletableFuture().isCompletedExceptionally()) {
                      ((List<?>) arguments[0]).forEach(state -> contents.add((PrivateState) state));
                    }
                    yield keeping;
                  }
                  case "eraseStates" -> {
                    contents.removeIf(s -> ((Collection<?>) arguments[1]).contains(s.id()));
                    yield CompletableFuture.completedFuture(null);
                  }
                  case "states" -> {
                    contentLooks.incrementAndGet();
                    yield readable.thenApply(
                        now ->
                            contents.stream()
                                .filter(s -> ((Collection<?>) arguments[1]).contains(s.id()))
                                .toList());
                  }
                  case "contractsWithPending" -> withPending;
                  case "groups", "unfinishedGroups" -> groups();
                  case "knownGroups" -> CompletableFuture.completedFuture(List.copyOf(known));
                  case "known" -> {
                    lookedFor.addAll((Collection<?>) arguments[0]);
                    yield known(it -> ((Collection<?>) arguments[0]).contains(it.contract()));
                  }
                  case "groupsOf" -> CompletableFuture.completedFuture(List.of());
                  case "changedGroups" ->
                      known(
                              it ->
                                  changed.compareTo((BlockHeight) arguments[0]) > 0
                                      && changed.compareTo((BlockHeight) arguments[1]) <= 0)
                          .thenApply(
                              some ->
                                  some.stream()
                                      .map(it -> new ChangedGroup(changed, it.contract()))
                                      .toList());
                  case "submittedBy" ->
                      known(it -> ((Collection<?>) arguments[0]).contains(it.submitter()));
                  case "agreed" -> agreed;
                  case "countKnown" -> CompletableFuture.completedFuture((long) known.size());
                  case "putKnown" -> {
                    knownBy.add((BlockHeight) arguments[2]);
                    yield putGroup((NodeStore.StoredGroup) arguments[0]);
                  }
                  case "newGroupsPending" -> CompletableFuture.completedFuture(List.of());
                  case "group" -> group(it -> it.id().equals(arguments[0]));
                  case "groupAt" -> group(it -> it.group().filter(at(arguments[0])).isPresent());
                  case "putGiven" -> putGiven((NodeStore.StoredGroup) arguments[0]);
                  case "putGroup" -> putGroup((NodeStore.StoredGroup) arguments[0]);
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  private CompletionStage<List<KnownGroup>> known(Predicate<KnownGroup> wanted) {
    return knownReadable.thenApply(now -> known.stream().filter(wanted).toList());
  }

  /** The node store has a group of which this JVM has not heard. */
  public void know(KnownGroup group) {
    known.add(group);
  }

  /** As {@link #know}, by a block; so are all others that it has. */
  void know(KnownGroup group, BlockHeight at) {
    changed = at;
    know(group);
  }

  /** When it can be read which groups there are; at once, if it is not said. */
  public void readKnown(CompletionStage<Void> when) {
    knownReadable = when;
  }

  /** What can be read of the change of a committee that was agreed to, of whatever group. */
  public void readAgreed(CompletionStage<Optional<AgreedChange>> change) {
    agreed = change;
  }

  /** How often somebody has asked whether there is a group with a contract. */
  long looksFor(ContractAddress contract) {
    return lookedFor.stream().filter(contract::equals).count();
  }

  private CompletionStage<List<Intent>> publicPending(long after) {
    return CompletableFuture.completedFuture(
        publics.stream().filter(intent -> intent.order() > after).toList());
  }

  private static List<Receipt> receipts(Object argument) {
    return ((List<?>) argument).stream().map(Receipt.class::cast).toList();
  }

  private static ReadSoFar readUpTo(IndexedTo to) {
    return ReadSoFar.upTo(Optional.empty(), to);
  }

  private CompletionStage<Void> putIndexedTo(IndexedTo to) {
    return write(() -> indexedTo.set(to.height()));
  }

  private CompletionStage<Void> write(Runnable what) {
    var done = new CompletableFuture<Void>();
    Runnable write =
        () -> {
          what.run();
          done.complete(null);
        };
    if (holdsWrites) {
      heldWrites.add(write);
    } else {
      write.run();
    }
    return done;
  }

  private final class Ledger implements BaseLedger {
    @Override
    public Duration idlePause() {
      return idlePause;
    }

    @Override
    public SignedLedgerTransaction sign(LedgerTransaction transaction, Signer signer) {
      return CanonicalSigning.sign(transaction, signer);
    }

    @Override
    public CompletionStage<List<SubmitOutcome>> submit(List<SignedLedgerTransaction> transactions) {
      submitted.addAll(transactions);
      return taken;
    }

    @Override
    public CompletionStage<Long> nonce(LedgerAddress signer) {
      return CompletableFuture.completedFuture(nextNonce.get());
    }

    @Override
    public CompletionStage<BlockHeight> firstBlock() {
      return CompletableFuture.completedFuture(firstBlock);
    }

    @Override
    public CompletionStage<Long> pendingNonce(LedgerAddress signer) {
      return CompletableFuture.completedFuture(
          submitted.stream()
              .mapToLong(signed -> signed.transaction().nonce() + 1)
              .reduce(nextNonce.get(), Math::max));
    }

    @Override
    public CompletionStage<Boolean> knows(TransactionHash hash) {
      return CompletableFuture.completedFuture(true);
    }

    @Override
    public CompletionStage<BlockHeight> head() {
      headQueries.incrementAndGet();
      return unreachable
          ? CompletableFuture.failedFuture(new IllegalStateException("unreachable"))
          : CompletableFuture.completedFuture(new BlockHeight(blocks.size()));
    }

    @Override
    public CompletionStage<List<Block>> blocks(BlockHeight from, int limit) {
      if (blocksFail.getAsBoolean()) {
        return CompletableFuture.failedFuture(new IllegalStateException("It is away."));
      }
      var snapshot = new ArrayList<>(blocks);
      int first = (int) from.value() - 1;
      if (first == 0) {
        firstBlockReads.incrementAndGet();
      }
      for (int i = first; i < Math.min(first + limit, snapshot.size()); i++) {
        var other = shownOnce.remove(snapshot.get(i).height());
        if (other != null) {
          snapshot.set(i, other);
        }
      }
      return CompletableFuture.completedFuture(
          first >= snapshot.size() || first < pruned
              ? List.of()
              : List.copyOf(snapshot.subList(first, Math.min(first + limit, snapshot.size()))));
    }

    @Override
    public CompletionStage<Optional<LedgerReceipt>> receipt(TransactionHash hash) {
      return CompletableFuture.completedFuture(
          Optional.ofNullable(results.get(hash))
              .map(
                  result ->
                      new LedgerReceipt(
                          hash,
                          new LedgerAddress("0x" + "00".repeat(20)),
                          0,
                          new BlockHeight(1),
                          0,
                          List.of(result))));
    }

    @Override
    public CompletionStage<Optional<LedgerTransaction>> transaction(TransactionHash hash) {
      return CompletableFuture.completedFuture(Optional.empty());
    }

    @Override
    public Optional<PublicContracts> contracts() {
      return contracts;
    }

    @Override
    public void close() {}
  }

  /** One for all names. */
  private final class StubKeys implements Keys {
    private static final Bytes GENERATOR =
        Bytes.hex("0x0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798");

    @Override
    public Verifier verifier(String name) {
      return new Verifier(GENERATOR);
    }

    @Override
    public Standing standing(String name, Verifier key) {
      return revoked.contains(name) ? Standing.REVOKED : Keys.super.standing(name, key);
    }

    @Override
    public Bytes sign(String name, Hash digest) {
      signing.add(name);
      return Bytes.of(new byte[65]);
    }
  }

  private final class Nobody implements Transport {
    @Override
    public void send(List<Envelope> envelopes) {
      sent.addAll(envelopes);
    }

    @Override
    public void receive(Consumer<List<Envelope>> receiver) {}

    @Override
    public Set<NodeName> peers() {
      return Set.of();
    }

    @Override
    public void close() {}
  }
}
